import type { Parts } from "../LeftForTestAll.ts"

/** What `npm test` leaves to `npm run test:all` here. */
export const left: Parts = [
  // Pages in a browser, 85 s of two at a time. Each page stays in one state or way.
  "the sample shop > captures two parts, voids the rest and refunds a part",
  "the sample shop > sells a subscription to a new customer",
  "the sample shop > checks a supplier's account",
  "the sample shop > opens an order of the back office in a fresh browser",
  "the sample shop > updates the order's page while the customer pays in another window",
  "the sample shop > keeps the customer's cookie and orders",
  "the sample shop > sells without JavaScript",
  ...[
    ...["verification", "verified", "expired", "unknown", "refused", "not-paid-out"],
    ...["paid-out", "received", "destination"]
  ].map((page) => `in three languages > ${page}`),
  "a customer of a merchant's web server > reaches the order's page after a password",
  "a customer of a merchant's web server > reaches the order's page after the hidden method page alone",
  "a customer of a merchant's web server > reaches the order's page after no action",
  "a customer of a merchant's web server > pays without JavaScript",
  "a customer of a merchant's web server > leaves the challenge",
  "3-D Secure in a browser > charges nothing after three wrong passwords in version 1.0.2",
  "3-D Secure in a browser > charges nothing after a challenge that the customer cancels",
  "3-D Secure in a browser > approves the payment after a password at the issuer",
  "3-D Secure in a browser > approves the payment after no action",
  "3-D Secure in a browser > approves the payment after the hidden method page alone",
  "a customer on a hosted form > pays and returns to the shop without JavaScript",
  "a customer on a hosted form > returns to the shop without pressing a button",
  "a customer on a hosted form > is not asked to pay again after the bank's answer was lost",
  "a hosted form in a browser > account-verification-form: ",
  "a hosted form in a browser > sale-form: declines the order after three declined cards",
  // Fields of cards in every spelling and way, 18 s. Months, digits that are typed, and the cursor stay.
  "the card page > keeps each digit of a number once",
  "shows dates, numbers and codes in one form",
  // Sessions, addresses of shops, and 3-D Secure after the hidden page, once more, 20 s.
  "a shop's address with a query or a fragment > is opened as it was given",
  "keeps its customer's session when they return from the gateway's page and the issuer",
  "3-D Secure in a browser > approves the payment after the hidden method page and a password",
  // Further states of pages that are looked at, 40 s. A form, one with mistakes, the challenge and a page of an error stay.
  ...["declined", "waiting", "approved", "cancelled", "the redirect to the issuer"].map(
    (page) => `a hosted page is accessible and fits each screen, in three languages > ${page}`
  ),
  "an error page is accessible and fits each screen, in three languages: a gateway without its store",
  "an error page is accessible and fits each screen, in three languages > too many requests",
  "finds an accessible page at an unknown address, on each screen",
  "answers an unknown address with an accessible page",
  // Ways through the history, ends of sessions and refusals of issuers once more, 60 s. Of each kind, one stays.
  "back, forward and reload > a card form that was stopped before an answer",
  "back, forward and reload > a recipient's page shows what became of the payout",
  "a customer on a hosted form > goes back in the history to the outcome",
  "a customer on a hosted form > pays once after a reload of the page",
  "a customer on a hosted form > sends no card to the bank after the session",
  "3-D Secure in a browser > declines the order",
  "3-D Secure in a browser > approves the payment after a password in version 1.0.2",
  "3-D Secure in a browser > continues after ten seconds",
  "the sample shop > reports a declined card",
  "the card page > pays with a card that is set without events",
  "the card page > pays with a card that is imitated",
  "the card page > goes on with 3-D Secure for a screen of 30 bits",
  // Further states and ways once more, 75 s. A mistake in a form, a page of an error and a way back stay.
  "a hosted page is accessible and fits each screen, in three languages > card",
  "a hosted page is accessible and fits each screen, in three languages > the sandbox issuer's challenge",
  "the sample shop > reports each mistake beside its field",
  "the sample shop > sells a gift card of the amount that the customer types",
  "the card page > reads each spelling of March 2030",
  "back, forward and reload > a card form that is shown again from the page cache",
  "a shop with a session > gets its customer back from another site",
  "3-D Secure in a browser > lets the customer go back from the issuer",
  "the card form in a browser > keeps the cursor where the customer edits",
  "the console in a browser > renews Now by itself",
  "the report of a crash test fits a telephone",
  "a page of the sandbox gateway > shows the brand of its endpoint",
  "a page of the sandbox gateway > at the gateway's address says what it is"
]
