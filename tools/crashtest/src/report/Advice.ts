/** How shops with a finding are mended: in general, and with `@pay/client`. */

import type { Finding, Kind } from "../judgement/Finding.ts"
import type * as AdviceCode from "./AdviceCode.ts"
import * as FaultAdvice from "./FaultAdvice.ts"

export interface Advice {
  /** What a shop in any language does. */
  readonly general: string
  /** The calls of `@pay/client` that do it. */
  readonly ours: string
  /** The program that shows these calls. */
  readonly code: AdviceCode.Name
}

const resolves =
  "After a lost answer, a time-out, a 5xx or a page in HTML the outcome is unknown: ask `status` by `client_orderid` before a second attempt, and never call it a failure."

const byKind: Readonly<Record<Kind, Advice>> = {
  chargedTwice: {
    general: `Store the order with a \`client_orderid\` before the first request, and use the same one in every attempt: after an error, after a restart, and when the customer presses the button again. ${resolves}`,
    ours: "One `clientOrderId` is charged once, however often `pay.cardSale` is called with it. Store the order with its `clientOrderId` first, and call again with the same values while `error.retryable` is true. `Durable.open` of `@pay/client/durable` also continues after the shop was killed.",
    code: "charge"
  },
  chargedNotTold: {
    general:
      "An order whose outcome is not known is open, neither paid nor failed. Keep it open, and ask `status` at growing intervals until the answer is final: from a job that looks for open orders at the start of the shop and every few minutes, not from the customer's request. Neither the callback nor the customer's return is certain to come.",
    ours: "`StillUnknown` says that the order is open: call `pay.cardSale` with the same values again, or ask `pay.status(clientOrderId)`, until the result is `ok` or its error is not `retryable`. A client of `@pay/client/durable` continues its flows by itself after a restart; `pay.waiting()` lists them.",
    code: "durable"
  },
  toldNotCharged: {
    general:
      "An order is paid only if an answer to your own `status` request says `approved` for this `client_orderid`, amount and currency. Status 200, an accepted request, `processing`, the customer's return and the words of a callback do not say it.",
    ours: "`sale.ok` is true only for an approved order with the right amount and currency. Where callbacks arrive, call `pay.callbacks.verify`, then `pay.status`, and store what that answers.",
    code: "callback"
  },
  notShipped: {
    general:
      "Store the order before the first request. Write `paid` and `to be shipped` in one transaction, wherever the outcome comes from: the answer, the callback or the job that asks `status`. Ship from these rows in a job that repeats, and acknowledge a callback with 200 only after the commit.",
    ours: "Store what `pay.cardSale` returns and what `pay.status` answers in one function, which also marks the order for shipping. `pay.callbacks.verify` wakes the call that waits for the order, and without a callback the call asks at growing intervals.",
    code: "callback"
  },
  shippedUnpaid: {
    general:
      "Ship only orders that are stored as paid, and store that only after `status` has said `approved` with the amount and the currency of the order. A shipment is not started by a callback or by a page that the customer opens.",
    ours: "Ship after `sale.ok`, or after `pay.status` has returned an approved order. `StillUnknown` and `NeedsAPerson` ship nothing.",
    code: "callback"
  },
  wrongAmount: {
    general:
      "Send the amount that was stored with the order, in every attempt, and compare amount and currency of the final `status` with it. The browser and the callback are no source of amounts.",
    ours: "Each flow compares the amount and the currency that were approved with those that were asked for, and returns `NeedsAPerson` if they differ.",
    code: "charge"
  },
  refundedTwice: {
    general:
      "Give each refund a name, and store it before the first request. Send the name as `Idempotency-Key` in every attempt; where a gateway does not know this header, ask `status` how much is refunded before you send a second request. Let only one refund of an order be open at a time.",
    ours: "`pay.refund(order, { name, amount })` refunds once for each `name`. Store the name, and call again with it while `error.retryable` is true.",
    code: "refund"
  },
  refundLost: {
    general:
      "Store that a refund is wanted before the first request, and repeat it until `status` shows it. An error 500 or a lost answer is no refusal, and an accepted refund can still fail at the bank.",
    ours: "`pay.refund` returns `ok` only when the order shows the refund. After an error that is `retryable`, call it again with the same `name`, also after a restart: a job that looks for refunds without an outcome is enough.",
    code: "refund"
  },
  paidOutTwice: {
    general: `Store the payout with a \`client_orderid\` before the first request, and use the same one in every attempt. ${resolves}`,
    ours: "One `clientOrderId` is paid out once, however often `pay.payOut` is called with it.",
    code: "payout"
  },
  payoutLost: {
    general:
      "Store that a payout is wanted before the first request, and ask `status` until it is final. If the gateway has no such order, send the request again under the same `client_orderid`.",
    ours: "After `StillUnknown`, call `pay.payOut` again with the same values: it finds out what happened, and sends the request again only if the gateway does not have it.",
    code: "payout"
  },
  stuck: {
    general:
      "Every open order needs a next step that depends on no message, no customer and no process: a job that asks `status` of all orders that are not final, at the start and every few minutes. If the gateway has no such order, it sends the request again under the same `client_orderid`, or closes the order.",
    ours: "`pay.cardSale` ends in every case: with a result, or with `StillUnknown` after its time, which you store as open and call again. With `@pay/client/durable` the flow continues until the order is final, also in the next process.",
    code: "durable"
  },
  forgedBelieved: {
    general:
      "Compute the signature of each callback from its own parameters with your control key, compare it in constant time, and answer 403 if it differs. Then ask `status`, and believe only that: even a genuine callback can be old.",
    ours: "`pay.callbacks.verify` throws `CallbackRefusedError` if the signature is wrong or the callback is too old. `pay.status` then says what is true.",
    code: "callback"
  },
  cardInLog: {
    general:
      "Log neither bodies nor addresses of requests that carry cards, also at level debug, in error reports and in the log of the web server. Store neither the security code nor the number. The safest shop never receives a card: the customer enters it on the gateway's page.",
    ours: "`pay.hosted.sale` lets the customer enter the card on the gateway's page. No error, event or `evidence` of the client contains a card number, a security code or a key.",
    code: "hosted"
  },
  crashed: {
    general:
      "An answer may be empty, cut, in HTML or another customer's: read it where an error is caught, and treat it as an unknown outcome. A supervisor starts the shop again if it ends, and its start continues the open orders.",
    ours: "No call of the client throws for an answer of the gateway: each returns a result with `ok` or `error.code`.",
    code: "charge"
  }
}

/** Returns the advice for a kind. */
export const of = (kind: Kind): Advice => byKind[kind]

/** Returns the advice for a finding, which begins with what its faults have in particular. */
export const about = ({ case: { faults }, kind }: Pick<Finding, "case" | "kind">): Advice => {
  const own = faults.flatMap(({ fault }) => FaultAdvice.of(kind, fault) ?? [])
  const advice = byKind[kind]
  return { ...advice, general: [...new Set(own), advice.general].join(" ") }
}
