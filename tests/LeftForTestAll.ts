import { left as browser } from "./browser/Left.ts"
import { left as postgres } from "./postgres/Left.ts"
import { left as flows } from "./workflows/Left.ts"

/** Parts of the full names of tests. */
export type Parts = ReadonlyArray<string>

/**
 * The tests that `npm test` leaves to `npm run test:all`, by a part of their full names: the names of their groups and their title,
 * with `>` between them. Each promise of a failure, a page or a combination has a test that `npm test` runs; what is listed here
 * repeats it with another failure, page or store, or takes long. The times are seconds of one test file on two quiet cores.
 */
export const parts: Parts = [
  ...browser,
  ...postgres,
  ...flows,
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
  ...["503", "a page"].map((end) => `concludes nothing from a gateway that soon answers everything with ${end}`),
  // Example shops in crash tests, 40 s of waiting. The careful one in JavaScript and the careless one stay.
  "the crash test of a careful example > has no finding: php",
  "the crash test of the sample shop > has no finding: ",
  // Shops that are refused before a crash test, 15 s of waiting for each of them. A silent and a wrong one stay.
  ...["listens on another port", "listens at the other family", "takes connections and never", "answers 503"].map(
    (habit) => `a shop is refused that > ${habit}`
  ),
  // Mistakes with signatures in further operations and languages, 30 s.
  "pay explain of a request with control > a key that nothing tells of",
  "pay explain of a request with OAuth > a key that nothing tells of",
  "in many languages > capture: ",
  "pay explain --request > shows the expected base string",
  "Explain.control > answers Unexplained to the control ''",
  // Runs of a simulation, moves and flaws of disks once more, 40 s. Another of each kind stays.
  "gives the same trace for the same seed: with durable flows",
  "a move > that was interrupted does not continue with another",
  "a move > refuses a target with a store",
  "a store that was moved > is reopened only if",
  ...["broken", "remounted", "unsynced"].map(
    (fault) => `a flow on a disk that fails at each moment continues when the disk works again > ${fault}`
  ),
  "after a power cut, with unsynced writes kept, as after kill -9",
  "a store that cannot start > reports why (on a full disk)",
  "operations on the engine of file > ",
  "reports the state of the witness, and who uses the store",
  // Programs that start once more, 45 s. Another start of each stays.
  ...["fastifyCallback", "signingAlone"].map((name) => `examples/${name}.mjs runs to its end`),
  "npm start -- --acquirer names the acquirers",
  "a module that requires https reaches its sandbox",
  "npm start reports a shop whose port is in use",
  "each package that an older Node cannot run says so",
  "pay adapter check > finds a bank that books a repeated capture twice",
  "with an output on a full disk",
  "returns from the issuer: version 1.0.2",
  "looks at a page that waits, not for ever",
  "charges an order once when it is killed during the challenge",
  "processes on one database file > one of four processes",
  // Programs, builds and files once more, 80 s. Another test of each kind stays.
  "kill -9 of npm in npm start",
  "a second build comes from the cache",
  "no text of a request that has ended stays in memory",
  "serves payments on the schema of another role",
  "creates the schema for a role that runs a gateway",
  "the type checks find a wrong type, and an effect that never runs",
  "Explain.control > answers Unexplained to the control '0123",
  "expired card data is overwritten in the database file with recipients",
  ...["ends well at once", "speaks no TLS"].map((habit) => `a shop is refused that > ${habit}`),
  ...["in another container", "after its folder was renamed", "through a hard link"].map(
    (way) =>
      `a second process is refused while the first one lives or is stopped, and opens the file after kill -9 > ${way}`
  )
]

const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))

/** Matches the full names of all other tests, for vitest. */
export const testNamePattern = new RegExp(`^(?![^]*(?:${escaped.join("|")}))`)

export const isLeft = (fullName: string): boolean => parts.some((part) => fullName.includes(part))

/** Returns the parts that no test has in its name. */
export const unused = (fullNames: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.filter((part) => !fullNames.some((name) => name.includes(part)))
