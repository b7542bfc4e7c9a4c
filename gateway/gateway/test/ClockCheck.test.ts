import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as ClockCheck from "../src/ClockCheck.ts"
import * as AdapterCall from "../src/kernel/AdapterCall.ts"
import * as Audit from "../src/kernel/Audit.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as ClockTrust from "../src/kernel/ClockTrust.ts"
import * as Decision from "../src/kernel/Decision.ts"
import * as JumpGuard from "../src/kernel/JumpGuard.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Nonce } from "../src/merchants/Call.ts"
import * as KeyLifecycle from "../src/merchants/decide/KeyLifecycle.ts"
import { MerchantKey } from "../src/merchants/decide/MerchantKey.ts"
import { Acquirer } from "../src/orders/bank/Acquirer.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Row from "./Row.ts"

const eightMs = Date.UTC(2026, 10, 22, 8)
const minuteMs = 60_000

const key: MerchantKey = {
  keyId: "shop/control-1",
  version: 1,
  merchantId: "shop",
  number: 1,
  kind: "control",
  fingerprint: "v1.x",
  material: "x",
  source: "file",
  createdAtMs: eightMs,
  validFromMs: eightMs,
  validUntilMs: null,
  revokedAtMs: null
}
const auditEntry = Audit.entry({
  auditId: "1",
  atMs: eightMs,
  actor: "operator:operator",
  action: "merchants.reload",
  subject: { kind: "merchants", id: "file" },
  detail: {}
})
const nonce = Decision.append(Nonce, { consumerKey: "shop", nonce: "n", usedAtMs: eightMs })

/** Returns what is logged at a start at this time, on a store with this row. */
const linesAt = Effect.fnUntraced(function* (nowMs: number, row: Decision.Write) {
  const lines: Array<unknown> = []
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
  yield* TestClock.setTime(nowMs)
  yield* Effect.gen(function* () {
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [row] })
    yield* Layer.build(ClockCheck.layer)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(StoreMemory.layer, logger, Layer.succeed(AuthClock, { nowMs: () => nowMs })))
  )
  return lines.map(String)
})

describe("a clock that is behind the store", () => {
  for (const [name, row] of [
    ["a later merchant key", Decision.append(MerchantKey, key)],
    ["a later audit entry", auditEntry],
    ["a later nonce", nonce]
  ] as const) {
    it.effect(`is reported at the start with both times: ${name}`, () =>
      Effect.gen(function* () {
        const [output = "", ...more] = yield* linesAt(eightMs - 60 * minuteMs, row)
        assert.include(
          output,
          "The clock says 2026-11-22T07:00:00.000Z, yet the store has seen 2026-11-22T08:00:00.000Z"
        )
        assert.include(output, "3600 s later")
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual(yield* linesAt(eightMs - minuteMs, row), [])
        assert.deepStrictEqual(yield* linesAt(eightMs + minuteMs, row), [])
      })
    )
  }
})

describe("a merchant key that is newer than the clock", () => {
  it.each([
    ["is active if it was valid from its creation", key, "active"],
    ["is pending if it becomes valid later", { ...key, validFromMs: eightMs + minuteMs }, "pending"],
    ["stays revoked", { ...key, revokedAtMs: eightMs }, "revoked"]
  ] as const)("%s", (_, row, expected) =>
    assert.strictEqual(KeyLifecycle.state(row, eightMs - 60 * minuteMs), expected)
  )
})

const dayMs = 86_400_000

describe("a start three days after the last commit", () => {
  /** What the other clocks say, from the machine's. Absent: there is none, or it does not say. */
  const rows: ReadonlyArray<{
    readonly name: string
    readonly database?: number
    readonly bank?: number
    readonly acceptedBy?: string
    readonly trusted: boolean
    readonly audit?: ReadonlyArray<string>
  }> = [
    { name: "no other clock", trusted: false },
    { name: "a database that agrees", database: 1000, trusted: true },
    { name: "a database that is three days behind", database: -3 * dayMs, trusted: false },
    { name: "a bank that agrees", bank: 2000, trusted: true },
    { name: "a bank that is three days behind", bank: -3 * dayMs, trusted: false },
    {
      name: "the word of an operator, which is recorded",
      acceptedBy: "tester",
      trusted: true,
      audit: ["clock.accept host:tester"]
    }
  ]
  it.effect.each(rows)(
    "is trusted if another clock agrees: $name",
    ({ acceptedBy, audit = [], bank, database, trusted }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(eightMs + 3 * dayMs)
        const guard = JumpGuard.make(yield* Clock.Clock)
        const clockTrust = ClockTrust.make(guard, { acceptedBy })
        const stored = Layer.effect(
          Store,
          Effect.map(Store, (store) =>
            Store.of({
              ...store,
              lastCommitAtMs: eightMs,
              ...(database === undefined ? {} : { clockMs: Effect.map(Clock.currentTimeMillis, (ms) => ms + database) })
            })
          )
        ).pipe(Layer.provide(StoreMemory.layer))
        const acquirer = Layer.mock(Acquirer, {
          ...AdapterCall.mark,
          capabilities: { longestProcessingMs: 1, deadlineMs: 1, transfers: false, eligibility: false },
          inquire: () =>
            Effect.map(Clock.currentTimeMillis, (ms) => ({
              _tag: "NotFound" as const,
              ...(bank === undefined ? {} : { bankTimeMs: ms + bank })
            }))
        })
        const orders = [
          Decision.append(Order, Row.row(Order, { orderId: "1", requestId: "2", kind: "sale", createdAtMs: eightMs })),
          Decision.append(OrderRequest, Row.row(OrderRequest, { requestId: "2", orderId: "1", action: "sale" })),
          Decision.append(
            Order,
            Row.row(Order, { orderId: "2", clientOrderId: "2", kind: "payout", createdAtMs: eightMs + 1 })
          )
        ]
        yield* Effect.gen(function* () {
          yield* (yield* Store).commit({ guards: [], writes: orders })
          yield* Layer.build(ClockCheck.layer)
          assert.strictEqual(clockTrust.isTrusted(), trusted)
          const entries = yield* (yield* Store).find(Audit.AuditEntry, "at", { limit: 10 })
          assert.deepStrictEqual(
            entries.map(({ action, actor }) => `${action} ${actor}`),
            audit
          )
        }).pipe(
          Effect.scoped,
          Effect.provide(
            Layer.mergeAll(
              stored,
              acquirer,
              Logger.layer([]),
              Layer.succeed(ClockTrust.ClockTrust, clockTrust),
              Layer.succeed(AuthClock, { nowMs: () => eightMs })
            )
          )
        )
      })
  )

  it.effect("is not trusted again because of what an untrusted start committed, until another clock agrees", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(eightMs + 35 * dayMs)
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [nonce, auditEntry] })
      const start = (lastCommitAtMs: number, databaseMs?: number) =>
        Effect.gen(function* () {
          const clockTrust = ClockTrust.make(JumpGuard.make(yield* Clock.Clock))
          const opened = { ...store, lastCommitAtMs }
          yield* Layer.build(ClockCheck.layer).pipe(
            Effect.scoped,
            Effect.provideService(ClockTrust.ClockTrust, clockTrust),
            Effect.provideService(
              Store,
              databaseMs === undefined ? opened : { ...opened, clockMs: Effect.succeed(databaseMs) }
            )
          )
          return clockTrust.isTrusted()
        })
      const nowMs = yield* Clock.currentTimeMillis
      assert.deepStrictEqual(
        [yield* start(eightMs), yield* start(nowMs), yield* start(nowMs, nowMs), yield* start(nowMs)],
        [false, false, true, true]
      )
    }).pipe(
      Effect.provide(
        Layer.mergeAll(StoreMemory.layer, Logger.layer([]), Layer.succeed(AuthClock, { nowMs: () => eightMs }))
      )
    )
  )
})
