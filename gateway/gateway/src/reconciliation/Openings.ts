/**
 * Computes each stored opening balance again from all entries before its day. An entry whose time lies before an opening that was
 * stored already, as a wrong clock makes one, leaves the opening wrong.
 */
import { Clock, Effect } from "effect"
import * as Audit from "../kernel/Audit.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { LedgerEntry } from "../kernel/LedgerTable.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Finding } from "./decide/OrderComparison.ts"
import { DayBalance } from "./SettlementDay.ts"

const pageRows = 500

export interface WrongOpening {
  readonly stored: DayBalance
  readonly openingMinor: bigint
}

/** Returns the stored openings of an account that differ from the sum of the entries before them. */
export const wrongOf = Effect.fnUntraced(function* (store: Store["Service"], account: string) {
  const wrong: Array<WrongOpening> = []
  let sum = 0n
  let fromMs = 0
  for (let dayMs = 0; ; ) {
    const rows = yield* store.find(DayBalance, "key", { equals: [account], from: dayMs, limit: pageRows })
    for (const stored of rows) {
      let after: Cursor | undefined
      while (true) {
        const span = { equals: [account], fromMs, toMs: stored.dayStartMs - 1, after, limit: pageRows }
        const entries = yield* KeysetPage.oldest(store, LedgerEntry, "account", span)
        sum += entries.reduce((total, { minor }) => total + BigInt(minor), 0n)
        const last = entries.at(-1)
        if (last === undefined) break
        after = { atMs: last.atMs, key: last.entryId }
        yield* Effect.yieldNow
      }
      fromMs = stored.dayStartMs
      if (sum !== stored.openingMinor) wrong.push({ stored, openingMinor: sum })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return wrong
    dayMs = last.dayStartMs + 1
  }
})

const dayOf = ({ dayStartMs }: DayBalance): string => new Date(dayStartMs).toISOString().slice(0, 10)

export const findingOf = ({ openingMinor, stored }: WrongOpening): Finding => ({
  where: `opening ${stored.account} ${dayOf(stored)}`,
  expected: String(openingMinor),
  actual: String(stored.openingMinor)
})

/** Corrects stored openings, each with an audit row. */
export const correct = Effect.fnUntraced(function* (wrong: ReadonlyArray<WrongOpening>) {
  const store = yield* Store
  const ids = yield* Ids
  for (const { openingMinor, stored } of wrong) {
    const { account } = stored
    const day = dayOf(stored)
    const audit = Audit.entry({
      auditId: ids.next(),
      atMs: yield* Clock.currentTimeMillis,
      actor: "gateway",
      action: "settlement.correct-opening",
      subject: { kind: "balance", id: account },
      detail: { day, stored: String(stored.openingMinor), corrected: String(openingMinor) }
    })
    yield* Transact.record(store, [Decision.put(DayBalance, { ...stored, openingMinor }), audit])
    yield* Effect.logError("A stored opening balance was wrong and is corrected: export its day again").pipe(
      Effect.annotateLogs({ account, day })
    )
  }
})
