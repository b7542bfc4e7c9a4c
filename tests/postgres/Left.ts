import type { Parts } from "../LeftForTestAll.ts"

/** What `npm test` leaves to `npm run test:all` here. */
export const left: Parts = [
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
  // Words about a copy, moments of a cut, and levels of durability, 65 s. Of each kind, some stay.
  ...[
    ...["nothing happened, and", "CREATE DATABASE … TEMPLATE, --restored", "CREATE DATABASE … TEMPLATE, --accept-loss"],
    ...["another server, --moved", "a role that could not read the system identifier"]
  ].map((happening) => `is started by a word about a copy: ${happening}`),
  ...["before", "after"].flatMap((moment) => [
    `finds out the outcome, and commits once: cut ${moment} execution`,
    `reports an unknown outcome if the server cannot be asked: cut ${moment} execution`,
    `repeats its question about the outcome, cut ${moment} execution`
  ]),
  ...["local becomes", "remote_write becomes", "remote_apply becomes"].map(
    (level) => `waits for what its database says, but at least for the disk and the standby: ${level}`
  ),
  "all its settings at once behind a pooler",
  "was off for a while behind a pooler",
  "was on for a while behind a pooler",
  "commits 200 sales that come at once in at most two transactions",
  // Wrong answers of a bank, and words about a copy, 10 s. The same answers are tested in memory.
  "before a store on PostgreSQL > is inquired, and the sale is settled",
  ...["CREATE DATABASE … TEMPLATE, --moved", "another server, as after"].map(
    (happening) => `is started by a word about a copy: ${happening}`
  )
]
