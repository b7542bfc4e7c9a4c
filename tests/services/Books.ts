/** Compares the ledger of a shop with the books of its bank, order by order. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Schema } from "effect"

const Row = Schema.Struct({ id: Schema.String, orderId: Schema.String, minor: Schema.Int, outcome: Schema.String })

/** The bookings of a shop. */
const ledger = (shopFolder: string) => {
  const database = new DatabaseSync(join(shopFolder, "shop.db"), { readOnly: true })
  const rows = database.prepare("SELECT * FROM bookings").all()
  database.close()
  return Schema.decodeUnknownSync(Schema.Array(Row))(rows)
}

/** Adds numbers under names. */
const sums = (entries: ReadonlyArray<readonly [name: string, minor: number]>) => {
  const all = new Map<string, number>()
  for (const [name, minor] of entries) all.set(name, (all.get(name) ?? 0) + minor)
  return Object.fromEntries([...all].filter(([, minor]) => minor !== 0).sort())
}

/** Asserts that bank, rail, gateway and shop agree. Runs beside the gateway's world. */
export const assertEqual = Effect.fnUntraced(function* (shopFolder: string) {
  const rows = ledger(shopFolder)
  const bank = yield* SandboxControl
  const rail = yield* RailControl
  const booked = (yield* bank.books.all).filter(({ answer }) => answer._tag === "Approved")
  const paid = (yield* rail.books.all).filter(
    ({ answer, request }) => answer._tag === "Approved" && request.kind === "pay"
  )

  const orders = new Map(booked.map(({ request }) => [request.orderId, request.clientOrderId]))
  const taken = yield* Effect.forEach([...orders], ([orderId]) =>
    Effect.map(bank.books.totals(orderId), (totals) => ({ orderId, ...totals }))
  )
  /** One trip is several orders, and one booking of the shop. */
  const nameOf = (id: string) => id.replace(/^(\w*[tT]rip-\d+)-\d$/, "$1")
  const atBank = sums([
    ...taken.map(
      ({ capturedMinor, orderId, refundedMinor }) =>
        [nameOf(orders.get(orderId) ?? ""), capturedMinor - refundedMinor] as const
    ),
    ...paid.map(({ request }) => [request.clientOrderId, -request.amountMinor] as const)
  ])
  const atShop = sums(rows.map(({ id, minor }) => [id.replace(/-[ab]$/, "-sale"), minor] as const))
  assert.deepStrictEqual(atShop, atBank, "the shop and its bank, by order")

  const open = taken.filter(
    ({ authorizedMinor, capturedMinor, voidedMinor }) => authorizedMinor !== capturedMinor + voidedMinor
  )
  assert.deepStrictEqual(open, [], "amounts that the bank still holds")

  const effects = [...booked, ...paid].map(({ request }) => `${request.kind} ${request.clientOrderId}`)
  const expected = (effect: string) => (effect.startsWith("refund ") ? 2 : 1)
  const times = sums(effects.map((effect) => [effect, 1] as const))
  const repeated = Object.entries(times).filter(([effect, count]) => count > expected(effect))
  assert.deepStrictEqual(repeated, [], "identities that the bank has booked more often than the shop has asked for")

  const { findings } = yield* Reconciliation.check
  assert.deepStrictEqual(findings, [])
  assert.deepStrictEqual([...(yield* bank.violations), ...(yield* rail.violations)], [])
  return { rows, orders: orders.size, payouts: paid.length }
})
