/** Erases card data and recipients of orders that ended longer ago than the retention time. */

import { Cause, Clock, Effect, Layer } from "effect"
import * as Audit from "../kernel/Audit.ts"
import { ClockTrust } from "../kernel/ClockTrust.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Cursor, Range } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import { Payout } from "../recipients/Recipient.ts"
import { erasureOf } from "./EraseCards.ts"

const batchRows = 200

const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const { cardRetentionMs } = yield* Settings

  /** Lists orders that still have encrypted data, oldest first. */
  const withData = {
    cards: (range: Range) =>
      Effect.map(KeysetPage.oldest(store, Card, "created", range), (rows) =>
        rows.map(({ cardId, createdAtMs }): Cursor => ({ atMs: createdAtMs, key: cardId }))
      ),
    payouts: (range: Range) =>
      Effect.map(KeysetPage.oldest(store, Payout, "erased", { ...range, equals: [null] }), (rows) =>
        rows.map(({ createdAtMs, orderId }): Cursor => ({ atMs: createdAtMs, key: orderId }))
      )
  }
  const next = { cards: "payouts", payouts: "cards" } as const
  /** The position of the sweep. After its end it starts again, and then reaches the rows that were still in use before. */
  let sweepPosition: { kind: keyof typeof withData; after: Cursor | undefined } = { kind: "cards", after: undefined }

  /** Erases one batch of orders that ended long enough ago. Returns false once the sweep has reached its end. */
  return Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const untilMs = nowMs - cardRetentionMs
    const { after, kind } = sweepPosition
    const rows = yield* withData[kind]({ toMs: untilMs, after, limit: batchRows })
    const last = rows.at(-1)
    sweepPosition = last === undefined ? { kind: next[kind], after: undefined } : { kind, after: last }
    let erased = 0
    for (const { key: orderId } of rows) {
      const order = yield* store.load(Order, [orderId])
      const decision =
        order === undefined
          ? { guards: [], writes: [Decision.remove(Card, [orderId])] }
          : yield* erasureOf(store, order, untilMs, nowMs)
      if (decision === undefined) continue
      if ((yield* Transact.lostGuardOf(store, decision)) === undefined) erased += 1
    }
    if (erased > 0) {
      const row = Audit.entry({
        auditId: ids.next(),
        atMs: nowMs,
        actor: "gateway",
        action: "card.expire",
        subject: { kind: "cards", id: "all" },
        detail: { erased }
      })
      yield* Transact.record(store, [row])
    }
    return last !== undefined || sweepPosition.kind !== "cards"
  })
})

const every = "1 hour"

/** Erases card data and recipients of orders that ended longer ago than the retention time, in batches, once an hour, unless the time is uncertain. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const expired = yield* make
    const clockTrust = yield* ClockTrust
    yield* Effect.suspend(() => (clockTrust.isTrusted() ? expired : Effect.succeed(false))).pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ while: (more) => more }),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logWarning("Card data has to wait for its erasure", cause), 0)
      ),
      Effect.delay(every),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
