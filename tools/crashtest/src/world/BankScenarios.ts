/** The bank's part in a payment: which of its requests the bank declines, or answers hours later. */
import type { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import * as Money from "@pay/schema/Money"
import type { Action, FaultAt } from "../plan/Payment.ts"
import { type OpenOrders, recurringOf } from "./OpenOrders.ts"
import type { Watched } from "./Watched.ts"

type Rule = Parameters<SandboxControl["Service"]["choose"]>[0]
type Request = Parameters<Rule>[0]
type Scenario = NonNullable<ReturnType<Rule>>

/** How long the bank cannot report an outcome, in milliseconds of business time. */
const undecidedMs = 3 * 3_600_000

const { code, message } = declines.doNotHonour
const decline = { _tag: "Decline", code, message } as const
const undecided = { _tag: "Undecided", forMs: undecidedMs } as const

/** The kinds of requests that are the point of an action. */
const kinds: Readonly<Record<Action, ReadonlyArray<Request["kind"]>>> = {
  buy: ["authorize"],
  subscribe: ["authorize"],
  refund: ["refund", "void"],
  payout: ["pay"]
}

/** Returns what the bank does with a request because of a fault. `undefined`: nothing special. */
const scenarioOf = ({ fault, moment }: FaultAt, kind: Request["kind"], action: Action): Scenario | undefined => {
  if (fault === "forgedCallback") {
    const isFirst = moment.of === "callback" && moment.index === 1
    const concerned = isFirst && action === "refund" ? ["authorize"] : kinds[action]
    return concerned.some((one) => one === kind) ? { verdict: decline } : undefined
  }
  if (!kinds[action].some((one) => one === kind)) return undefined
  switch (fault) {
    case "declined":
      return { verdict: decline }
    case "approvedLate":
      return { delivery: undecided }
    case "declinedLate":
      return { verdict: decline, delivery: undecided }
    default:
      return undefined
  }
}

/** What a timeline says of a scenario. Without one, the card decides. */
const answerOf = (scenario: Scenario | undefined): string => {
  if (scenario === undefined) return ""
  return scenario.delivery === undefined ? " -> declined" : " -> no answer for hours"
}

const decide = ({ order }: Watched, kind: Request["kind"]) => {
  const { action, faults } = order.case
  for (const at of faults) {
    const scenario = scenarioOf(at, kind, action)
    if (scenario !== undefined) return { at, scenario }
  }
  return undefined
}

/**
 * Chooses the bank's scenario for the requests of open orders, and assigns the bank's bookings to the orders. `inward` returns the
 * shop's name of an order for the name that the bank has.
 */
export const rule =
  (orders: OpenOrders, inward: (clientOrderId: string) => string): Rule =>
  (request) => {
    const { amountMinor, currency, kind, orderId } = request
    const watched = orders.of({
      clientOrderId: inward(request.clientOrderId),
      numbers: [orderId],
      amountMinor,
      currency
    })
    // A recurring payment of an order that is closed ends, because its card is declined.
    if (watched === undefined)
      return recurringOf(request.clientOrderId) === undefined ? undefined : { verdict: decline }
    watched.learn(watched.bankNumbers, orderId)
    const decided = decide(watched, kind)
    const answer = answerOf(decided?.scenario)
    watched.tell("bank", `${kind} ${Money.fromMinor(amountMinor, currency)} ${currency}, order ${orderId}${answer}`)
    if (decided === undefined) return undefined
    // A forgery is met by its callback.
    if (decided.at.fault !== "forgedCallback") watched.meet(decided.at)
    return decided.scenario
  }
