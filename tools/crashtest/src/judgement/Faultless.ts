/** Judges the payments without a fault: a shop that sells nothing at all has books that agree, and shows nothing. */
import { Data } from "effect"
import type { Fault } from "../plan/Faults.ts"
import type { Action } from "../plan/Payment.ts"
import type { Account } from "./Compare.ts"

/** The shop cannot be tested: without any fault, it does not do what the template says. */
export class NothingHappens extends Data.TaggedError("NothingHappens")<{ readonly message: string }> {}

const missing: Readonly<Record<Action, string>> = {
  buy: "has no payment",
  refund: "has returned nothing",
  subscribe: "has no first payment",
  payout: "has sent no payout"
}

/** Whether the bank has what the action is for. */
const isBooked = ({ booked: { charges, payoutsMinor }, order }: Account): boolean => {
  switch (order.case.action) {
    case "buy":
    case "subscribe":
      return charges.length > 0
    case "refund":
      return charges.some(({ refundsMinor, releasedMinor }) => refundsMinor.length > 0 || releasedMinor > 0)
    case "payout":
      return payoutsMinor.length > 0
  }
}

/** The faults with which the bank declines whatever the shop tries. */
const declines: ReadonlySet<Fault> = new Set(["declined", "declinedLate", "forgedCallback"])

/** Whether the shop may still do by itself what it was asked for, although all books agree that nothing has happened. */
export const isExpected = (account: Account): boolean => {
  const { observation, order, refund } = account
  if (isBooked(account) || observation.met.some(({ fault }) => declines.has(fault))) return false
  return order.case.faults.length === 0 || refund?.answer === "open"
}

/** What the customer saw last, as a sentence. */
const lastWords = ({ observation: { timeline } }: Account): string => {
  const last = timeline.findLast(({ from }) => from === "customer")
  return last === undefined ? "" : ` The customer saw: ${last.text}.`
}

const isSilent = ({ observation: { requests } }: Account): boolean => requests.length === 0

const ofAction = (accounts: ReadonlyArray<Account>, action: Action): ReadonlyArray<string> => {
  const own = accounts.filter(({ order }) => order.case.action === action)
  const [first] = own
  if (first === undefined || own.some(isBooked)) return []
  const place = own.every(isSilent)
    ? `No request of the shop has reached the gateway. Does it take the address from PAY_BASE_URL, or from a name of its own: --env NAME={url}? Is "${action}" of the template right?`
    : `The shop has asked the gateway, and the bank ${missing[action]}. Look at "${action}" of the template, and at the shop.`
  return [`"${action}" without any fault: ${place}${lastWords(first)}`]
}

/** Returns why the shop cannot be tested. `undefined`: it can. */
export const problem = (accounts: ReadonlyArray<Account>): string | undefined => {
  const texts = (["buy", "refund", "subscribe", "payout"] as const).flatMap((action) => ofAction(accounts, action))
  return texts.length === 0 ? undefined : texts.join("\n")
}
