/**
 * `pay why`: describes the history of an order. The operator's view is used if it is accessible, because it contains more than
 * the merchant's.
 */
import { operations } from "@pay/gateway/OperatorApi"
import * as Loopback from "@pay/schema/Loopback"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Result } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Failure from "../request/Failure.ts"
import * as OrderDescription from "../request/OrderDescription.ts"
import { statusOf } from "../request/OrderStatus.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as OperatorClient from "./OperatorClient.ts"

type OrderView = (typeof operations.showOrder)["answer"]["Encoded"]

interface Explained {
  readonly order: string
  readonly id: string
  readonly status: string
  readonly words: OrderDescription.StateDescription
  /** The events of the order, the oldest first. */
  readonly happened: ReadonlyArray<readonly [at: string, what: string]>
  readonly reason: string | undefined
  readonly since: string | undefined
  readonly next: ReadonlyArray<readonly [at: string, what: string]>
}

/** Whether the command line or the environment has an operator's address or token. */
const isOperatorGiven = (given: Flags.Given): boolean =>
  ["operator-url", "operator-token", "operator-token-file"].some(
    (flag) => Credentials.setting(given, flag) !== undefined
  )

/**
 * Returns the operator's client for the given address. Without one, it is the merchant's gateway, if that is on this machine. A
 * token is never sent to a merchant's gateway elsewhere.
 */
const operatorOf = (given: Flags.Given): Promise<OperatorClient.OperatorClient> | undefined => {
  if (Credentials.setting(given, "operator-url") !== undefined) return OperatorClient.make(given)
  const base = Credentials.setting(given, "base-url")
  const isHere = base === undefined || Loopback.isOn(base)
  return isHere || isOperatorGiven(given) ? OperatorClient.make(given) : undefined
}

/** Returns the gateway's numbers of the orders with the merchant's number, of one merchant or of all. */
const search = async (
  client: OperatorClient.OperatorClient,
  clientOrderId: string,
  login: string | undefined
): Promise<ReadonlyArray<{ readonly id: string; readonly merchant: string }>> => {
  const logins =
    login === undefined
      ? (await client.call(operations.listMerchants, {})).merchants.map((merchant) => merchant.login)
      : [login]
  const pages = await Promise.all(
    logins.map((merchant) => client.call(operations.searchOrders, { merchant, clientOrderId }))
  )
  return pages.flatMap(({ orders }) => orders)
}

const idOf = async (
  client: OperatorClient.OperatorClient,
  word: string,
  given: Flags.Given
): Promise<string | undefined> => {
  const orderId = given.flags.get("orderid")
  if (orderId !== undefined) return orderId
  const [order, ...others] = await search(client, word, Credentials.setting(given, "login"))
  if (order === undefined) return /^\d{1,20}$/.test(word) ? word : undefined
  if (others.length === 0) return order.id
  const merchants = [order, ...others].map(({ merchant }) => merchant).join(", ")
  throw new UsageError(`More than one merchant has an order of this number (${merchants}): give --login`, "why")
}

/** The operator's view of an order, or why there is none. */
type OrderLookup = { readonly order: OrderView } | { readonly failure: OperatorClient.OperatorFailure | undefined }

const shownOf = async (word: string, given: Flags.Given): Promise<OrderLookup> => {
  try {
    const client = await operatorOf(given)
    const order = client === undefined ? undefined : await idOf(client, word, given)
    return client === undefined || order === undefined
      ? { failure: undefined }
      : { order: await client.call(operations.showOrder, { order }) }
  } catch (failure) {
    if (failure instanceof OperatorClient.OperatorFailure) return { failure }
    throw failure
  }
}

/** Returns the failure of an operator who is no merchant, so that no merchant's status can be asked for. */
const operatorFailure = (failure: OperatorClient.OperatorFailure | undefined): OperatorClient.OperatorFailure =>
  failure ??
  new OperatorClient.OperatorFailure(codes.refused, "The gateway has no order of this number, of any merchant.", {
    outcome: "refused"
  })

const requestWords = ({ errorCode, errorMessage, operation, progress }: OrderView["requests"][number]): string =>
  `${operation}: ${progress}${errorCode === null ? "" : ` (${errorCode} ${errorMessage ?? ""})`}`

const callbackWords = ({ address, result, state, tries }: OrderView["callbacks"][number]): string =>
  `callback to ${address}: ${state} after ${tries} ${tries === 1 ? "try" : "tries"}${result === null ? "" : ` (${result})`}`

const byTime = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<readonly [string, string]> =>
  rows.toSorted(([one], [other]) => one.localeCompare(other))

const ofShown = (order: OrderView): Explained => {
  const { callbacks, due, requests } = order
  const happened = byTime([
    [order.created, `order taken: ${order.kind} of ${order.amount} ${order.currency}`],
    ...requests.map((request) => [request.finished ?? request.accepted, requestWords(request)] as const),
    ...callbacks.map((callback) => [callback.delivered ?? callback.created, callbackWords(callback)] as const)
  ])
  const open = requests.filter(({ finished }) => finished === null)
  const reason = [order.errorCode, order.errorMessage].filter((part) => part !== null).join(" ")
  return {
    order: order.merchantOrder,
    id: order.id,
    status: order.status,
    words: OrderDescription.ofState(order.state),
    happened,
    reason: order.filteredBy === null ? reason || undefined : `stopped by the rule ${order.filteredBy}`,
    since: open[0]?.accepted ?? happened.at(-1)?.[0],
    next: byTime(
      due.map(({ due, kind, tries }) => [
        due,
        `${OrderDescription.jobs[kind] ?? kind}${tries === 0 ? "" : ` (asked ${tries} times by now)`}`
      ])
    )
  }
}

const ofStatus = (word: string, fields: StatusResponse): Explained => {
  const reason = [fields["error-code"], fields["error-message"]].filter((part) => part !== undefined).join(" ")
  const stage = fields["threeds-stage"]
  const isAway = fields["redirect-to"] !== undefined || stage !== undefined
  const words = isAway ? OrderDescription.ofState("authenticating") : OrderDescription.ofStatus(fields.status)
  return {
    order: fields["merchant-order-id"] ?? word,
    id: fields["paynet-order-id"] ?? "",
    status: fields.status,
    words: stage === undefined ? words : { ...words, waitsFor: `your server's step of 3-D Secure: ${stage}` },
    happened: [],
    reason: reason || undefined,
    since: fields["paynet-processing-date"],
    next: []
  }
}

const lines = (rows: ReadonlyArray<readonly [string, string]>): string =>
  rows.map(([at, what]) => `${at.slice(0, 19).replace("T", " ")}  ${what}`).join("\n  ")

const report = (of: Explained): Output.Report => {
  const { happened, id, next, order, reason, since, status, words } = of
  const can = words.can.map((line) => line.replaceAll("ORDER", Output.quoted(order)).replaceAll("ID", id))
  const parts = [
    `${order} (${id}) is ${status}. ${words.means}${reason === undefined ? "" : `\nReason: ${reason}.`}`,
    happened.length === 0 ? "" : `So far:\n  ${lines(happened)}`,
    words.waitsFor === undefined
      ? "It waits for nothing. Nothing more happens unless you act."
      : `It waits for ${words.waitsFor}${since === undefined ? "" : `, since ${since.slice(0, 19).replace("T", " ")}`}.`,
    next.length === 0 ? "" : `Next:\n  ${lines(next)}`,
    can.length === 0 ? "" : `You can:\n  ${can.join("\n  ")}`
  ]
  return {
    text: parts.filter((part) => part !== "").join("\n\n"),
    json: {
      outcome: "answered",
      order,
      id,
      status,
      means: words.means,
      reason: reason ?? null,
      happened: happened.map(([at, what]) => ({ at, what })),
      waitsFor: words.waitsFor ?? null,
      since: since ?? null,
      next: next.map(([at, what]) => ({ at, what })),
      can
    }
  }
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.why, "why")
  const asJson = given.flags.has("json")
  const [word = given.flags.get("orderid"), ...others] = given.operands
  if (word === undefined || others.length > 0) throw new UsageError("Name one order: pay why CLIENT_ORDERID", "why")
  const shown = await shownOf(word, given)
  if ("order" in shown) {
    Output.print(report(ofShown(shown.order)), asJson)
    return codes.ok
  }
  if (isOperatorGiven(given) && Credentials.setting(given, "login") === undefined)
    return OperatorClient.withExitCode(asJson, () => Promise.reject(operatorFailure(shown.failure)))
  const result = await statusOf(given.operands[0], given)
  if (Result.isFailure(result)) return Failure.print(result.failure, asJson)
  Output.print(report(ofStatus(word, result.success)), asJson)
  return codes.ok
}
