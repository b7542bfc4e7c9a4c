/**
 * Compares the machine's clock with other clocks: at the start with the newest time in the store, and then, as long as it is not
 * trusted (`ClockTrust`), with the database's clock and the time in an answer of the bank. Warns at the start if the clock is behind
 * the store. Requests with a correct timestamp are then refused as skewed and due jobs wait, and neither symptom points to the clock.
 */
import { Clock, Context, DateTime, type Duration, Effect, Layer } from "effect"
import * as Audit from "./kernel/Audit.ts"
import { AuthClock } from "./kernel/AuthClock.ts"
import { CertainTime } from "./kernel/CertainTime.ts"
import { ClockTrust } from "./kernel/ClockTrust.ts"
import * as Decision from "./kernel/Decision.ts"
import { Ids } from "./kernel/Ids.ts"
import { leaseMs, Process } from "./kernel/Process.ts"
import { Store } from "./kernel/Store.ts"
import * as Transact from "./kernel/Transact.ts"
import { Nonce } from "./merchants/Call.ts"
import { MerchantKey } from "./merchants/decide/MerchantKey.ts"
import * as Acquirers from "./orders/bank/Acquirers.ts"
import * as BankQuestion from "./orders/outcomes/BankQuestion.ts"
import { isCardKind, Order } from "./orders/record/Order.ts"
import { isOfBank, OrderRequest } from "./orders/record/OrderRequest.ts"

/** Largest difference between the clocks of two machines, in milliseconds, that causes no warning. */
const toleratedMs = 60_000

const newest = { limit: 1, descending: true } as const

/** The latest times in the store: in business time, and in the machine's time, by which nonces are dated. */
const clocks = Effect.gen(function* () {
  const store = yield* Store
  const orders = yield* store.find(Order, "created", newest)
  const audit = yield* store.find(Audit.AuditEntry, "at", newest)
  const keys = yield* store.find(MerchantKey, "key", { limit: 1000 })
  const nonces = yield* store.find(Nonce, "used", newest)
  const processes = yield* store.find(Process, "key", { limit: 1024 })
  const renewals = processes.map(({ leaseUntilMs }) => leaseUntilMs - leaseMs)
  const moments = [...orders, ...keys].map(({ createdAtMs }) => createdAtMs)
  return {
    businessMs: Math.max(0, ...moments, ...audit.map(({ atMs }) => atMs)),
    /** The newest of all, also of writes that leave no other time. */
    latestMs: Math.max(0, store.lastCommitAtMs ?? 0, ...moments, ...audit.map(({ atMs }) => atMs), ...renewals),
    machineMs: Math.max(0, ...nonces.map(({ usedAtMs }) => usedAtMs))
  }
})

const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

const warning = (nowMs: number, seenMs: number): string | undefined =>
  seenMs - nowMs <= toleratedMs
    ? undefined
    : `The clock says ${time(nowMs)}, yet the store has seen ${time(seenMs)}, ${Math.round((seenMs - nowMs) / 1000)} s later. ` +
      "Requests dated by a right clock are refused (code 44), and what is due waits. Set the clock and start again."

/**
 * Asks the other clocks for the time: the database, or the bank, whose answer about the newest card payment contains its time if its adapter
 * reports it.
 */
const askOthers = Effect.gen(function* () {
  const store = yield* Store
  const clockTrust = yield* ClockTrust
  if (store.clockMs !== undefined) clockTrust.observe("database", yield* store.clockMs)
  if (clockTrust.isTrusted()) return
  const acquirerOf = yield* Acquirers.lookup
  const orders = yield* store.find(Order, "created", { ...newest, limit: 1000 })
  const order = orders.find(({ kind }) => isCardKind(kind))
  const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
  if (order === undefined || request === undefined || !isOfBank(request)) return
  const { amountMinor } = order
  const bank = acquirerOf(order)
  const { bankTimeMs } = yield* Effect.timeout(
    bank.inquire(BankQuestion.inquiryOf(order, request, { amountMinor, original: undefined })),
    bank.capabilities.deadlineMs
  )
  if (bankTimeMs !== undefined) clockTrust.observe("bank", bankTimeMs)
}).pipe(
  Effect.catchCause((cause) =>
    Effect.logDebug("No other clock can be asked for the time now; it is tried again", cause)
  )
)

/** A database is always asked: it may contradict a machine whose clock was wrong from the start. */
const askIfNeeded = Effect.gen(function* () {
  const { clockMs } = yield* Store
  if (clockMs !== undefined || !(yield* ClockTrust).isTrusted()) yield* askOthers
})

/** Time between two looks whether another clock must be asked. */
export const Every = Context.Reference<Duration.Input>("@pay/gateway/ClockCheck/Every", {
  defaultValue: () => "10 seconds"
})

/** Records that an operator said at the start that the machine's clock is right. This process may have no number yet. */
const recordAcceptance = Effect.fnUntraced(
  function* (by: string, latestMs: number) {
    const store = yield* Store
    const entry = Audit.entry({
      auditId: (yield* Ids).next(),
      atMs: yield* Clock.currentTimeMillis,
      actor: `host:${by}`,
      action: "clock.accept",
      subject: { kind: "store", id: "clock" },
      detail: { lastCommit: time(latestMs) }
    })
    yield* Transact.record(store, [entry])
  },
  Effect.provide(Ids.layer.pipe(Layer.provide(AuthClock.layer)))
)

/** Stores the last certain time while a start is not trusted. */
const remembered = Effect.fnUntraced(function* (latestMs: number) {
  const store = yield* Store
  const clockTrust = yield* ClockTrust
  const row = yield* store.load(CertainTime, ["latest"])
  const certainMs = row?.atMs ?? latestMs
  let isRemembered = row !== undefined
  return {
    certainMs,
    remember: Effect.suspend(() => {
      if (isRemembered || clockTrust.isTrusted()) return Effect.void
      isRemembered = true
      return Transact.record(store, [Decision.put(CertainTime, { name: "latest", atMs: certainMs })])
    }),
    forget: Effect.suspend(() => {
      if (!isRemembered || !clockTrust.isTrusted()) return Effect.void
      isRemembered = false
      return Transact.record(store, [Decision.remove(CertainTime, ["latest"])])
    }).pipe(
      Effect.catch((error) => {
        isRemembered = true
        return Effect.logDebug("That the time is certain cannot be stored now; it is tried again", error)
      })
    )
  }
})

const check = Effect.gen(function* () {
  const { businessMs, latestMs, machineMs } = yield* clocks
  const authClock = yield* AuthClock
  const clockTrust = yield* ClockTrust
  const { certainMs, forget, remember } = yield* remembered(latestMs)
  clockTrust.start(latestMs === 0 ? undefined : certainMs)
  if (clockTrust.acceptedBy !== undefined) yield* recordAcceptance(clockTrust.acceptedBy, latestMs)
  const mustAsk = !clockTrust.isTrusted()
  yield* askIfNeeded
  yield* Effect.andThen(remember, forget)
  const message = warning(yield* Clock.currentTimeMillis, businessMs) ?? warning(authClock.nowMs(), machineMs)
  if (message !== undefined) yield* Effect.logWarning(message)
  if (mustAsk && !clockTrust.isTrusted())
    yield* Effect.logWarning(
      `The last certain time was ${time(certainMs)}, and only the machine's clock says that it is ${time(yield* Clock.currentTimeMillis)}: holds do not end and nothing is charged by date until the database's or the bank's clock agrees. Set the clock, or start with --accept-clock if it is right`
    )
  yield* Effect.andThen(askIfNeeded, forget).pipe(Effect.delay(yield* Every), Effect.forever, Effect.forkScoped)
})

export const layer = Layer.effectDiscard(check)
