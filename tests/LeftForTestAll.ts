/**
 * The tests that `npm test` leaves to `npm run test:all`. Each promise of a failure, a page or a combination has a test that `npm test`
 * runs; what is listed here repeats it with another failure, page, store or program, or takes long.
 */

/** Test files, or folders of them, that `npm test` does not read. */
export const files: ReadonlyArray<string> = [
  // Packages and programs as they are built, packed and installed elsewhere: 100 s and a build of all of them.
  ...["builds", "client", "data", "examples", "nextjs", "packaging", "programs", "projects", "receivers"].map(
    (name) => `tests/release/${name}.test.ts`
  ),
  "tests/services/",
  "tests/growth/Plans.test.ts",
  "gateway/program/test/bundle.test.ts",
  // Further pages in a browser. Forms, the console and a sale of the shop with 3-D Secure stay.
  ...["CardForm", "ConsoleDrill", "CrashReport", "CrashTest", "Documentation", "FirstSteps", "GiftCard"].map(
    (name) => `tests/browser/${name}.test.ts`
  ),
  ...["PublicInputs", "PublicInputsCard", "QuickStart", "ThreeDS", "WebCustomerBrowser"].map(
    (name) => `tests/browser/${name}.test.ts`
  ),
  // Further failures of PostgreSQL. The store's contract, several gateways, a killed server and cut connections stay.
  ...["Channels", "Conformance", "Copies", "Durability", "Failover", "Language", "LostAnswers", "ManySteps"].map(
    (name) => `tests/postgres/${name}.test.ts`
  ),
  ...["PostgresServer", "Refusals", "SessionSettings", "SeveralHosts", "ShortLivedKeys", "Shortage", "TcpProxy"].map(
    (name) => `tests/postgres/${name}.test.ts`
  ),
  ...["UnknownOutcome", "Upgrade", "WrongAnswers"].map((name) => `tests/postgres/${name}.test.ts`),
  "tests/pgbouncer/",
  "tests/cluster/",
  "tests/processes/Processes.test.ts",
  ...["Command", "Refusals", "Roles", "UnfitDatabases"].map((name) => `tests/move/${name}.test.ts`),
  // Further programs that are killed, copied, or write to disks that fail. A burst of sales and a shop stay.
  ...["Billing", "DurableFlow", "Payouts", "Stop"].map((name) => `tests/crash/${name}.test.ts`),
  ...["FlowFaults", "FullDisk", "SimulatedDisk", "StorageFaults"].map((name) => `tests/disk/${name}.test.ts`),
  ...["HoldRestarts", "TripRestarts"].map((name) => `tests/workflows/${name}.test.ts`),
  ...["Late", "Startup"].map((name) => `tests/shop/${name}.test.ts`),
  ...["OpenFile", "Processes"].map((name) => `packages/sqlite/test/${name}.test.ts`),
  "packages/flows/test/durable/Copies.test.ts",
  "tests/simulation/storage/",
  // Crash tests of examples and of shops with habits, and of shops that misbehave as programs. A careless shop of the command stays.
  "tests/checkouts/",
  "tools/crashtest/test/ShopProcess.test.ts",
  // Programs of the documentation in four languages.
  "tools/docs/test/Snippets.test.ts",
  // Further starts of the demonstration, and programs with outputs that nobody reads.
  ...["Acquirer", "Parent", "ShopProcess"].map((name) => `tools/demo/test/${name}.test.ts`),
  ...["KeptTexts", "LogReader"].map((name) => `tests/bounds/${name}.test.ts`),
  "tests/deploy/Proxies.test.ts"
]

/** Parts of the full names of tests in other files: the names of their groups and their title, with `>` between them. */
const parts: ReadonlyArray<string> = [
  // Pages in a browser: each stays in one state or way.
  "the sample shop > captures two parts, voids the rest and refunds a part",
  "the sample shop > sells a subscription to a new customer",
  "the sample shop > checks a supplier's account",
  "the sample shop > opens an order of the back office in a fresh browser",
  "the sample shop > updates the order's page while the customer pays in another window",
  "the sample shop > keeps the customer's cookie and orders",
  "the sample shop > sells without JavaScript",
  "the sample shop > reports a declined card",
  "the sample shop > reports each mistake beside its field",
  "answers an unknown address with an accessible page",
  "a hosted page is accessible and fits each screen, in three languages > ",
  "an error page is accessible and fits each screen, in three languages: a gateway without its store",
  "an error page is accessible and fits each screen, in three languages > too many requests",
  "a customer on a hosted form > pays and returns to the shop without JavaScript",
  "a customer on a hosted form > returns to the shop without pressing a button",
  "a customer on a hosted form > is not asked to pay again after the bank's answer was lost",
  "a customer on a hosted form > goes back in the history to the outcome",
  "a customer on a hosted form > pays once after a reload of the page",
  "a customer on a hosted form > sends no card to the bank after the session",
  "a customer on a hosted form > cannot pay after cancelling",
  "a hosted form in a browser > account-verification-form: ",
  "a hosted form in a browser > sale-form: declines the order after three declined cards",
  "the console in a browser > renews Now by itself",
  "the console in a browser > is accessible and fits each screen",
  "the console in a browser > keeps the session for a link of another site",
  // PostgreSQL: the contract and several gateways stay, each with one failure of a kind.
  "the store's contract on PostgreSQL, with calls alternating between two processes",
  "requests at several gateways at the same time (PostgreSQL)",
  "requests at any gateway of several (PostgreSQL)",
  "three gateways that start and stop (PostgreSQL)",
  "with a synchronous standby > is not ready while the standby or the primary is down",
  "charges each order once while its connections are cut repeatedly and the server is killed",
  "recover by themselves > when the server is paused",
  "recover by themselves > when the server restarts",
  ...["copying", "finishing", "indexing", "marking"].map(
    (stage) => `a store > continues a move to PostgreSQL that was killed while ${stage}`
  ),
  // Flows: four fifths of all pairs of a flow and a fault, and all on further engines and gateways.
  ", as the others: ",
  "flows on a file at a gateway",
  "on a file, as the others",
  "on a cluster, as the others",
  "the flow CardSale > on a cluster",
  "the flow CardSale, 3DS merchant > on a cluster",
  "the flow PayOut > on a cluster",
  "the flow Capture, a part > on a file",
  "the flow Capture, a part > request ",
  "the flow PayOut > on a file",
  "operations on the engine of cluster > ",
  "operations on the engine of file > ",
  "wakes each of 200 flows whose signal arrives around their suspension",
  "a durable client > shows the customer's browser its next page also in the next process",
  ...["has a file for each merchant", "is another flow for another merchant"].map(
    (title) => `a durable client > ${title}`
  ),
  "a gateway that executes a repeated request again and omits every optional field, in the older dialect",
  "a gateway that refuses a repeated request, in the older dialect",
  "for an unknown order in its profile, in the older dialect",
  "in the older dialect > merchant killed: approved",
  "3-D Secure run by the shop > issuer-slow, pass: approved",
  "at a gateway without keys, on a file, each pair",
  "at a gateway without keys, on a cluster, each pair",
  "is continued by the next process, which repeats only the step without a record",
  // Gateways that start and stop, from 17 further seeds.
  ...Array.from({ length: 17 }, (_, index) => `(memory) > seed ${index + 4}: every acknowledged order ends once`),
  "is refused, charged at once, or charged on its day, at each hour of a day at the end of a year",
  // Mistakes with signatures that are searched for last, and in further operations and languages.
  "pay explain of a request with one of the further mistakes > ",
  "pay explain of a request with two mistakes or an unlikely one > ",
  "pay explain of a request with control > a key that nothing tells of",
  "pay explain of a request with OAuth > a key that nothing tells of",
  "in many languages > capture: ",
  "explains a signature without a known mistake",
  "pay explain --request > shows the expected base string",
  "Explain.control > answers Unexplained to the control ''",
  "Explain.control > answers Unexplained to the control '0123",
  // Crash tests of shops: each stage of a crash test stays.
  "looks at a page that waits, not for ever",
  ...["in a circle", "into an answer without an end", "to another machine"].map(
    (where) => `a shop leads a customer ${where}`
  ),
  "pay crashtest > shows what it found also if the report cannot be written",
  // A bank's adapter: wrong answers stay. Texts of adapters with card numbers: a decline and a defect stay.
  ...[
    "finds a bank that books a repeated capture twice",
    "finds every promise kept",
    "stops when the bank",
    "ends with a module that never answers"
  ].map((title) => `pay adapter check > ${title}`),
  ...["a lost answer", "a foreign error", "an unknown tag", "a wrong part"].map(
    (what) => `a card number is nowhere after ${what}`
  ),
  "sends a payment whose answer was lost again under its key where no webhook arrives",
  "telemetry > delays no sale and is one line while its receiver",
  // Conformance in the older dialect, with the gateway's limits, with further faults and defects.
  "the conformance suite > is passed by the sandbox gateway on SQLite without a skipped check",
  "the conformance suite > runs in the older dialect, and is passed",
  "the conformance suite > detects the gateway's properties also while it answers 429",
  "the suite at a gateway with a fault > names it: status of another",
  "the suite at a gateway with a fault > names it: a page that",
  "the suite at a gateway with a fault > names it: a redirect to",
  "a planted defect > is found: a wrong control is accepted",
  "a planted defect > is found: an issuer's refusal is treated as an authentication",
  "wherever it is stopped: the older dialect",
  "wherever it is stopped: plain JSON",
  ...["503", "a page"].map((end) => `concludes nothing from a gateway that soon answers everything with ${end}`),
  // Programs that are killed or started in further ways, on further disks and files.
  "kill -9 during bookings loses no answered booking",
  "a shop that is killed > completes each other action once",
  "charges an order once when it is killed during the challenge",
  "opens the file after kill -9 > by a relative path",
  "opens the file after kill -9 > by its name while it has a hard link",
  "opens the file after kill -9 > after its lock file and its pid file were deleted",
  "opens the file after kill -9 > through a file that is mounted a second time",
  "opens the file after kill -9 > through a folder that is mounted a second time",
  "opens the file after kill -9 > in another container",
  "opens the file after kill -9 > after its folder was renamed",
  "opens the file after kill -9 > through a hard link",
  "has all acknowledged commits, and each other one completely or not at all",
  "when the backup is copied lets no gateway start",
  "when the backup is in its place is complete, with its mark",
  "expired card data is overwritten in the database file with recipients",
  "a clone in a path with a space > ",
  "the first run > names the remedy: no network",
  "changeset publish sends each package once",
  "the type checks find a wrong type, and an effect that never runs",
  "the libraries build without a type error (tsc -b)",
  "no regular expression takes more than linear time",
  "with the programs of the machine",
  "the program of the repository > runs from the source",
  "a module that requires https reaches its sandbox",
  // Simulated runs on files, of memory, with goals, and until they have covered everything. `npm test` runs 150 payments.
  "simulated payments > call every operation",
  "simulated payments > run every flow",
  "simulated payments > meet every step",
  "simulated payments > succeed at least once for every merchant",
  "the same trace for the same seed: on the SQLite engine",
  "gives the same trace for the same seed: with durable flows",
  "gives the same trace for the same seed: in memory",
  "the check of memory > finds that gateway and merchants retain little memory",
  "a run with a coverage goal > makes its transition",
  // Programs and snippets of the pages for merchants. The one that receives a callback stays.
  ...["sandbox", "checkout", "ownPage", "frictionless", "refunds"].map((name) => `prints what the page says: ${name}`),
  ...["storedCard", "subscription", "payout", "errors"].map((name) => `prints what the page says: ${name}`),
  "the customer's browser > opened by hand, returns from the issuer",
  "returns from the issuer: version 1.0.2",
  "opened by the program, returns from the issuer: version 2"
]

const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))

/** Matches the full names of all other tests, for vitest. */
export const testNamePattern = new RegExp(`^(?![^]*(?:${escaped.join("|")}))`)

export const isLeft = (fullName: string): boolean => parts.some((part) => fullName.includes(part))

/** Returns the parts that no test has in its name. */
export const unused = (fullNames: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.filter((part) => !fullNames.some((name) => name.includes(part)))
