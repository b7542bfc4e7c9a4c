/** `pay orders`: looking for orders, and everything about one. */
import { commands } from "../Commands.ts"
import { codes } from "../ExitCode.ts"
import * as Files from "../Files.ts"
import type { Given } from "../Flags.ts"
import type { Json } from "../OperatorGateway.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

const columns = [
  "created",
  "id",
  "merchant",
  "merchantOrder",
  "kind",
  "state",
  "amount",
  "currency",
  "card",
  "filteredBy"
]

/** What the flags of a search are called in the question. */
const criteria = {
  merchant: "merchant",
  "client-orderid": "clientOrderId",
  status: "status",
  state: "state",
  "last-four": "lastFour",
  amount: "amount",
  currency: "currency",
  "filtered-by": "filteredBy",
  from: "from",
  to: "to",
  after: "after"
} as const

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const durationOf = (text: string): number => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const found = Object.entries(units).find(([name]) => name === unit)
  if (count === undefined || found === undefined) throw new UsageError("--unknown-for is a time like 30m, 6h or 2d")
  return Number(count) * found[1]
}

const limitOf = (text: string): number => {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError("--limit is a number up to 1000")
  return Number(text)
}

/** `4111111111111111 12/2030`. */
const cardOf = async (path: string): Promise<Json> => {
  const [, number, month, year] =
    /^\s*(\d{12,19})\s+(\d{1,2})\/(\d{4})\s*$/.exec(await Files.read("card-file", path)) ?? []
  if (number === undefined)
    throw new UsageError("--card-file holds one line: the number, a space, the expiry as MM/YYYY")
  return { number, month, year }
}

const questionOf = async ({ flags }: Given): Promise<Json> => {
  const plain = Object.entries(criteria).flatMap(([flag, name]) => {
    const value = flags.get(flag)
    return value === undefined ? [] : [[name, value] as const]
  })
  const card = flags.get("card-file")
  const unknownFor = flags.get("unknown-for")
  const limit = flags.get("limit")
  return {
    ...Object.fromEntries(plain),
    ...(card === undefined ? {} : { card: await cardOf(card) }),
    ...(unknownFor === undefined ? {} : { unknownForMs: durationOf(unknownFor) }),
    ...(limit === undefined ? {} : { limit: limitOf(limit) })
  }
}

/** What the flags of a statement are called in the question. */
const statement = {
  as: "as",
  digest: "digest",
  evidence: "evidence",
  request: "request",
  "approval-code": "approvalCode",
  transaction: "processorTxId"
} as const

const statementOf = ({ flags }: Given, verb: "resolve" | "confirm"): Json => {
  if (!flags.has("as")) throw new UsageError("Say what became of it: --as approved, declined or error", "orders")
  if (verb === "resolve" && !flags.has("evidence"))
    throw new UsageError("Say what that rests on: --evidence 'Ms Smith of the bank, by telephone'", "orders")
  if (verb === "confirm" && !flags.has("digest"))
    throw new UsageError("Say which proposal you have read: --digest DIGEST, as pay orders show tells it", "orders")
  return Object.fromEntries(
    Object.entries(statement).flatMap(([flag, name]) => {
      const value = flags.get(flag)
      return value === undefined ? [] : [[name, value]]
    })
  )
}

/** The order's own facts, then a table for each list that is not empty. */
export const page = (order: Json): string =>
  [
    Rows.card(order),
    ...Object.entries(order).flatMap(([name, value]) => {
      const rows = Rows.rowsOf(value)
      const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => key !== "log")
      return rows.length === 0 ? [] : [`${name}\n${Rows.table(rows, names)}`]
    })
  ].join("\n\n")

export const run = OperatorRoom.running(
  "orders",
  commands.orders,
  { search: 0, show: 1, resolve: 1, confirm: 1 },
  async ({ gateway, given, operands: [orderId = ""], tell, verb }) => {
    if (verb === "show") {
      const order = await gateway.json({ path: `/operator/orders/${encodeURIComponent(orderId)}` })
      tell(page(order), { order })
      return codes.ok
    }
    if (verb === "resolve" || verb === "confirm") {
      const said = await gateway.json({
        method: "POST",
        path: `/operator/orders/${encodeURIComponent(orderId)}/${verb}`,
        body: statementOf(given, verb)
      })
      const next = `\n\nA second person reads it (pay orders show ${orderId}) and confirms it:\n  pay orders confirm ${orderId} --as ${said.as} --digest ${said.digest}`
      tell(`${Rows.card(said)}${verb === "resolve" ? next : ""}`, { resolution: said })
      return codes.ok
    }
    const body = await questionOf(given)
    const found = await gateway.json({ method: "POST", path: "/operator/orders/search", body })
    tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(found.orders), columns), found.next), found)
    return codes.ok
  }
)
