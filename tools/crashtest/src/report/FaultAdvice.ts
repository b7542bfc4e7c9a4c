/** What shops overlook at single faults, where it differs from the advice for the kind of finding. */

import type { Kind } from "../judgement/Finding.ts"
import type { Fault } from "../plan/Faults.ts"

type ByFault = Readonly<Partial<Record<Fault, string>>>

const restart =
  "The process that knew of the attempt is gone. What the next one must know has to be on the disk before the request leaves."
const browser =
  "The outcome of a payment must not depend on a browser: the customer can close it, reload it, or lose the network."
const twoPresses =
  "Two presses of one button are one order: a unique key in the database lets the second request join the first."
const late =
  "The bank's answer came hours after the payment. A job that stops to ask after some minutes never learns it."
const anotherAnswer =
  "Compare the order numbers in an answer with those of your order. An answer that names another order says nothing about yours."
const order =
  "Callbacks come in any order, and old ones come again: a callback is a reason to ask `status`, never the outcome."
const callback = "Callbacks can be lost, and so can their repetitions: a job has to ask `status` without them, too."
const acknowledged =
  "A callback that is acknowledged never comes again. Answer 200 only after its effect is committed, and let a second delivery change nothing."

const killed: ByFault = { killedBefore: restart, killedWaiting: restart, killedAfter: restart }
const returns: ByFault = { neverReturns: browser, returnsWithoutResult: browser }
const repeats: ByFault = {
  buysTwice: twoPresses,
  returnsTwice:
    "The page to which the customer returns may be opened twice, also at once: it shows the order, and sends nothing."
}
const callbacks: ByFault = { lostCallback: callback, lateCallback: callback, killedByCallback: acknowledged }

const charges: ByFault = { ...killed, ...repeats, otherAnswer: anotherAnswer }
const outcomes: ByFault = {
  ...killed,
  ...returns,
  ...callbacks,
  approvedLate: late,
  declinedLate: late,
  otherAnswer: anotherAnswer
}
const believed: ByFault = {
  disorderedCallback: order,
  earlyCallback: order,
  otherAnswer: anotherAnswer,
  declinedLate: "The bank had not decided yet when the shop called the order paid.",
  returnsWithoutResult: "The customer's return says nothing: anybody can open its address."
}

const byKind: Readonly<Partial<Record<Kind, ByFault>>> = {
  chargedTwice: charges,
  refundedTwice: charges,
  paidOutTwice: charges,
  chargedNotTold: outcomes,
  refundLost: outcomes,
  payoutLost: outcomes,
  stuck: outcomes,
  notShipped: {
    ...outcomes,
    repeatedCallback: acknowledged,
    earlyCallback:
      "The callback came before the shop had stored the order. A receiver that does not know the order must not answer 200, and code that stores the order later must not overwrite its status."
  },
  toldNotCharged: believed,
  shippedUnpaid: believed,
  wrongAmount: { otherAnswer: anotherAnswer }
}

/** Returns what differs from the advice for the kind, if anything does. */
export const of = (kind: Kind, fault: Fault): string | undefined => byKind[kind]?.[fault]
