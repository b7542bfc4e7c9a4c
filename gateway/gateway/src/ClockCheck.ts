/**
 * Warns at the start if the clock is behind a time that the store contains. Requests with a correct timestamp are then refused as
 * skewed and due jobs wait, and neither symptom points to the clock.
 */
import { Clock, DateTime, Effect, Layer } from "effect"
import { AuditEntry } from "./kernel/Audit.ts"
import { AuthClock } from "./kernel/AuthClock.ts"
import { Store } from "./kernel/Store.ts"
import { Nonce } from "./merchants/Call.ts"
import { MerchantKey } from "./merchants/MerchantKey.ts"
import { Order } from "./orders/Order.ts"

/** Largest difference between the clocks of two machines, in milliseconds, that causes no warning. */
const toleratedMs = 60_000

const newest = { limit: 1, descending: true } as const

/** The latest times in the store: in business time, and in the machine's time, by which nonces are dated. */
const clocks = Effect.gen(function* () {
  const store = yield* Store
  const orders = yield* store.find(Order, "created", newest)
  const audit = yield* store.find(AuditEntry, "at", newest)
  const keys = yield* store.find(MerchantKey, "key", { limit: 1000 })
  const nonces = yield* store.find(Nonce, "used", newest)
  const moments = [...orders, ...keys].map(({ createdAtMs }) => createdAtMs)
  return {
    businessMs: Math.max(0, ...moments, ...audit.map(({ atMs }) => atMs)),
    machineMs: Math.max(0, ...nonces.map(({ usedAtMs }) => usedAtMs))
  }
})

const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

const warning = (nowMs: number, seenMs: number): string | undefined =>
  seenMs - nowMs <= toleratedMs
    ? undefined
    : `The clock says ${time(nowMs)}, yet the store has seen ${time(seenMs)}, ${Math.round((seenMs - nowMs) / 1000)} s later. ` +
      "Requests dated by a right clock are refused (code 44), and what is due waits. Set the clock and start again."

const check = Effect.gen(function* () {
  const { businessMs, machineMs } = yield* clocks
  const authClock = yield* AuthClock
  const message = warning(yield* Clock.currentTimeMillis, businessMs) ?? warning(authClock.nowMs(), machineMs)
  if (message !== undefined) yield* Effect.logWarning(message)
})

export const layer = Layer.effectDiscard(check)
