/** Nothing grows without a bound: what was of use for a while is gone in the end, and the rest follows from what was asked for. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { CallbackAttempt, CallbackEvent } from "@pay/gateway/entities/CallbackEvent"
import { Cvv } from "@pay/gateway/entities/Card"
import { Evidence } from "@pay/gateway/entities/Evidence"
import { Job } from "@pay/gateway/entities/Job"
import { LedgerEntry } from "@pay/gateway/entities/Ledger"
import { Nonce } from "@pay/gateway/entities/Nonce"
import { Occurrence } from "@pay/gateway/entities/Occurrence"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import { Subscription } from "@pay/gateway/entities/Subscription"
import { Funding } from "@pay/gateway/Fund"
import { VelocityEntry } from "@pay/gateway/Risk"
import type { Check, Problems } from "./Check.ts"

/** How many there are of each kind of row that is counted. */
export interface Counts {
  readonly cvvs: number
  readonly nonces: number
  readonly riskMarks: number
  /** Work that is to be done, without turns of recurring payments. */
  readonly work: number
  readonly turns: number
  readonly subscriptions: number
  readonly requests: number
  readonly fundings: number
  readonly ledger: number
  readonly callbacks: number
  readonly tries: number
  readonly evidence: number
  /** Days on which requests were open, of all together, and of the one that was open longest. */
  readonly days: number
  readonly daysOfOne: number
  /** The greatest number of answers that are kept for one request or one attempt. */
  readonly evidenceOfOne: number
  /** Requests and attempts that never reached the bank. */
  readonly unsent: number
}

type Rule = readonly [what: string, count: (counts: Counts) => number, most: (counts: Counts) => number]

/**
 * A request that never arrives is sent again once a minute for a quarter of an hour, and asked about up to four times in each; then
 * it is asked about once a day.
 */
const answersOfOne = 100

/** A month after faults have stopped. */
const rules: ReadonlyArray<Rule> = [
  ["security codes", ({ cvvs }) => cvvs, () => 0],
  ["nonces", ({ nonces }) => nonces, () => 0],
  ["marks of velocity rules", ({ riskMarks }) => riskMarks, () => 0],
  ["items of work", ({ work }) => work, () => 0],
  ["turns of recurring payments", ({ turns }) => turns, ({ subscriptions }) => subscriptions],
  ["entries of the books", ({ ledger }) => ledger, ({ fundings, requests }) => 12 * requests + 2 * fundings],
  ["callbacks", ({ callbacks }) => callbacks, ({ requests, subscriptions }) => 3 * requests + 100 * subscriptions],
  [
    "kept answers",
    ({ evidence }) => evidence,
    ({ days, requests, unsent }) => 5 * requests + days + answersOfOne * unsent
  ],
  ["kept answers to one request", ({ evidenceOfOne }) => evidenceOfOne, ({ daysOfOne }) => daysOfOne + answersOfOne],
  ["tries of callbacks", ({ tries }) => tries, ({ callbacks }) => 40 * callbacks]
]

export const exceeded = (counts: Counts): Problems =>
  rules.flatMap(([what, count, most]) =>
    count(counts) > most(counts) ? [`${count(counts)} ${what}, at most ${most(counts)} were expected`] : []
  )

/** So much of a file for each row that was ever written, besides an empty store and a log before it is written back. */
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
  what: "In the end no security code, nonce, velocity mark or item of work is left; entries, callbacks, tries, kept answers and files are in proportion to the requests.",
  begin: ({ world: { committed, storage } }) => ({
    atEnd: async () => {
      const count = (entity: Parameters<typeof committed.rows>[0]) => committed.rows(entity).length
      const turns = committed.rows(Job).filter(({ kind }) => kind === "recurring").length
      const days = committed
        .rows(OrderRequest)
        .map(({ acceptedAtMs, finishedAtMs }) => Math.ceil(((finishedAtMs ?? acceptedAtMs) - acceptedAtMs) / dayMs))
      const counts: Counts = {
        cvvs: count(Cvv),
        nonces: count(Nonce),
        riskMarks: count(VelocityEntry),
        work: count(Job) - turns,
        turns,
        subscriptions: count(Subscription),
        requests: count(OrderRequest) + count(Occurrence),
        fundings: count(Funding),
        ledger: count(LedgerEntry),
        callbacks: count(CallbackEvent),
        tries: count(CallbackAttempt),
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
