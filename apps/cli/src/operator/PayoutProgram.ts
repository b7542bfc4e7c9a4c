/** `pay payout`: lists payouts that wait for a second person, and lets this person read a payout and sign the shown content. */
import type { KeyObject } from "node:crypto"
import { createInterface } from "node:readline/promises"
import { approvals, operations } from "@pay/gateway/OperatorApi"
import * as Approval from "@pay/signing/Approval"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import { nowSeconds } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Operands from "./Operands.ts"
import * as OperatorClient from "./OperatorClient.ts"
import * as OperatorWork from "./OperatorWork.ts"

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

/** The rows of a payout, in the order in which a person reads them before the decision. */
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

type Payout = (typeof approvals.decideApproval)["answer"]["Encoded"]

const table = (payout: Payout): string =>
  Output.columns(
    rows.flatMap(([name, label]) => {
      const value = payout[name]
      return value === null || value === "" ? [] : [[label, String(value)] as const]
    })
  )

const confirmed = async (action: Exclude<Action, "show">, payout: Payout): Promise<boolean> => {
  if (!Io.stdin().isTTY) throw new UsageError(`Look with pay payout show, then give --yes to ${action}`, "payout")
  const terminal = createInterface({ input: Io.stdin(), output: Io.stderr() })
  const answer = await terminal.question(Output.safe(`${table(payout)}\n\n${action} this payout? [y/N] `))
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Lists the waiting payouts. An approver's request is signed; without an approver, an operator's token authorizes it. */
const list = async (given: Flags.Given): Promise<ExitCode> => {
  if (!given.flags.has("waiting") || given.operands.length > 1)
    throw new UsageError("Write list --waiting: it lists the payouts that wait for a second person", "payout")
  const approver = Credentials.setting(given, "approver")
  const merchant = Credentials.need(given, "merchant")
  const asJson = given.flags.has("json")
  const page = Operands.pageOf(given)
  const pageOf = async (): Promise<ListedPayouts> => {
    if (approver === undefined) {
      const client = await OperatorClient.make(given)
      return client.call(operations.listPayouts, { ...page, merchant, state: "waiting" })
    }
    const client = clientOf(given, "Check --merchant, --approver and --approver-key-file.")
    const key = await keyOf(given)
    const timestampSeconds = nowSeconds()
    const signature = Approval.sign({ decision: "list", merchant, approver, timestampSeconds }, key)
    const proof = { decision: "list", merchant, approver, time: String(timestampSeconds), signature } as const
    return client.call(approvals.listApprovals, { ...page, ...proof })
  }
  return OperatorClient.withExitCode(asJson, async () => {
    const payouts = await pageOf()
    const text = OperatorWork.textOf(operations.listPayouts, payouts)
    Output.print({ text, json: { outcome: "answered", ...payouts } }, asJson)
    return codes.ok
  })
}

type ListedPayouts = (typeof operations.listPayouts)["answer"]["Encoded"]

const clientOf = (given: Flags.Given, unknown: string) =>
  OperatorClient.at({
    base: Credentials.need(given, "base-url").replace(/^(.*[^/])?\/*$/s, "$1"),
    token: undefined,
    address: "--base-url or PAY_BASE_URL",
    unknown
  })

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.payout, "payout")
  const [word, orderId, ...others] = given.operands
  if (word === "list") return list(given)
  const action = actions.find((each) => each === word)
  if (action === undefined || orderId === undefined || others.length > 0 || !/^\d{1,20}$/.test(orderId))
    throw new UsageError("Say list, or show, approve or reject and the number of an order", "payout")
  const asJson = given.flags.has("json")
  const approver = Credentials.need(given, "approver")
  const client = clientOf(given, "Check the order's number, --approver and --approver-key-file.")
  const key = await keyOf(given)
  const print = (payout: Payout) =>
    Output.print({ text: table(payout), json: { outcome: "answered", ...payout } }, asJson)

  return OperatorClient.withExitCode(asJson, async () => {
    const timestampSeconds = nowSeconds()
    const look: Approval.ReadRequest = { decision: "look", orderId, approver, timestampSeconds }
    const payout = await client.call(approvals.decideApproval, {
      order: orderId,
      decision: "look",
      approver,
      time: String(timestampSeconds),
      signature: Approval.sign(look, key)
    })
    if (action === "show") {
      print(payout)
      return codes.ok
    }
    if (!given.flags.has("yes") && !(await confirmed(action, payout))) {
      Output.printFailure({ text: "Nothing was decided.", json: { outcome: "not-sent" } }, asJson)
      return codes.refused
    }
    const { amount, recipient } = payout
    const signature = Approval.sign({ decision: action, orderId, amount, recipient, approver }, key)
    const decision = { order: orderId, decision: action, approver, amount, recipient, signature }
    print(await client.call(approvals.decideApproval, decision))
    return codes.ok
  })
}
