/** Faults of disks, on real files: a store has everything that it acknowledged, or is not opened and reports why. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Context, Effect, Layer, Random } from "effect"
import * as Sale from "../../gateway/storage/test/Sale.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as WatchedDisk from "./WatchedDisk.ts"

const seed = 20261122

/** Returns how many of these orders the store has, or why it is not opened. */
const opened = (data: string, names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // The files after a fault are made as copies, and stand for the originals.
    const moved = { by: "tester", isRequired: false }
    const store = SqliteStore.layer({ path: join(data, "gateway.db"), witness: join(data, "store.witness"), moved })
    const context = yield* Layer.build(store)
    return (yield* Effect.provide(Sale.present(names), context)).length
  }).pipe(
    Effect.catch((error) => Effect.succeed(`${error._tag}: ${error.message}`)),
    Effect.scoped
  )

interface Sold {
  /** The folder after the first process. */
  readonly closed: string
  /** The folder after the second process. */
  readonly killed: string
  readonly steps: ReadonlyArray<WatchedDisk.Step>
}

class SoldOrders extends Context.Service<SoldOrders, Sold>()("tests/disk/SoldOrders") {}

/** Two processes sell: the first is closed in good order, the second is killed. */
const sold = Layer.effect(
  SoldOrders,
  Effect.gen(function* () {
    const place = yield* WatchedDisk.place
    const closed = yield* temporaryFolder
    for (const [prefix, end] of [
      ["first", "close"],
      ["second", "kill"]
    ] as const) {
      const child = yield* WatchedDisk.start(place, "Sell", prefix, "300", end)
      assert.strictEqual(child.ready, "0 refused")
      yield* child.ended
      if (end === "close") cpSync(place.data, closed, { recursive: true })
    }
    return { closed, killed: place.data, steps: WatchedDisk.steps(place) }
  })
)

const outcomes: ReadonlyArray<readonly [what: string, among: ReadonlyArray<WatchedDisk.WriteOutcome>]> = [
  ["kept, as after kill -9", ["kept"]],
  ["dropped", ["dropped"]],
  ["torn", ["torn"]],
  ["kept, dropped or torn, each at random", ["kept", "dropped", "torn"]]
]

const cuts = 16
const flips = 40

layer(sold, { timeout: "60 seconds" })("a store", (it) => {
  it.effect.each(outcomes)("has all acknowledged sales after a power cut, with unsynced writes %s", ([_, among]) =>
    Effect.gen(function* () {
      const { steps } = yield* SoldOrders
      const random = yield* Random.Random
      const places = Array.from({ length: cuts }, () => 1 + Math.floor(random.nextDoubleUnsafe() * steps.length))
      const disk = new WatchedDisk.Disk()
      let followed = 0
      for (const place of places.sort((one, other) => one - other)) {
        while (followed < place) disk.follow(steps[followed++] ?? assert.fail("no step"))
        const left = yield* temporaryFolder
        const outcomeOf = () => among[Math.floor(random.nextDoubleUnsafe() * among.length)] ?? "kept"
        disk.leave(left, outcomeOf, () => random.nextDoubleUnsafe() < 0.5)
        const names = WatchedDisk.acknowledged(steps.slice(0, place))
        assert.strictEqual(yield* opened(left, names), names.length, `after step ${place} of ${steps.length}`)
      }
    }).pipe(Random.withSeed(seed))
  )

  it.effect.each([
    ["log", "killed", "gateway.db-wal", "some"],
    ["database", "killed", "gateway.db", "some"],
    ["witness", "killed", "store.witness", "none"],
    ["database", "closed", "gateway.db", "all"]
  ] as const)(
    "has all acknowledged sales, or reports why it is not opened: a flipped bit in its %s, %s",
    ([_, end, name, isRefused]) =>
      Effect.gen(function* () {
        const { [end]: data, steps } = yield* SoldOrders
        const names = WatchedDisk.acknowledged(steps).filter((sale) => end === "killed" || sale.startsWith("first"))
        let refused = 0
        for (let n = 0; n < flips; n++) {
          const left = yield* temporaryFolder
          cpSync(data, left, { recursive: true })
          const bytes = readFileSync(join(left, name))
          const at = yield* Random.nextIntBetween(0, bytes.length - 1)
          bytes[at] = (bytes[at] ?? 0) ^ (1 << (yield* Random.nextIntBetween(0, 7)))
          writeFileSync(join(left, name), bytes)
          const result = yield* opened(left, names)
          if (typeof result === "number") assert.strictEqual(result, names.length, `byte ${at}`)
          else refused++
        }
        // The other flips hit unused bytes, or a value that is in no index.
        assert.strictEqual(refused === 0 ? "none" : refused === flips ? "all" : "some", isRefused)
      }).pipe(Random.withSeed(seed))
  )
})

describe("a store whose disk is full", () => {
  it.live("refuses sales until there is room, and has all acknowledged ones after kill -9", () =>
    Effect.gen(function* () {
      const place = yield* WatchedDisk.place
      const child = yield* WatchedDisk.start(place, "Sell", "sale", "150", "kill", "50")
      const refused = Number.parseInt(child.ready, 10)
      yield* child.ended
      const names = WatchedDisk.acknowledged(WatchedDisk.steps(place))
      assert.strictEqual(names.length, 150 - refused)
      assert.isAtLeast(refused, 10)
      assert.include(names, "sale.149")
      assert.strictEqual(yield* opened(place.data, names), names.length)
    })
  )
})

describe("a store that cannot start", () => {
  it.live.each([
    ["on a full disk", "full", /full|No space/i],
    ["on a read-only disk", "readonly", /unable to open|read-?only/i]
  ] as const)("reports why (%s), and has all its data once the disk works", ([_, fault, says]) =>
    Effect.gen(function* () {
      const place = yield* WatchedDisk.place
      const sell = Effect.fnUntraced(function* (prefix: string) {
        const child = yield* WatchedDisk.start(place, "Sell", prefix, "9", "kill")
        yield* child.ended
        return child.ready
      })
      assert.strictEqual(yield* sell("before"), "0 refused")
      writeFileSync(`${place.fault}.${fault}`, "")
      assert.match(yield* sell("amid"), says)
      rmSync(`${place.fault}.${fault}`)
      const names = WatchedDisk.acknowledged(WatchedDisk.steps(place))
      assert.strictEqual(names.length, 9)
      assert.strictEqual(yield* opened(place.data, names), 9)
    })
  )
})
