import * as fs from "node:fs"
import { join } from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"

const keysOf = ({ hashing, master }: KeyRing.KeyRing) =>
  [master, hashing].map(({ current, keys }) => ({
    current,
    keys: Object.entries(keys).map(([version, key]) => [version, Buffer.from(Redacted.value(key)).toString("base64")])
  }))

const base64 = (byte: number, length = 32) => Buffer.alloc(length, byte).toString("base64")

const messageOf = <A>(effect: Effect.Effect<A, KeyRing.KeyRingError>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a key ring in a file", () => {
  const file = Effect.map(temporaryFolder, (folder) => join(folder, "keys", "ring.json"))

  it.effect("is created once, readable only by its owner, and read at each later start", () =>
    Effect.gen(function* () {
      const path = yield* file
      const made = yield* KeyRing.fromFile(path, { create: true })
      assert.strictEqual(fs.statSync(path).mode & 0o777, 0o600)
      for (const create of [true, false]) {
        assert.deepStrictEqual(keysOf(yield* KeyRing.fromFile(path, { create })), keysOf(made))
      }
      assert.deepStrictEqual(fs.readdirSync(join(path, "..")), ["ring.json"], "no draft is left")
    })
  )

  it.effect("is the same for processes that start at the same time", () =>
    Effect.gen(function* () {
      const path = yield* file
      const open = KeyRing.fromFile(path, { create: true })
      const rings = yield* Effect.all([open, open, open], { concurrency: "unbounded" })
      assert.strictEqual(new Set(rings.map((ring) => JSON.stringify(keysOf(ring)))).size, 1)
    })
  )

  it.effect("is not created unless requested", () =>
    Effect.gen(function* () {
      const path = yield* file
      assert.match(yield* messageOf(KeyRing.fromFile(path, { create: false })), /ENOENT/)
      assert.isFalse(fs.existsSync(path))
    })
  )

  it.effect.each([0o640, 0o604, 0o620, 0o644, 0o660, 0o777])("is refused with file mode %o", (mode) =>
    Effect.gen(function* () {
      const path = yield* file
      yield* KeyRing.fromFile(path, { create: true })
      fs.chmodSync(path, mode)
      const message = yield* messageOf(KeyRing.fromFile(path, { create: true }))
      assert.strictEqual(message, `${path} is open to others (mode ${mode.toString(8)}): chmod 600`)
    })
  )

  it.effect("is read with a master key that an operator has added, and with the earlier keys", () =>
    Effect.gen(function* () {
      const path = yield* file
      const first = yield* KeyRing.fromFile(path, { create: true })
      const { hashing, master } = JSON.parse(fs.readFileSync(path, "utf8"))
      const added = { current: 2, keys: { ...master.keys, "2": base64(9) } }
      fs.writeFileSync(path, JSON.stringify({ master: added, hashing }))
      const read = yield* KeyRing.fromFile(path, { create: false })
      assert.deepStrictEqual([read.master.current, Object.keys(read.master.keys)], [2, ["1", "2"]])
      assert.deepStrictEqual([read.master.keys[1], read.hashing], [first.master.keys[1], first.hashing])
    })
  )

  const good = { current: 1, keys: { "1": base64(7) } }
  const noRing = "is no key ring (JSON with `master` and `hashing` keys)"

  it.effect.each([
    ["nothing", "", noRing],
    ["no JSON", "master: 1", noRing],
    ["another JSON", "[]", noRing],
    ["no hashing keys", { master: good }, noRing],
    ["no Base64", { master: good, hashing: { current: 1, keys: { "1": "*".repeat(44) } } }, noRing],
    [
      "a short key",
      { master: { current: 1, keys: { "1": base64(7, 31) } }, hashing: good },
      "has a key that is not 32 bytes long"
    ],
    [
      "a long key",
      { master: { current: 1, keys: { "1": base64(7, 33) } }, hashing: good },
      "has a key that is not 32 bytes long"
    ],
    [
      "no current key",
      { master: { current: 2, keys: { "1": base64(7) } }, hashing: good },
      "lacks its current version"
    ],
    ["no keys", { master: good, hashing: { current: 1, keys: {} } }, "lacks its current version"],
    [
      "version 0",
      { master: { current: 0, keys: { "0": base64(7) } }, hashing: good },
      "has a version that is no number"
    ],
    [
      "a version in words",
      { master: { ...good, keys: { "1": base64(7), two: base64(8) } }, hashing: good },
      "has a version that is no number"
    ]
  ] as const)("is refused without showing its content: %s", ([, content, expected]) =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "ring.json")
      fs.writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 })
      const failure = yield* Effect.flip(KeyRing.fromFile(path, { create: true }))
      assert.strictEqual(failure.message, `${path} ${expected}`)
      for (const secret of [base64(7), base64(7, 31)]) assert.notInclude(inspect(failure, { depth: null }), secret)
    })
  )
})

describe("a key ring from the environment", () => {
  const read = (environment: Record<string, string>) =>
    Effect.provide(KeyRing.fromConfig, ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))

  it.effect("has one key of each kind", () =>
    Effect.gen(function* () {
      const ring = yield* read({ PAY_MASTER_KEY: base64(1), PAY_HASHING_KEY: base64(2) })
      assert.deepStrictEqual(keysOf(ring), [
        { current: 1, keys: [["1", base64(1)]] },
        { current: 1, keys: [["1", base64(2)]] }
      ])
      assert.notInclude(inspect(ring, { depth: null }), base64(1))
    })
  )

  it.effect("has several versions of a key, and the highest is current", () =>
    Effect.gen(function* () {
      const { master } = yield* read({
        PAY_MASTER_KEY: `10:${base64(10)}, 9:${base64(9)}`,
        PAY_HASHING_KEY: base64(2)
      })
      assert.deepStrictEqual([master.current, Object.keys(master.keys)], [10, ["9", "10"]])
    })
  )

  it.effect.each([
    [{ PAY_HASHING_KEY: base64(2) }, "PAY_MASTER_KEY is not set"],
    [{ PAY_MASTER_KEY: base64(1) }, "PAY_HASHING_KEY is not set"],
    [{ PAY_MASTER_KEY: "secret", PAY_HASHING_KEY: base64(2) }, "PAY_MASTER_KEY has a key that is not 32 bytes long"],
    [
      { PAY_MASTER_KEY: base64(1, 31), PAY_HASHING_KEY: base64(2) },
      "PAY_MASTER_KEY has a key that is not 32 bytes long"
    ],
    [
      { PAY_MASTER_KEY: `a:${base64(1)}`, PAY_HASHING_KEY: base64(2) },
      "PAY_MASTER_KEY has a version that is no number"
    ],
    [{ PAY_MASTER_KEY: base64(1), PAY_HASHING_KEY: "" }, "PAY_HASHING_KEY is not set"]
  ] as const)("is refused: %j: %s", ([environment, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* messageOf(read(environment)), expected)
    })
  )
})
