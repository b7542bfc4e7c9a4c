/** `docs/merchants/subscriptions.md`: how recurring payments behave, with their states as the table has them. */
import { declines } from "@pay/schema/Decline"
import * as Billing from "../src/recurring/decide/Billing.ts"
import * as BillingPlan from "../src/recurring/decide/BillingPlan.ts"
import * as SkipReason from "../src/recurring/decide/SkipReason.ts"
import * as SubscriptionLifecycle from "../src/recurring/decide/SubscriptionLifecycle.ts"

const dayMs = 86_400_000
const days = Billing.retryDelaysMs.map((delayMs) => delayMs / dayMs)
const retries = `${days.slice(0, -1).join(", ")} and ${days.at(-1)}`

const states = (): string =>
  Object.entries(SubscriptionLifecycle.states)
    .map(([state, { about, on }]) => {
      const moves = Object.entries(on).map(([event, target]) => `${event} → ${target}`)
      return `| \`${state}\` | ${about} | ${moves.join(", ") || "final"} |`
    })
    .join("\n")

const reasons = [
  [SkipReason.inState("paused"), "it was due during a pause"],
  [SkipReason.inState("suspended"), "it was due while the card could not be charged"],
  [SkipReason.beforePause, "it was late, and then you paused the recurring payment"],
  [SkipReason.missed, "the gateway had an outage; a later occurrence is charged"],
  [SkipReason.awaited, "the charge before it was `unknown` for long; a later occurrence is charged"],
  [SkipReason.switchedOff, "the endpoint took no payments; a later occurrence is charged when it does"],
  [SkipReason.over, "it could have been charged only after `finish-date`"],
  [
    SkipReason.mayBeCharged,
    "the gateway runs on a restored copy and does not know; if the bank has not charged it, charge it yourself"
  ],
  [declines.expiredCard.message, "the card had expired on that day, and you set another card before it was charged"]
]
  .map(([reason, when]) => `| ${reason} | ${when} |`)
  .join("\n")

export const page = (): string => `# Recurring payments

\`gateway/gateway/scripts/SubscriptionsPage.ts\` generates this page. The states come from
\`gateway/gateway/src/recurring/decide/SubscriptionLifecycle.ts\`.

## States

\`\`\`mermaid
${SubscriptionLifecycle.toMermaid()}\`\`\`

| state | meaning | transitions |
|---|---|---|
${states()}

## Create

\`create-recurring-payment\` creates an order under your \`client_orderid\`, and the recurring payment with it.

- **If it starts today** (no \`start-date\`, or today's date), the order is a sale: the first charge.
- **If it starts later**, the order is a verification of the card with amount zero. The first charge is made on the start date.
- \`status\`, callbacks and replays work for this order as for any other. You can also refund the sale.
- If the order is approved, the recurring payment is \`active\`. If it is declined, filtered or never sent, the recurring payment is
  \`failed\`, and nothing is ever charged.
- **A card number** is a payment by the cardholder. If the endpoint uses 3-D Secure, \`redirect_url\` is required, and \`status\`
  says where to send the browser.
- **A stored card** (\`cardrefid\`) is charged without the cardholder. The cardholder must have had an approved payment
  or verification with it.

## Charge days

Occurrence *n* is the first day plus *n* intervals, always counted from the first day: January 31st leads to February 28th or 29th, and
then to March 31st. A day begins at midnight in the endpoint's \`timeZone\` (a setting; UTC by default), also when clocks change. The
recurring payment keeps the time zone that was set when you created it.

The charge of occurrence *n* is always the same order. Its \`client_orderid\` is \`{recurring-payment-id}:{n}\`. You cannot use this form for
your own orders. A recurring payment waits either for a time or for the outcome of its charge, never for both. While an outcome is
\`unknown\`, nothing else is charged. It continues after a restart of the gateway.

After an outage or a long \`unknown\`, the gateway charges only the latest of the missed occurrences (more with the endpoint's setting
\`catchUpOccurrences\`). It skips the others, sends callbacks about them, and never charges them later. After the last day, \`finish-date\`,
it charges nothing, not even occurrences that were due before. If you move the sandbox's clock, it charges every occurrence in order.

A late occurrence is judged by the state on its own day. Before a pause, a resume or a new card takes effect, the gateway decides on the
occurrences that were due before:

- An occurrence that was due during a pause or a suspension is not charged.
- An occurrence that was due before a pause is not charged after the pause begins.
- An occurrence that was only missed, while its card was good, is charged with the new card.

These decisions and the change are one commit. If more than ${BillingPlan.mostSkipped} days were missed, earlier commits decide on ${BillingPlan.mostSkipped} days each.

## Declined charges

- The gateway retries the same order ${retries} days after its first attempt. It does not retry after the next occurrence is due, or after
  \`finish-date\`. So it never retries a daily payment.
- Between the attempts, \`status\` is \`processing\` with the \`error-code\` of the last attempt.
- After an outage, the gateway makes an overdue retry, unless the next occurrence is due by then.
- If no retry is left, the order is declined and the recurring payment is \`suspended\`. The same happens at once if the reason is the card
  (stolen, lost, closed, invalid, blocked; \`hard\` in [error-codes.md](error-codes.md)).
- If a card will have expired by the next occurrence, the gateway sends the callback \`card_expiring\`. After the expiry it charges nothing, and
  the recurring payment is \`suspended\`.
- If a rule of the endpoint (amount, velocity) stops a charge, that order ends \`filtered\`. The next occurrence is judged again.

## Change and charge

\`update-recurring-payment\` sets the values that you send. Sending it again changes nothing.

| you send | effect |
|---|---|
| \`change=pause\` | occurrences are skipped, also those that were due before and are not charged yet. A declined charge is not retried, even if you resume before its next retry: its order is declined, and nothing is suspended |
| \`change=resume\` | occurrences are charged from the next one on |
| \`change=cancel\` | nothing more is charged, and the card number is erased |
| \`amount\` with \`currency\` | applies from the next occurrence on, and to a late one that is charged afterwards. Retries of a declined charge keep the old amount |
| a card | applies from the next attempt on. A suspended recurring payment is \`active\` again, or \`paused\` if it was paused when its charge was declined. With a card number, the cardholder must have had an approved payment or verification with that card, unless the endpoint has no 3-D Secure |

\`process-recurring-payment\` charges the card now, as a separate order under your \`client_orderid\`. The schedule does not change, and a
decline suspends nothing. It is refused after \`finish-date\`, and unless the recurring payment is \`active\` or \`paused\`.

## Status and callbacks

\`status\` of any of its orders returns \`recurring-payment-id\`, \`recurring-payment-status\` (a state of the table above) and
\`next-charge-date\`. You can always ask with the \`client_orderid\` of its creation.

Each charge has the callback of an order, with \`recurring-payment-id\`. Other events come to the same addresses. Their callbacks have the
\`orderid\` and the \`client_orderid\` of the creation, \`type=recurring\`, and \`charge-date\`, the day of the occurrence:

| \`status\` | meaning |
|---|---|
| \`skipped\` | an occurrence was not charged; \`error_message\` gives the reason |
| \`suspended\` | nothing is charged until you set another card; \`error_code\` gives the reason |
| \`card_expiring\` | the card will have expired by \`charge-date\` |
| \`finished\` | the schedule is over |

The reasons of skipped occurrences:

| \`error_message\` | meaning |
|---|---|
${reasons}
`
