/**
 * The tests that `npm test` leaves to `npm run test:all`, by a part of their full names: the names of their groups and their title,
 * with `>` between them. Each promise of a failure, a page or a combination has a test that `npm test` runs; what is listed here
 * repeats it with another failure, page or store, or takes long. The times are seconds of one test file on two quiet cores.
 */
export const parts: ReadonlyArray<string> = [
  // Every library with another version of Effect, 15 s.
  "with the oldest effect of the peer range > each exported module",
  // Mistakes with signatures that are searched for last, 40 s. One of each kind stays.
  "pay explain of a request with one of the further mistakes > ",
  "pay explain of a request with two mistakes or an unlikely one > ",
  // Crash tests of example shops, 170 s of waiting. Those in JavaScript and in PHP with requests signed by hand stay, and of the sample
  // shop one with few kinds of failures.
  "the crash test of a further careful example > ",
  // The examples' patience with sales that may still arrive, 7 s of waiting. The crash tests of the examples stay.
  "a sale that may still arrive > ",
  // Further ends of a crash test whose shop runs, 6 s. SIGINT and SIGKILL stay.
  ...["SIGTERM", "SIGHUP", "SIGKILL of one", "defect", "exit", "throw"].map(
    (how) => `nothing remains of a shop when the crash test ends by > ${how}`
  ),
  // Planted faults, and their shop without them, 90 s of waiting. The careful and the careless examples stay, and shops with habits.
  "a shop with a planted fault > is found out: acknowledgesBeforeWriting",
  "a shop with a planted fault > is found out: neverUnlocks",
  "a shop with a planted fault > is not found out without its fault",
  "a shop with a planted fault > is found out: paidAfterThreePolls",
  "a shop with a planted fault > is found out: believesAnotherOrdersStatus",
  // A subscription and a payout with a planted fault, 14 s of waiting. `Compare.test.ts` has all rows of both.
  "a shop on @pay/client with a planted fault > is found out: ",
  // Shops with habits of their own, 180 s of waiting. Some careless ones with quick findings stay, and `Compare.test.ts` has all rows.
  "a careful shop with another habit > has no finding: ",
  "a careful shop with another habit > has no finding where its client repeats",
  ...[
    ...["endsAtHtml", "failsToContinue", "newNumberAfterKill", "dropsUnknownCallback", "waitsForCallbacks"],
    ...["firstStatusIsFinal", "writesRefundedFirst", "refundsAgainWithNewName", "refundsAllAgain", "tellsClerkFailed"],
    ...["repeatsByItself", "lastCallbackWins", "refundsWholeForPart", "failsAfterLostAnswer"]
  ].map((habit) => `a shop with the mistake of a public report > is found out: ${habit}`),
  ...["capturesOnce", "forgetsSecondHalf", "givesUpAfterASecond", "cancelsWithoutLooking"].map(
    (habit) => `a shop with a mistake that no list has > is found out: ${habit}`
  ),
  // Card numbers in texts of a bank's adapter, 10 s: a decline and a defect stay. Receivers of telemetry, 7 s: a silent one stays.
  ...["a lost answer", "a foreign error", "an unknown tag", "a wrong part"].map(
    (what) => `a card number is nowhere after ${what}`
  ),
  "telemetry > delays no sale and is one line while its receiver fails: ",
  // Ways to one file with two to four processes each, 9 s.
  "opens the file after kill -9 > by a relative path",
  "opens the file after kill -9 > by its name while it has a hard link",
  "opens the file after kill -9 > after its lock file and its pid file were deleted",
  "opens the file after kill -9 > through a file that is mounted a second time",
  "opens the file after kill -9 > through a folder that is mounted a second time",
  "opens the file after kill -9 > in another container, through",
  "opens the file after kill -9 > in another container, after its lock file was deleted",
  // Trips of three suppliers whose process is killed at each step, in 50 runs each, 60 s on a file and 120 s on a cluster. The same trips
  // killed at random stay, on a cluster one that is declined.
  ...["file", "cluster"].map((on) => `a trip of three suppliers on a ${on} engine > killed at each step: `),
  ...["one is declined and answers", "the answers"].map(
    (cause) => `on a cluster engine > killed again and again: releases the others if ${cause}`
  ),
  "killed again and again: captures each amount once",
  "killed again and again: goes on if the gateway is killed, too",
  // Files of durable flows with two to four processes each, 12 s. `packages/sqlite` tests the ways to a file that is open.
  "is refused to a second process: through a hard link",
  "is refused to a second process: after it was renamed",
  "ask first: in its place",
  "ask first: with its own witness",
  "ask first: without a witness",
  "is continued after exit, and where it was renamed",
  // Several gateways as processes on PostgreSQL, 57 s. The test in which one of them is killed stays.
  "three gateways on one database > complete the authorization of one that is paused",
  "three gateways on one database > answer every request while they are restarted",
  "three gateways on one database > lose no acknowledged order",
  "three gateways on one database > charge each of many recurring payments",
  "three gateways on one database > serve payments while one of them has lost the database",
  // A first contact that is stopped everywhere, in further dialects, 10 s.
  "wherever it is stopped: the older dialect",
  "wherever it is stopped: plain JSON",
  "concludes nothing from a gateway that soon answers everything with resets",
  // The conformance suite once more, in the older dialect, on PostgreSQL and with defects, 48 s.
  "the conformance suite > runs in the older dialect, and is passed",
  "the conformance suite > detects the gateway's properties also while it answers 429",
  "the sandbox gateway on PostgreSQL > passes the conformance suite",
  "a planted defect > is found: a wrong control is accepted",
  "a planted defect > is found: an issuer's refusal is treated as an authentication",
  // Failures of PostgreSQL, 66 s. Of each kind, one stays: a killed server, a lost primary, a cut connection, a full disk.
  "with a synchronous standby > acknowledge nothing while the standby is down",
  "with a synchronous standby > acknowledge no commit whose wait",
  "with a synchronous standby > refuse a promoted standby",
  "with a synchronous standby > is not ready while the standby or the primary is down",
  "a store > is not opened without a server, with a wrong password",
  "a store > is created once by ten processes that start at once",
  "a store > continues after a change of its password",
  "a store > waits longer than the statement timeout",
  "a store without a free connection refuses commits",
  "a store > refuses a commit that waits too long for a lock",
  "recover by themselves > when the server is paused",
  "recover by themselves > when the server restarts",
  "a store whose connection is cut > repeats a delayed commit",
  "a store whose connection is cut > has each acknowledged sale once after repeated cuts",
  "later requests 503), and repeated makes one order, charged once: cut after execution",
  "a short-lived key is shared by all processes, and destroyed in every file",
  "the table of short-lived keys is empty after a crash",
  "a PostgreSQL server of a test > ",
  "a proxy in front of PostgreSQL > ",
  "a store on a server with German messages > splits a batch",
  "64 requests for one row at two gateways (PostgreSQL)",
  "stores behind pgbouncer with too few connections > keep",
  // Each setting of a database alone, 20 s. All of them at once stay.
  "a role or a database changes nothing of a store > with only",
  ...["LATIN2", "WIN1251", "EUC_JP"].map((encoding) => `a database > of the encoding ${encoding}`),
  "a store on PostgreSQL keeps each acknowledged sale > when the role",
  "a store on PostgreSQL keeps each acknowledged sale > when the database",
  // Several gateways on one PostgreSQL, 11 s. The same tests run on a store in memory.
  "requests at several gateways at the same time (PostgreSQL)",
  "requests at any gateway of several (PostgreSQL)",
  "three gateways that start and stop (PostgreSQL)",
  // The contract of the store and the plans of its statements in further settings of PostgreSQL, 25 s.
  "the store's contract on PostgreSQL, with calls alternating between two processes",
  "the store's contract on PostgreSQL behind pgbouncer",
  "no statement of a gateway on PostgreSQL reads a whole table",
  // Moves of a store that are killed in another stage, 6 s.
  "a store > continues a move to PostgreSQL that was killed while finishing",
  "a store > continues a move to PostgreSQL that was killed while indexing",
  "a store > continues a move to PostgreSQL that was killed while marking",
  // Durable flows on runners over PostgreSQL, 12 s. `packages/flows` tests runners in one process.
  "a merchant's flows on two runners over PostgreSQL",
  // Their races, in 50 rounds each, and the takeover of a turn and of an attempt, 70 s. `packages/flows` races on a runner.
  "two runners over PostgreSQL that race",
  // Two thirds of all pairs of a flow and a fault, and flows whose process is killed or whose customer leaves, 45 s. Flows of each
  // kind stay.
  ", as the others: ",
  // Flows on a file at gateways that do only what the specification says, 25 s. In memory all stay.
  "flows on a file at a gateway",
  // Each flow with each fault of one process on a file, 25 s. Flows of each kind stay.
  "on a file, as the others",
  // Each flow with each fault of one process on a cluster, 90 s: a customer who leaves is waited for in many steps. A capture stays.
  "on a cluster, as the others",
  "the flow CardSale > on a cluster",
  "the flow CardSale, 3DS merchant > on a cluster",
  "the flow PayOut > on a cluster",
  // Flows with each fault of one process on a file, 6 s. Two sales stay.
  "the flow Capture, a part > on a file",
  "the flow PayOut > on a file",
  // Operators' calls on the cluster, 15 s, most of it waiting. Identities and attempts stay there, and these calls on memory and file.
  "operations on the engine of cluster > ",
  // A customer who waits for a next page over two processes, 10 s. The shops that are killed 200 times have such customers.
  "a durable client > shows the customer's browser its next page also in the next process",
  // Many signals around suspensions on each engine, 60 s. Those of 20 flows stay.
  "wakes each of 200 flows whose signal arrives around their suspension",
  // Three gateways that start and stop, from 17 further seeds, 5 s.
  ...Array.from({ length: 17 }, (_, index) => `(memory) > seed ${index + 4}: every acknowledged order ends once`),
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
  // Further examples as programs of their own, and types as Node resolves them, 18 s. The types as bundlers resolve them stay.
  ...["payoutInTwoSteps", "subscriptionTimeTravel", "saleThatSurvives"].map(
    (name) => `examples/${name}.ts runs to its end`
  ),
  "compile in another project, resolved as by Node",
  // Faults of disks and files in further ways, 45 s. Power cuts with torn writes and a damaged database stay.
  "a simulated world on a recorded disk > ",
  "durable flows of a simulated world on a recorded disk > ",
  "or reports why it is not opened: a flipped bit in its log, killed",
  "or reports why it is not opened: a flipped bit in its witness, killed",
  "after a power cut, with unsynced writes dropped",
  "after a power cut, with unsynced writes kept, dropped or torn, each at random",
  // Two shops on the packed packages, each with 200 kills, 1100 s.
  "lines that is killed 200 times, at a gateway that is killed, too",
  // Both shops on packed packages in a crash test of 200 payments, 200 s each.
  "a shop on packed packages",
  // The bank's program with outputs that cannot be written, 3 s. The gateway's program and the command stay.
  "the simulated bank with an output",
  // Programs that are killed, in further places, 42 s.
  "a billing run that kill -9 interrupts",
  "payouts that kill -9 interrupts",
  "the gateway's program > answers open requests on SIGINT",
  "kill -9 of the program of npm start also ends",
  "kill -9 of the parent of the shop also ends",
  "a shop that is killed > completes each other action once",
  "the shop days later > shows an unconfirmed payout as refused",
  "a shop that cannot start reports the missing setting",
  // Flows with faults at gateways that only do what the specification says, in further settings, 15 s.
  "a gateway that executes a repeated request again and omits every optional field, in the older dialect",
  "a gateway that refuses a repeated request, in the older dialect",
  "for an unknown order in its profile, in the older dialect",
  "in the older dialect > merchant killed: approved",
  "3-D Secure run by the shop > issuer-slow, pass: approved",
  // Simulated runs on files, of memory and with goals, 28 s. `npm test` runs 500 payments.
  "the same trace for the same seed: on the SQLite engine",
  "the check of memory > finds that gateway and merchants retain little memory",
  "a run with a coverage goal > makes its transition",
  "a store on files > opens with all rows, or refuses with a reason",
  "a store on files > serves a whole run without a violation",
  // Kills, copies, bundles, connections and days once more, 35 s. Another test of each kind stays.
  "with the programs of the machine",
  "is continued by the next process, which repeats only the step without a record",
  "is refused, and resumed as a copy whose flows ask first: over the newer one",
  "has all acknowledged commits, and each other one completely or not at all",
  "when the backup is copied lets no gateway start",
  "when the backup is in its place is complete, with its mark",
  "charges each order once while its connections are cut repeatedly and the server is killed",
  "is refused, charged at once, or charged on its day, at each hour of a day at the end of a year",
  "each exported module loads in Node",
  "contain neither @pay/sqlite nor @pay/workflow-sqlite, for @pay/flows without ./durable",
  "examples/trip.ts runs to its end",
  // The documentation site as VitePress builds it, 45 s. `npm test` checks its pages, links and search terms.
  "the built documentation site > ",
  // The README's quick start, with the build of the client, 40 s.
  "leads from the README to a payment with 3-D Secure and a verified callback",
  // Programs of the pages for merchants, 10 s. The one that receives a callback stays.
  ...[
    "sandbox",
    "checkout",
    "ownPage",
    "frictionless",
    "refunds",
    "storedCard",
    "subscription",
    "payout",
    "errors"
  ].map((name) => `prints what the page says: ${name}`),
  // Packages, examples and snippets for further readers, 25 s.
  "compile in another project, resolved as by bundlers",
  "changeset publish sends each package once",
  "the first run > names the remedy: no network",
  "the shop of docs/merchants/client.md on hono, run by this Node",
  "examples/authorizeThenCapture.ts runs",
  "examples/oneOperation.ts runs",
  "examples/refund.ts runs",
  "examples/callbacks.ts runs",
  "examples/webCustomer.ts runs",
  "the customer's browser > opened by hand, returns from the issuer",
  "the check of a callback in TypeScript > refuses",
  // Each pair of actions and each loss on the stored engines, 60 s. In memory all stay, and on each stored engine two refunds.
  "at a gateway without keys, on a file, each pair",
  "at a gateway without keys, on a cluster, each pair",
  // Further faults of a gateway in a conformance run, 8 s. One of each kind stays.
  ...[
    ...["status with another amount", "status of another order", "status of another client_orderid"],
    ...["status of another card", "the connection is closed", "a redirect to another host", "a redirect to itself"],
    ...[
      "an empty answer",
      "a cut chunk",
      "half a JSON object",
      "no answer at all",
      "a page that redirects to no address"
    ],
    ...["a page that redirects to itself", "a page that redirects to another host that is not there"],
    ...["a page whose form runs a script", "a page that is reset"]
  ].map((fault) => `the suite at a gateway with a fault > names it: ${fault}`),
  // First contacts with further gateways, 4 s. One of each kind stays.
  ...["plain JSON", "the specification"].flatMap((habits) => [
    `moves no money, also where every request is accepted: ${habits}`,
    `lets a client and its flows speak to the gateway: ${habits}`,
    `lets a flow send a sale again that the gateway never received: ${habits}`
  ]),
  ...["503", "a page"].map((end) => `concludes nothing from a gateway that soon answers everything with ${end}`)
]

const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))

/** Matches the full names of all other tests, for vitest. */
export const testNamePattern = new RegExp(`^(?![^]*(?:${escaped.join("|")}))`)

export const isLeft = (fullName: string): boolean => parts.some((part) => fullName.includes(part))

/** Returns the parts that no test has in its name. */
export const unused = (fullNames: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.filter((part) => !fullNames.some((name) => name.includes(part)))
