/** `pay payout`: what waits for a second person, and what they do: look first, and sign what was shown. */
import type { KeyObject } from "node:crypto"
import { createInterface } from "node:readline/promises"
import * as Approval from "@pay/signing/Approval"
import { commands } from "../Commands.ts"
import * as Credentials from "../Credentials.ts"
import { nowSeconds } from "../Environment.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Files from "../Files.ts"
import * as Flags from "../Flags.ts"
import * as OperatorGateway from "../OperatorGateway.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Output from "../Output.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

const actions = ["show", "approve", "reject"] as const
type Action = (typeof actions)[number]

const unusable = {
  Malformed: "holds no private key in PEM form",
  NotEd25519: "is not an Ed25519 key",
  PrivateKeyGiven: "is a private key"
} as const

const keyOf = async (given: Flags.Given): Promise<KeyObject> => {
  const flag = "approver-key-file"
  const loaded = Approval.privateFromPem(await Files.read(flag, Credentials.need(given, flag)))
  if (loaded.ok) return loaded.key
  throw new UsageError(`The key of --${flag} ${unusable[loaded.reason]}`)
}

/** In the order in which a person decides. */
const rows = [
  ["order", "Order"],
  ["merchant", "Merchant"],
  ["merchantOrder", "Merchant's order"],
  ["amount", "Amount"],
  ["recipientKind", "Paid to a"],
  ["recipientShown", "Recipient"],
  ["recipient", "Fingerprint"],
  ["description", "Description"],
  ["purpose", "Purpose"],
  ["state", "State"],
  ["approver", "Decided by"],
  ["asked", "Asked for"],
  ["expires", "Lapses"]
] as const

const table = (seen: OperatorGateway.Json): string =>
  Output.columns(
    rows.flatMap(([name, label]) => {
      const value = seen[name]
      return value === null || value === undefined || value === "" ? [] : [[label, String(value)] as const]
    })
  )

const text = (seen: OperatorGateway.Json, name: string): string => {
  const value = seen[name]
  if (typeof value === "string") return value
  throw new OperatorGateway.OperatorFailure(codes.unknown, `The gateway's answer has no ${name}.`, {
    outcome: "unknown"
  })
}

const confirmed = async (action: Exclude<Action, "show">, seen: OperatorGateway.Json): Promise<boolean> => {
  if (!process.stdin.isTTY) throw new UsageError(`Look with pay payout show, then give --yes to ${action}`, "payout")
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(Output.safe(`${table(seen)}\n\n${action} this payout? [y/N] `))
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

const columns = ["order", "merchantOrder", "amount", "recipientKind", "recipientShown", "asked", "expires"]

const byOperator = OperatorRoom.running("payout", commands.payout, { list: 0 }, async ({ gateway, given, tell }) => {
  const query = { ...OperatorRoom.queryOf(given, ["limit", "after"]), merchant: Credentials.need(given, "merchant") }
  const found = await gateway.json({ path: "/operator/payouts", query: { ...query, state: "waiting" } })
  tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(found.payouts), columns), found.next), found)
  return codes.ok
})

/** An approver signs the question; without one an operator's token answers it. */
const list = async (given: Flags.Given, args: ReadonlyArray<string>): Promise<ExitCode> => {
  if (!given.flags.has("waiting") || given.operands.length > 1)
    throw new UsageError("Say list --waiting: what waits for a second person is listed", "payout")
  const approver = Credentials.setting(given, "approver")
  if (approver === undefined) return byOperator(args)
  const merchant = Credentials.need(given, "merchant")
  const asJson = given.flags.has("json")
  const gateway = gatewayOf(given, "Check --merchant, --approver and --approver-key-file.")
  const key = await keyOf(given)
  return OperatorGateway.ending(asJson, async () => {
    const timestampSeconds = nowSeconds()
    const signature = Approval.sign({ decision: "list", merchant, approver, timestampSeconds }, key)
    const { after = "", limit = "" } = OperatorRoom.queryOf(given, ["limit", "after"])
    const form = { decision: "list", merchant, approver, time: String(timestampSeconds), signature, limit, after }
    const found = await gateway.json({ method: "POST", path: "/approvals", form })
    const rows = OperatorRoom.listed(Rows.table(Rows.rowsOf(found.payouts), columns), found.next)
    Output.print({ text: rows, json: { outcome: "answered", ...found } }, asJson)
    return codes.ok
  })
}

const gatewayOf = (given: Flags.Given, unknown: string) =>
  OperatorGateway.at({
    base: Credentials.need(given, "base-url").replace(/^(.*[^/])?\/*$/s, "$1"),
    token: undefined,
    address: "--base-url or PAY_BASE_URL",
    unknown
  })

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.payout.flags)) }, "payout")
  const [word, orderId, ...others] = given.operands
  if (word === "list") return list(given, args)
  const action = actions.find((known) => known === word)
  if (action === undefined || orderId === undefined || others.length > 0 || !/^\d{1,20}$/.test(orderId))
    throw new UsageError("Say list, or show, approve or reject and the number of an order", "payout")
  const asJson = given.flags.has("json")
  const approver = Credentials.need(given, "approver")
  const gateway = gatewayOf(given, "Check the order's number, --approver and --approver-key-file.")
  const key = await keyOf(given)
  const ask = (form: Readonly<Record<string, string>>) =>
    gateway.json({ method: "POST", path: `/approvals/${orderId}`, form: { approver, ...form } })
  const tell = (seen: OperatorGateway.Json) =>
    Output.print({ text: table(seen), json: { outcome: "answered", ...seen } }, asJson)

  return OperatorGateway.ending(asJson, async () => {
    const timestampSeconds = nowSeconds()
    const look: Approval.Look = { decision: "look", orderId, approver, timestampSeconds }
    const seen = await ask({ decision: "look", time: String(timestampSeconds), signature: Approval.sign(look, key) })
    if (action === "show") {
      tell(seen)
      return codes.ok
    }
    if (!given.flags.has("yes") && !(await confirmed(action, seen))) {
      Output.printFailure({ text: "Nothing was decided.", json: { outcome: "not-sent" } }, asJson)
      return codes.refused
    }
    const amount = text(seen, "amount")
    const recipient = text(seen, "recipient")
    const signature = Approval.sign({ decision: action, orderId, amount, recipient, approver }, key)
    tell(await ask({ decision: action, amount, recipient, signature }))
    return codes.ok
  })
}
