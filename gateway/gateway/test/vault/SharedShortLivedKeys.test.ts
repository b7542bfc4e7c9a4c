/** Tests of the short-lived keys for CVVs that several processes share, which may be lost at any time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import { StoreUnavailable } from "../../src/kernel/Store.ts"
import * as KeyRing from "../../src/vault/KeyRing.ts"
import { KeyVault } from "../../src/vault/KeyVault.ts"
import * as KeyVaultLocal from "../../src/vault/KeyVaultLocal.ts"
import * as SharedShortLivedKeys from "../../src/vault/SharedShortLivedKeys.ts"
import { ShortLivedKeyTable } from "../../src/vault/ShortLivedKeyTable.ts"

const minuteMs = 60_000
const startMs = 1_790_000_000_000

interface Wall {
  nowMs: number
}

const process = Effect.fnUntraced(function* (wall: Wall) {
  const table = yield* ShortLivedKeyTable
  return yield* SharedShortLivedKeys.make({
    table,
    nowMs: () => wall.nowMs,
    encrypt: (key, bound) => Buffer.from(`${bound} ${key}`),
    decrypt: (encrypted, bound) => {
      const text = Buffer.from(encrypted).toString()
      return text.startsWith(`${bound} `)
        ? Result.succeed(text.slice(bound.length + 1))
        : Result.fail("bound elsewhere")
    }
  })
})

/** Empties the table, as a failover does. */
const lost = Effect.gen(function* () {
  const table = yield* ShortLivedKeyTable
  yield* table.destroy((yield* table.list).map(({ id }) => id))
})

const size = Effect.flatMap(ShortLivedKeyTable, ({ list }) => Effect.map(list, ({ length }) => length))

describe("short-lived keys in a table", () => {
  it.effect("are found by other processes, and all processes encrypt with the same key", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const one = yield* process(wall)
      const other = yield* process(wall)
      assert.strictEqual(other.current().id, one.current().id)
      wall.nowMs += 30 * minuteMs
      yield* one.tend
      const next = one.current().id
      assert.isUndefined(other.find(next))
      yield* other.load
      assert.isDefined(other.find(next))
    }).pipe(Effect.provide(ShortLivedKeyTable.layerMemory))
  )

  it.effect("are in the table before they encrypt, for less than an hour", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const { list } = yield* ShortLivedKeyTable
      const one = yield* process(wall)
      for (let minute = 0; minute < 200; minute += 1) {
        wall.nowMs += minuteMs
        yield* one.tend
        const rows = yield* list
        assert.include(
          rows.map(({ id }) => id),
          one.current().id
        )
        for (const { createdAtMs } of rows) assert.isBelow(wall.nowMs - createdAtMs, 58 * minuteMs)
      }
    }).pipe(Effect.provide(ShortLivedKeyTable.layerMemory))
  )

  it.effect("are destroyed within an hour by any running process, and then decrypt nothing", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const gone = yield* process(wall)
      const { id } = gone.current()
      wall.nowMs += 31 * minuteMs
      const alive = yield* process(wall)
      assert.isDefined(alive.find(id))
      wall.nowMs += 27 * minuteMs
      yield* alive.tend
      const { list } = yield* ShortLivedKeyTable
      assert.notInclude(
        (yield* list).map((row) => row.id),
        id
      )
      assert.isUndefined(alive.find(id))
      assert.isUndefined(gone.find(id))
      yield* gone.tend
      assert.notInclude(
        (yield* list).map((row) => row.id),
        id
      )
    }).pipe(Effect.provide(ShortLivedKeyTable.layerMemory))
  )

  it.effect("are added again after a loss of the table, by a process that still has them", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const one = yield* process(wall)
      yield* lost
      const other = yield* process(wall)
      const { id } = one.current()
      assert.isUndefined(other.find(id))
      yield* one.tend
      yield* other.load
      assert.isDefined(other.find(id))
    }).pipe(Effect.provide(ShortLivedKeyTable.layerMemory))
  )

  it.effect("are not destroyed by a process whose clock is behind", () =>
    Effect.gen(function* () {
      const one = yield* process({ nowMs: startMs + 10 * minuteMs })
      yield* process({ nowMs: startMs })
      const { list } = yield* ShortLivedKeyTable
      assert.include(
        (yield* list).map(({ id }) => id),
        one.current().id
      )
      assert.strictEqual(yield* size, 2)
    }).pipe(Effect.provide(ShortLivedKeyTable.layerMemory))
  )
})

describe("a vault with short-lived keys in a table", () => {
  const cvv = Redacted.make("123")

  it.effect("decrypts values of other processes, and reports a lost key only if the table is reachable", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const keyRing = yield* KeyRing.generate
      const table = yield* ShortLivedKeyTable
      let isReachable = true
      const list = Effect.suspend(() =>
        isReachable ? table.list : Effect.fail(new StoreUnavailable({ outcomeUnknown: false }))
      )
      const layer = Layer.fresh(KeyVaultLocal.layerShared({ keyRing })).pipe(
        Layer.provide(Layer.succeed(ShortLivedKeyTable, { ...table, list })),
        Layer.provide(Layer.succeed(AuthClock, { nowMs: () => wall.nowMs }))
      )
      const vault = Effect.provide(KeyVault, layer, { local: true })
      const one = yield* vault
      const other = yield* vault
      assert.strictEqual(Redacted.value(yield* other.decryptShortLived(one.encryptShortLived(cvv, "1"), "1")), "123")
      assert.isFalse(
        (yield* table.list).some(({ encryptedKey }) => encryptedKey.length <= 32),
        "keys are encrypted"
      )

      yield* lost
      const third = yield* vault
      const encrypted = one.encryptShortLived(cvv, "1")
      assert.strictEqual((yield* Effect.flip(third.decryptShortLived(encrypted, "1")))._tag, "CannotOpen")
      isReachable = false
      assert.strictEqual((yield* Effect.flip(third.decryptShortLived(encrypted, "1")))._tag, "StoreUnavailable")
      assert.strictEqual(Redacted.value(yield* one.decryptShortLived(encrypted, "1")), "123")
    }).pipe(Effect.scoped, Effect.provide(ShortLivedKeyTable.layerMemory))
  )
})
