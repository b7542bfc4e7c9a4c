/** The gateway's own tables as documents: life of an order, books, operations served. */

import { served } from "../src/http/Handlers.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import type * as LifecycleTable from "../src/kernel/LifecycleTable.ts"
import * as Lifecycle from "../src/orders/Lifecycle.ts"
import * as PayoutLifecycle from "../src/orders/PayoutLifecycle.ts"
import * as ThreeDSStages from "../src/threeds/ThreeDSStages.ts"
import * as OperatorPage from "./OperatorPage.ts"
import * as SubscriptionsPage from "./SubscriptionsPage.ts"

const states = (table: LifecycleTable.Table<string, string>): string =>
  Object.entries(table)
    .map(([state, { callback, on, wire }]) => {
      const moves = Object.entries(on).map(([event, target]) => `${event} → ${target}`)
      return `| ${state} | \`${wire}\` | ${callback ? "yes" : "no"} | ${moves.join(", ") || "final"} |`
    })
    .join("\n")

const lifecycle = (): string => `# The life of a card order

Generated from \`packages/gateway/src/orders/Lifecycle.ts\`. Partial captures and returns are amounts, not states: an
order stays \`authorized\` or \`settled\` while they happen.

\`\`\`mermaid
${Lifecycle.toMermaid()}\`\`\`

| state | \`status\` on the wire | callback on arrival | moves |
|---|---|---|---|
${states(Lifecycle.cards)}
`

const payoutLifecycle = (): string => `# The life of a payout

Generated from \`packages/gateway/src/orders/PayoutLifecycle.ts\`; what each step means is told in
[payouts.md](payouts.md). The amount is set aside from \`checking\` to \`uncertain\`.

\`\`\`mermaid
${PayoutLifecycle.toMermaid()}\`\`\`

| state | \`status\` on the wire | callback on arrival | moves |
|---|---|---|---|
${states(PayoutLifecycle.table)}
`

const causes = (): string =>
  Object.entries(LedgerTable.table)
    .map(([cause, lines]) => `| ${cause} | ${lines.map(({ from, to }) => `\`${from}\` → \`${to}\``).join("<br>")} |`)
    .join("\n")

const ledger = (): string => `# The books

Generated from \`packages/gateway/src/kernel/LedgerTable.ts\`. Accounts stand per merchant, endpoint and currency. Each
movement takes its amount from one account and puts it into another, so that every movement sums to zero; entries are only
ever added, and balances are their sums. A positive \`merchant_settlement\` is money owed to the merchant; accounts of the
outside world mirror it with the other sign. A refund may drive \`merchant_settlement\` negative, which is shown.

| cause | moves the amount |
|---|---|
${causes()}
`

const threeds = (): string => `# The way of an authentication

Generated from \`packages/gateway/src/threeds/ThreeDSStages.ts\`. The browser's stages are \`method\`, \`challenge\` and
\`pareq\`; each has a deadline. What passes the browser only says that a stage has ended: the verdict is the issuer's report
or a PaRes that the issuer has signed. \`done\` leads to the bank, or declines.

\`\`\`mermaid
${ThreeDSStages.toMermaid()}\`\`\`

## Where the merchant runs it

An endpoint with \`threeds: "merchant"\` leaves the browser to the merchant. Ask \`status\` until \`threeds-stage\` says what to do, do
it, upload the result to [\`/api/3ds/v1/…\`](operations.md#upload-method-url-result), and ask again. The issuer sends the browser
back to the order's \`redirect_url\`, which has to be given. An upload is acknowledged at once; its effect is in the next \`status\`.

| \`threeds-stage\` | with it comes | the browser | then upload |
|---|---|---|---|
| \`method\` | \`threeds-method-url\`, \`threeds-method-data\` | posts \`threeDSMethodData\` to that address in a hidden frame, or shows \`html\` there | \`upload-method-url-result\`: \`threeDSCompInd\` \`Y\`, or after 10 seconds \`N\` |
| \`method\` | no \`threeds-method-url\` | tells about itself: language, screen, time zone, headers | the same within 30 seconds: \`threeDSCompInd\` \`U\`, with the \`browser…\` fields |
| \`challenge\` | \`acs-url\`, \`creq\` | posts \`creq\` to that address, or shows \`html\` | \`upload-cres-result\`: \`cRes\` as it came to \`redirect_url\` |
| \`pareq\` | \`acs-url\`, \`pareq\`, \`md\` | posts them as \`PaReq\` and \`MD\`, with \`redirect_url\` as \`TermUrl\`, to that address, or shows \`html\` | \`upload-pares-result\`: \`paRes\` and \`md\` as they came |

\`threeDSServerTransID\` of an upload is \`threeds-server-trans-id\`. The second row does not come where the payment already has all
\`customer_browser_*\` fields. The gateway knows whether there was a method URL: an upload of \`U\` where there was one counts as \`N\`.
\`@pay/flows\` does all of this ([the customer's browser](flows.md#the-customers-browser)).
`

export default () =>
  Promise.resolve({
    "docs/lifecycle.md": lifecycle(),
    "docs/payout-lifecycle.md": payoutLifecycle(),
    "docs/ledger.md": ledger(),
    "docs/threeds.md": threeds(),
    ...OperatorPage.pages(),
    "docs/subscriptions.md": SubscriptionsPage.page(),
    "docs/served.json": `${JSON.stringify(served, null, 2)}\n`
  })
