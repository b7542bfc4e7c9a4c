/**
 * Exports the ledger of one day (UTC), account by account: opening balance, every entry, closing balance. It reads in
 * pages. The opening balance of an account is computed once and stored, so that later days read the entries of one day
 * only.
 */
import { Clock, Effect } from "effect"
import { ClockTrust } from "../kernel/ClockTrust.ts"
import * as Decision from "../kernel/Decision.ts"
import * as Entity from "../kernel/Entity.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Balance, LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"

export const dayMs = 86_400_000
/** Longest time, in milliseconds, between the time of an entry and its commit. */
const commitLagMs = 60_000
const pageRows = 500

export interface Day {
  readonly startMs: number
  /** The only merchant to include. Undefined means all merchants. */
  readonly merchant: string | undefined
}

/** The position at which a page ended: after a finished account, or within an account that has more entries. */
export interface ExportCursor {
  readonly account: string
  readonly within: { readonly after: Cursor; readonly minor: bigint } | undefined
}

/** A line of the export. `minor`: the balance; for an entry, the balance after it. */
export type Line =
  | { readonly kind: "opening" | "closing"; readonly account: string; readonly minor: bigint }
  | { readonly kind: "entry"; readonly account: string; readonly entry: LedgerEntry; readonly minor: bigint }

export interface ExportPage {
  readonly lines: ReadonlyArray<Line>
  /** The position of the next page; undefined if this was the last page. */
  readonly next: ExportCursor | undefined
}

/** Whether no entry can be added to the day any more. */
const isOver = (startMs: number, nowMs: number): boolean => nowMs >= startMs + dayMs + commitLagMs

export const make = Effect.gen(function* () {
  const store = yield* Store

  const openingOf = Effect.fnUntraced(function* (account: string, startMs: number) {
    const range = { equals: [account], to: startMs, limit: 1, descending: true }
    const [stored] = yield* store.find(DayBalance, "key", range)
    if (stored?.dayStartMs === startMs) return stored.openingMinor
    let minor = stored?.openingMinor ?? 0n
    let after: Cursor | undefined
    while (true) {
      const span = { equals: [account], fromMs: stored?.dayStartMs ?? 0, toMs: startMs - 1, after, limit: pageRows }
      const rows = yield* KeysetPage.oldest(store, LedgerEntry, "account", span)
      minor += rows.reduce((sum, entry) => sum + BigInt(entry.minor), 0n)
      const last = rows.at(-1)
      if (last === undefined) break
      after = { atMs: last.atMs, key: last.entryId }
      yield* Effect.yieldNow
    }
    const row: DayBalance = { account, dayStartMs: startMs, openingMinor: minor }
    yield* Transact.record(store, [Decision.put(DayBalance, row)])
    return minor
  })

  /** Returns the next account after `account`, or the first one of the merchant. */
  const accountAfter = Effect.fnUntraced(function* (account: string | undefined, merchant: string | undefined) {
    const prefix = merchant === undefined ? "" : `${merchant}/`
    const rows = yield* store.find(Balance, "key", { from: account ?? prefix, limit: 2 })
    const next = rows.find((row) => row.account !== account)?.account
    return next?.startsWith(prefix) === true ? next : undefined
  })

  /** Returns a page of about `limit` lines. A page also ends after `limit` accounts, even if they have no entries. */
  return Effect.fn("SettlementDay")(function* (
    { merchant, startMs }: Day,
    from: ExportCursor | undefined,
    limit: number
  ) {
    const lines: Array<Line> = []
    let cursor = from
    for (let looked = 0; looked < limit && lines.length < limit; looked += 1) {
      const account = cursor?.within === undefined ? yield* accountAfter(cursor?.account, merchant) : cursor.account
      if (account === undefined) return { lines, next: undefined } satisfies ExportPage
      const within = cursor?.within
      let minor = within?.minor ?? (yield* openingOf(account, startMs))
      const remaining = limit - lines.length
      const toMs = startMs + dayMs - 1
      const span = { equals: [account], fromMs: startMs, toMs, after: within?.after, limit: remaining }
      const entries = yield* KeysetPage.oldest(store, LedgerEntry, "account", span)
      const isQuiet = within === undefined && entries.length === 0 && minor === 0n
      if (within === undefined && !isQuiet) lines.push({ kind: "opening", account, minor })
      for (const entry of entries) {
        minor += BigInt(entry.minor)
        lines.push({ kind: "entry", account, entry, minor })
      }
      const last = entries.at(-1)
      const hasMore = last !== undefined && entries.length === remaining
      if (!(hasMore || isQuiet)) lines.push({ kind: "closing", account, minor })
      cursor = {
        account,
        within: hasMore ? { after: { atMs: last.atMs, key: last.entryId }, minor } : undefined
      }
      yield* Effect.yieldNow
    }
    return { lines, next: cursor } satisfies ExportPage
  })
})

/** Returns the start of the day; undefined if the text is not a day. */
const startOf = (day: string): number | undefined => {
  const startMs = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(startMs) || new Date(startMs).toISOString().slice(0, 10) !== day ? undefined : startMs
}

/** Returns the start of a day that has ended; fails with a message if the text is not a day or the day has not ended. */
export const startOfEnded = Effect.fnUntraced(function* (day: string) {
  const startMs = startOf(day)
  if (startMs === undefined) return yield* Effect.fail("day has the form 2026-11-21")
  const clockTrust = yield* ClockTrust
  if (!clockTrust.isTrusted())
    return yield* Effect.fail("the time is uncertain, so that the day may not be over: see pay_dated_jobs_stopped")
  const nowMs = yield* Clock.currentTimeMillis
  if (!isOver(startMs, nowMs)) return yield* Effect.fail("the day (UTC) is not over yet: ask a minute after its end")
  return startMs
})

/**
 * The balance of an account at the start of a day (UTC). It is stored once, so that an export reads the entries of one
 * day only.
 */
export const DayBalance = Entity.make("dayBalances", {
  columns: { account: Entity.text(), dayStartMs: Entity.integer, openingMinor: Entity.sum },
  key: ["account", "dayStartMs"]
})
export type DayBalance = Entity.Row<typeof DayBalance>
