/** The faults of a case in words, and when they happened. */

import type { Finding } from "../judgement/Finding.ts"
import * as Faults from "../plan/Faults.ts"
import type { FaultAt, Moment } from "../plan/Payment.ts"

type Cause = Pick<Finding, "case" | "kind" | "requests" | "leak">

const requestAt = (moment: Moment, requests: ReadonlyArray<string>): string =>
  moment.of === "request" ? (requests[moment.index - 1] ?? `request ${moment.index}`) : "a request"

/** Returns a fault in a few words: `a lost answer to sale`. */
export const brief = ({ fault, moment }: FaultAt, requests: ReadonlyArray<string>): string =>
  Faults.faults[fault].brief.replace("{}", () => requestAt(moment, requests))

/** Returns the faults of a case in a few words: `a lost answer to sale, a late callback`; for a card number, its place. */
export const cause = ({ case: { faults, number }, kind, leak, requests }: Cause): string => {
  if (leak !== undefined) return `in ${leak.place}`
  if (kind === "crashed" && number === 0) return "ended by itself"
  return faults.length === 0 ? "no fault at all" : faults.map((each) => brief(each, requests)).join(", ")
}

/** Returns when a fault happened: `request 2 (status)`. */
export const when = (moment: Moment, requests: ReadonlyArray<string>): string => {
  if (moment.of === "whole") return "during the whole payment"
  const name = moment.of === "request" ? requests[moment.index - 1] : undefined
  return `${moment.of} ${moment.index}${name === undefined ? "" : ` (${name})`}`
}
