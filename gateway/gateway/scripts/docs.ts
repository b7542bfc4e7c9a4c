/** The gateway's tables as documents: order states, ledger, operations of operators. */
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import type * as LifecycleTable from "../src/kernel/LifecycleTable.ts"
import * as Lifecycle from "../src/orders/record/Lifecycle.ts"
import * as PayoutLifecycle from "../src/orders/record/PayoutLifecycle.ts"
import * as ThreeDSStages from "../src/threeds/decide/ThreeDSStages.ts"
import * as OperatorPage from "./OperatorPage.ts"
import * as SubscriptionsPage from "./SubscriptionsPage.ts"

const states = (table: LifecycleTable.Table<string, string>): string =>
  Object.entries(table)
    .map(([state, { callback, on, wire }]) => {
      const moves = Object.entries(on).map(([event, target]) => `${event} → ${target}`)
      return `| ${state} | \`${wire}\` | ${callback ? "yes" : "no"} | ${moves.join(", ") || "final"} |`
    })
    .join("\n")

const lifecycle = (): string => `# States of a card order

This page is generated from \`gateway/gateway/src/orders/record/Lifecycle.ts\`. Partial captures and returns do not change the state.
The order stays \`authorized\` or \`settled\`, and only its amounts change. \`lose\`: the bank's answer is lost. \`lapse\`: the hold is
not captured in time. \`retry\`: another attempt on a hosted page. \`abandon\`: the customer cancels the page or is too late.

\`\`\`mermaid
${Lifecycle.toMermaid()}\`\`\`

| state | \`status\` on the wire | callback when reached | transitions |
|---|---|---|---|
${states(Lifecycle.cards)}
`

const payoutLifecycle = (): string => `# States of a payout

This page is generated from \`gateway/gateway/src/orders/record/PayoutLifecycle.ts\`. [Payouts in detail](payout-rules.md) explains each step. The
amount is held in the states \`${[...PayoutLifecycle.holding].join("`, `")}\`.
\`lose\`: the rail's answer is lost. \`lapse\`: it was not paid or approved in time. \`bounce\`: the rail returns a paid payout. \`retry\` and
\`abandon\`: the recipient corrects the input of the page, or cancels it.

\`\`\`mermaid
${PayoutLifecycle.toMermaid()}\`\`\`

| state | \`status\` on the wire | callback when reached | transitions |
|---|---|---|---|
${states(PayoutLifecycle.table)}
`

const meanings: Readonly<Record<string, string>> = {
  hold: "The bank holds the amount on the card.",
  sale: "A sale is charged at once, without a hold.",
  capture: "A hold, or a part of it, is captured.",
  void: "The rest of a hold is released: by a void, or because it lapses.",
  refund: "A captured amount goes back to the card.",
  saleReturn: "A sale failed at the bank after its approval.",
  captureReturn: "A capture failed at the bank after its approval: the amount is on hold again.",
  refundReturn: "A refund failed at the bank after its approval.",
  chargeback: "The bank takes disputed money back for the cardholder.",
  chargebackReturn: "The merchant has won a dispute, and gets the money back.",
  transfer: "The acquirer moves money from card to card.",
  fund: "An operator makes an amount payable.",
  payoutHold: "A payout's order is created.",
  payoutRelease: "A payout was not paid: its amount is payable again.",
  payout: "The rail has paid a payout.",
  payoutReturn: "The rail returns a payout that it had paid."
} satisfies Readonly<Record<LedgerTable.Cause, string>>

const causes = (): string =>
  Object.entries(LedgerTable.table)
    .map(([cause, lines]) => {
      const moves = lines.map(({ from, to }) => `\`${from}\` → \`${to}\``)
      return `| \`${cause}\` | ${meanings[cause]} | ${moves.join("<br>")} |`
    })
    .join("\n")

const ledger = (): string => `# The ledger

This page is generated from \`gateway/gateway/src/kernel/LedgerTable.ts\`. There is one set of accounts for each merchant, endpoint
and currency. Each movement takes its amount from one account and adds it to another, so every movement sums to zero. Entries are
never changed or removed, and a balance is the sum of its entries.

A positive \`merchant_settlement\` is money that is owed to the merchant; a refund or a chargeback can make it negative. \`acquirer_receivable\`,
\`authorised_contra\` and \`operator_funding\` have the opposite sign.

| cause | what happens | from → to |
|---|---|---|
${causes()}
`

const threeds = (): string => `# Stages of a 3-D Secure authentication

This page is generated from \`gateway/gateway/src/threeds/decide/ThreeDSStages.ts\`. The browser takes part in \`method\`, \`challenge\` and
\`pareq\`. Each of these stages has a deadline. Data from the browser ends a stage, but is never the result. The result comes from the
issuer's report, or from a PaRes with the issuer's signature. \`absent\` and \`givenUp\`: the report has not come yet, or not in time.
After \`done\`, the gateway sends the payment to the bank, or declines it.

\`\`\`mermaid
${ThreeDSStages.toMermaid()}\`\`\`

## Merchant mode

On an endpoint with \`threeds: "merchant"\`, your shop controls the browser:

1. Ask \`status\` until it has \`threeds-stage\`.
2. Do what the table below says.
3. Upload the result to [\`/api/3ds/v1/…\`](operations.md#upload-method-url-result).
4. Ask \`status\` again.

The issuer sends the browser back to the order's \`redirect_url\`, which is required. The gateway acknowledges an upload at once. The
next \`status\` shows its effect.

| \`threeds-stage\` | other fields | what the browser does | what you upload |
|---|---|---|---|
| \`method\` | \`threeds-method-url\`, \`threeds-method-data\` | posts \`threeDSMethodData\` to that address in a hidden frame, or shows \`html\` there | \`upload-method-url-result\`: \`threeDSCompInd\` \`Y\`, or after 10 seconds \`N\` |
| \`method\` | no \`threeds-method-url\` | gives its data: language, screen, time zone, headers | the same operation within 30 seconds: \`threeDSCompInd\` \`U\`, with the \`browser…\` fields |
| \`challenge\` | \`acs-url\`, \`creq\` | posts \`creq\` to that address, or shows \`html\` | \`upload-cres-result\`: \`cRes\` as \`redirect_url\` received it |
| \`pareq\` | \`acs-url\`, \`pareq\`, \`md\` | posts them as \`PaReq\` and \`MD\`, with \`redirect_url\` as \`TermUrl\`, to that address, or shows \`html\` | \`upload-pares-result\`: \`paRes\` and \`md\` as \`redirect_url\` received them |

\`threeDSServerTransID\` of an upload is the value of \`threeds-server-trans-id\`. The second row does not apply if the payment has all
\`customer_browser_*\` fields. If there was a method URL, the gateway treats an upload of \`U\` as \`N\`.

\`@pay/flows\` does all of this ([the customer's browser](flows.md#the-customers-browser)).
`

export default () =>
  Promise.resolve({
    "docs/merchants/lifecycle.md": lifecycle(),
    "docs/merchants/payout-lifecycle.md": payoutLifecycle(),
    "docs/operators/ledger.md": ledger(),
    "docs/merchants/threeds.md": threeds(),
    ...OperatorPage.pages(),
    "docs/merchants/subscriptions.md": SubscriptionsPage.page()
  })
