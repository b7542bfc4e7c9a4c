/** Nothing grows without bound: temporary rows are removed, and the number of all others is in proportion to the requests. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  CallbackAttempt,
  CallbackEvent,
  Cvv,
  Evidence,
  Fund,
  Job,
  LedgerEntry,
  Nonce,
  Occurrence,
  OrderRequest,
  Subscription,
  VelocityEntry
} from "@pay/gateway/Entities"
import type { Check, Problems } from "./Check.ts"

/** The number of rows of each counted kind. */
export interface Counts {
  readonly cvvs: number
  readonly nonces: number
  readonly velocityEntries: number
  /** Jobs, without those of recurring payments. */
  readonly jobs: number
  readonly recurringJobs: number
  readonly subscriptions: number
  readonly requests: number
  readonly fundings: number
  readonly ledger: number
  readonly callbacks: number
  readonly attempts: number
  readonly evidence: number
  /** The number of days on which requests were open: of all requests together, and of the one that was open longest. */
  readonly days: number
  readonly daysOfOne: number
  /** The maximum number of stored answers of one request or attempt. */
  readonly evidenceOfOne: number
  /** Requests and attempts that never reached the bank. */
  readonly unsent: number
}

type Rule = readonly [what: string, count: (counts: Counts) => number, most: (counts: Counts) => number]

/**
 * The gateway sends a request that never arrives again once a minute for 15 minutes, with up to four inquiries each minute. Then it
 * inquires once a day.
 */
const answersOfOne = 100

/** These limits hold a month after faults have stopped. */
const rules: ReadonlyArray<Rule> = [
  ["security codes", ({ cvvs }) => cvvs, () => 0],
  ["nonces", ({ nonces }) => nonces, () => 0],
  ["velocity entries", ({ velocityEntries }) => velocityEntries, () => 0],
  ["jobs", ({ jobs }) => jobs, () => 0],
  ["jobs of recurring payments", ({ recurringJobs }) => recurringJobs, ({ subscriptions }) => subscriptions],
  ["ledger entries", ({ ledger }) => ledger, ({ fundings, requests }) => 12 * requests + 2 * fundings],
  ["callbacks", ({ callbacks }) => callbacks, ({ requests, subscriptions }) => 3 * requests + 100 * subscriptions],
  [
    "stored answers",
    ({ evidence }) => evidence,
    ({ days, requests, unsent }) => 5 * requests + days + answersOfOne * unsent
  ],
  ["stored answers of one request", ({ evidenceOfOne }) => evidenceOfOne, ({ daysOfOne }) => daysOfOne + answersOfOne],
  ["callback attempts", ({ attempts }) => attempts, ({ callbacks }) => 40 * callbacks]
]

const exceeded = (counts: Counts): Problems =>
  rules.flatMap(([what, count, most]) =>
    count(counts) > most(counts) ? [`${count(counts)} ${what}, at most ${most(counts)} were expected`] : []
  )

/** The maximum size of the files: that of an empty store and its log, and a number of bytes for each row. */
const emptyBytes = 8_000_000
const bytesPerRow = 4_000

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const dayMs = 86_400_000

const maxOfOne = (rows: ReadonlyArray<Pick<Evidence, "reference">>): number => {
  const counts = new Map<string, number>()
  for (const { reference } of rows) counts.set(reference, (counts.get(reference) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

export const bounds: Check = {
  name: "bounded",
  what: "At the end no security code, nonce, velocity entry or job is left. Ledger entries, callbacks, attempts, stored answers and files are in proportion to the requests.",
  begin: ({ system: { committed, storage } }) => ({
    atEnd: async () => {
      const count = (entity: Parameters<typeof committed.rows>[0]) => committed.rows(entity).length
      const recurringJobs = committed.rows(Job).filter(({ kind }) => kind === "recurring").length
      const days = committed
        .rows(OrderRequest)
        .map(({ acceptedAtMs, finishedAtMs }) => Math.ceil(((finishedAtMs ?? acceptedAtMs) - acceptedAtMs) / dayMs))
      const counts: Counts = {
        cvvs: count(Cvv),
        nonces: count(Nonce),
        velocityEntries: count(VelocityEntry),
        jobs: count(Job) - recurringJobs,
        recurringJobs,
        subscriptions: count(Subscription),
        requests: count(OrderRequest) + count(Occurrence),
        fundings: count(Fund.Funding),
        ledger: count(LedgerEntry),
        callbacks: count(CallbackEvent),
        attempts: count(CallbackAttempt),
        evidence: count(Evidence),
        days: days.reduce((sum, each) => sum + each, 0),
        daysOfOne: days.reduce((most, each) => Math.max(most, each), 0),
        evidenceOfOne: maxOfOne(committed.rows(Evidence)),
        unsent: committed.rows(OrderRequest).filter(({ progress }) => progress === "error").length
      }
      const rows = Object.values(counts).reduce((sum, each) => sum + each, 0)
      const bytes = storage.files === undefined ? 0 : sizeOf(storage.files.folder())
      return [
        ...exceeded(counts),
        ...(bytes > emptyBytes + bytesPerRow * rows ? [`${bytes} bytes of files for ${rows} rows`] : [])
      ]
    }
  })
}
