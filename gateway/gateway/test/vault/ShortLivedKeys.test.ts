import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../../../packages/sqlite/test/TemporaryFolder.ts"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as KeyRing from "../../src/vault/KeyRing.ts"
import { KeyVault } from "../../src/vault/KeyVault.ts"
import * as KeyVaultLocal from "../../src/vault/KeyVaultLocal.ts"
import * as ShortLivedKeys from "../../src/vault/ShortLivedKeys.ts"

const minutes = (count: number) => count * 60_000

/** A wall clock that a test sets, and a way to start processes under it. */
const world = (folder: string | undefined) => {
  const clock = { nowMs: 1_790_000_000_000 }
  const failures: Array<string> = []
  const start = () =>
    ShortLivedKeys.make({ folder, nowMs: () => clock.nowMs, report: (text) => void failures.push(text) })
  return { clock, failures, start }
}

const inFolder = Effect.map(temporaryFolder, (parent) => {
  const folder = join(parent, "short-lived-keys")
  return { folder, ...world(folder) }
})

describe("short-lived keys in a folder", () => {
  it("encrypt for half an hour, decrypt for almost an hour, and never again", () => {
    const { clock, start } = world(undefined)
    const keys = start()
    const first = keys.current()
    const values: Array<readonly [minute: number, seals: boolean, opens: boolean]> = []
    for (const minute of [0, 29, 30, 31, 57, 58, 59, 60, 600]) {
      clock.nowMs = 1_790_000_000_000 + minutes(minute)
      values.push([minute, keys.current().id === first.id, keys.find(first.id) !== undefined])
    }
    assert.deepStrictEqual(values, [
      [0, true, true],
      [29, true, true],
      [30, false, true],
      [31, false, true],
      [57, false, true],
      [58, false, false],
      [59, false, false],
      [60, false, false],
      [600, false, false]
    ])
  })

  it.effect("are in files younger than an hour, and one file always exists", () =>
    Effect.gen(function* () {
      const { clock, folder, start, failures } = yield* inFolder
      const keys = start()
      const createdMinute = new Map<string, number>()
      for (let minute = 0; minute < 300; minute += 1) {
        keys.tend()
        const names = fs.readdirSync(folder)
        for (const name of names) if (!createdMinute.has(name)) createdMinute.set(name, minute)
        assert.isAtLeast(names.length, 1)
        for (const name of names) assert.isBelow(minute - (createdMinute.get(name) ?? 0), 59)
        clock.nowMs += minutes(1)
      }
      assert.deepStrictEqual([createdMinute.size, failures], [10, []])
    })
  )

  it.effect("are in files that only their owner can read and that are overwritten before removal", () =>
    Effect.gen(function* () {
      const { clock, folder, start } = yield* inFolder
      const keys = start()
      const [name = ""] = fs.readdirSync(folder)
      const path = join(folder, name)
      assert.deepStrictEqual([fs.statSync(folder).mode & 0o777, fs.statSync(path).mode & 0o777], [0o700, 0o600])
      const before = fs.readFileSync(path)
      const stillOpen = fs.openSync(path, "r")
      clock.nowMs += ShortLivedKeys.decryptsForMs
      keys.tend()
      const after = fs.readFileSync(stillOpen)
      fs.closeSync(stillOpen)
      assert.isFalse(fs.existsSync(path))
      assert.strictEqual(after.length, before.length)
      assert.notInclude(after.toString("hex"), before.subarray(8, 24).toString("hex"))
    })
  )

  it.effect("are found again after a restart until they expire", () =>
    Effect.gen(function* () {
      const { clock, folder, start } = yield* inFolder
      const { id } = start().current()
      clock.nowMs += minutes(10)
      assert.strictEqual(start().current().id, id, "it still seals")
      clock.nowMs += minutes(30)
      const second = start()
      assert.notStrictEqual(second.current().id, id)
      assert.isDefined(second.find(id))
      clock.nowMs += minutes(18)
      const third = start()
      assert.isUndefined(third.find(id))
      assert.isFalse(fs.existsSync(join(folder, `${id.toString(16).padStart(8, "0")}.key`)))
    })
  )

  it.effect("are shared by the processes that share the folder", () =>
    Effect.gen(function* () {
      const { clock, start } = yield* inFolder
      const [one, other] = [start(), start()]
      clock.nowMs += minutes(31)
      const { id, key } = other.current()
      assert.isTrue(one.find(id)?.equals(key))
      clock.nowMs += ShortLivedKeys.decryptsForMs
      assert.isUndefined(one.find(id))
    })
  )

  it.effect("do not last longer if the clock is set back, and survive a small step back", () =>
    Effect.gen(function* () {
      const { clock, folder, start } = yield* inFolder
      const { id } = start().current()
      clock.nowMs -= 1_000
      assert.isDefined(start().find(id))
      clock.nowMs -= minutes(60)
      assert.isUndefined(start().find(id))
      assert.notInclude(fs.readdirSync(folder), `${id.toString(16).padStart(8, "0")}.key`)
    })
  )

  it.effect("are destroyed if truncated, open to others or half written, and other files stay", () =>
    Effect.gen(function* () {
      const { folder, start } = yield* inFolder
      fs.mkdirSync(folder, { mode: 0o700 })
      const write = (name: string, mode = 0o600, length = 40) => {
        const bytes = Buffer.alloc(length, 1)
        if (length >= 8) bytes.writeBigUInt64BE(1_790_000_000_000n)
        fs.writeFileSync(join(folder, name), bytes)
        fs.chmodSync(join(folder, name), mode)
      }
      write("00000001.key")
      write("00000002.key", 0o644)
      write("00000003.key", 0o600, 39)
      write("00000004.key", 0o600, 0)
      write("00000005.key.0a0b0c.draft")
      write("README")
      const keys = start()
      assert.deepStrictEqual(fs.readdirSync(folder).sort(), ["00000001.key", "README"])
      assert.strictEqual(keys.current().id, 1)
    })
  )

  it.effect("are refused in a folder that others can enter", () =>
    Effect.gen(function* () {
      const { folder, start } = yield* inFolder
      fs.mkdirSync(folder)
      fs.chmodSync(folder, 0o750)
      assert.throws(start, `${folder} is open to others (mode 750): chmod 700`)
    })
  )

  it.effect("continue in memory if the folder fails, and the failure is reported", () =>
    Effect.gen(function* () {
      const { clock, folder, start, failures } = yield* inFolder
      const keys = start()
      fs.rmSync(folder, { recursive: true })
      fs.writeFileSync(folder, "")
      clock.nowMs += minutes(31)
      const { id } = keys.current()
      assert.isDefined(keys.find(id))
      assert.match(failures.join("\n"), /^A short-lived key is kept in memory only: /)
    })
  )
})

describe("a short-lived value in the vault", () => {
  const cvv = Redacted.make("123")

  it.effect("cannot be decrypted after its key expires", () =>
    Effect.gen(function* () {
      const clock = { nowMs: 1_790_000_000_000 }
      const authClock = Layer.succeed(AuthClock, { nowMs: () => clock.nowMs })
      const keyRing = yield* KeyRing.generate
      const shortLivedKeysFolder = join(yield* temporaryFolder, "short-lived-keys")
      const layer = Layer.provide(KeyVaultLocal.layer({ keyRing, shortLivedKeysFolder }), authClock)
      const encrypted = yield* Effect.provide(
        Effect.map(KeyVault, ({ encryptShortLived }) => encryptShortLived(cvv, "order:1")),
        layer,
        { local: true }
      )
      yield* Effect.gen(function* () {
        const { decryptShortLived } = yield* KeyVault
        clock.nowMs += minutes(57)
        assert.strictEqual(Redacted.value(yield* decryptShortLived(encrypted, "order:1")), "123")
        clock.nowMs += minutes(1)
        const failure = yield* Effect.flip(decryptShortLived(encrypted, "order:1"))
        assert.match(failure.message, /^its key \d+ does not exist here$/)
      }).pipe(Effect.provide(layer, { local: true }))
    })
  )

  it.effect("cannot be decrypted after a restart of a vault without a folder", () =>
    Effect.gen(function* () {
      const layer = Layer.provide(KeyVaultLocal.layer({ keyRing: yield* KeyRing.generate }), AuthClock.layer)
      const encrypted = yield* Effect.provide(
        Effect.map(KeyVault, ({ encryptShortLived }) => encryptShortLived(cvv, "order:1")),
        layer,
        { local: true }
      )
      const opened = Effect.flatMap(KeyVault, ({ decryptShortLived }) => decryptShortLived(encrypted, "order:1"))
      assert.strictEqual((yield* Effect.flip(Effect.provide(opened, layer, { local: true })))._tag, "CannotOpen")
    })
  )

  it.effect("loses its key by the real clock, even while business time stands still", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers()),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const clock = { nowMs: 1_790_000_000_000 }
      const authClock = Layer.succeed(AuthClock, { nowMs: () => clock.nowMs })
      const shortLivedKeysFolder = join(yield* temporaryFolder, "short-lived-keys")
      const keyRing = yield* KeyRing.generate
      yield* Layer.build(Layer.provide(KeyVaultLocal.layer({ keyRing, shortLivedKeysFolder }), authClock))
      const [first = ""] = fs.readdirSync(shortLivedKeysFolder)
      clock.nowMs += ShortLivedKeys.decryptsForMs
      yield* Effect.promise(() => vi.advanceTimersByTimeAsync(minutes(1)))
      const names = fs.readdirSync(shortLivedKeysFolder)
      assert.deepStrictEqual([names.length, names.includes(first)], [1, false])
    })
  )

  it.effect("is not stored with an unusable folder: the vault does not start", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.chmodSync(folder, 0o755)
      const keyRing = yield* KeyRing.generate
      const layer = Layer.provide(KeyVaultLocal.layer({ keyRing, shortLivedKeysFolder: folder }), AuthClock.layer)
      const failure = yield* Effect.flip(Layer.build(layer))
      assert.match(failure.message, /is open to others \(mode 755\): chmod 700$/)
    })
  )
})
