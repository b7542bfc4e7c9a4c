/** Each state in which a restored gateway takes no payments yet, and what ends it. Then a payment is accepted. */
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { BankBooks, BooksUnavailable, RailBooks } from "@pay/gateway/BankBooks"
import * as Decision from "@pay/gateway/Decision"
import { Restoration } from "@pay/gateway/Entities"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { Store } from "@pay/gateway/Store"
import { Clock, Context, Effect, Layer } from "effect"
import * as ManageBookings from "../../gateway/gateway/src/restore/ManageBookings.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as World from "../harness/World.ts"
import * as Copies from "./Copies.ts"

const restored: TestGateway.Options = { restored: { by: "tester" } }

const accepted = Effect.gen(function* () {
  yield* Copies.enumerated
  assert.include(yield* Effect.flatMap(TestMerchant.order("SALE"), TestMerchant.orderStatus), "approved")
})

/** A start that takes no payments and ends before it knows the bank's bookings. */
const waiting = Effect.gen(function* () {
  assert.strictEqual((yield* TestMerchant.create("SALE")).status, 503)
})

const sold = Effect.andThen(TestMerchant.order("SALE"), TestMerchant.pass("1 hour"))

interface Row {
  readonly state: string
  /** Leaves the state in the folder. */
  readonly before: (folder: string) => Effect.Effect<unknown, unknown>
  readonly command: string
  readonly start?: TestGateway.Options
}

const rows: ReadonlyArray<Row> = [
  {
    state: "the gateway was stopped before it had listed the bookings",
    before: (folder) => waiting.pipe(TestGateway.running(folder, restored)),
    command: "a start"
  },
  {
    state: "the store was restored again before the bookings were listed",
    before: (folder) => waiting.pipe(TestGateway.running(folder, restored)),
    command: "--restored",
    start: restored
  },
  {
    state: "it was restored three times",
    before: (folder) =>
      Effect.repeat(
        Effect.suspend(() => waiting.pipe(TestGateway.running(folder, restored))),
        { times: 2 }
      ),
    command: "a start"
  },
  {
    state: "the backup is of a gateway that was listing the bookings",
    before: Effect.fnUntraced(function* (folder) {
      yield* Effect.andThen(waiting, Copies.backup(folder)).pipe(TestGateway.running(folder, restored))
      for (const name of ["gateway.db", "gateway.db-wal", "store.witness"]) rmSync(join(folder, name), { force: true })
      yield* Copies.back(folder, folder)
    }),
    command: "pay restore FILE FOLDER"
  },
  {
    state: "the folder was copied while the gateway was listing the bookings",
    before: Effect.fnUntraced(function* (folder) {
      const copy = `${folder}.copy`
      const copied = Effect.sync(() => cpSync(folder, copy, { recursive: true }))
      yield* Effect.andThen(waiting, copied).pipe(TestGateway.running(folder, restored))
      rmSync(folder, { recursive: true })
      cpSync(copy, folder, { recursive: true })
    }),
    command: "--moved",
    start: { moved: { by: "tester" } }
  },
  {
    state: "the first start was under a clock that was 35 days ahead",
    before: Effect.fnUntraced(function* (folder) {
      yield* TestMerchant.pass("35 days").pipe(TestGateway.running(folder))
      yield* waiting.pipe(TestGateway.running(folder, restored))
      rmSync(join(folder, "clock.json"))
    }),
    command: "a start after the clock was set"
  }
]

describe("a restored gateway", () => {
  it.live.each(rows)("takes payments again: $state; $command", ({ before, start }) =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "data")
      yield* sold.pipe(TestGateway.running(folder))
      yield* before(folder)
      yield* Effect.andThen(waiting, accepted).pipe(TestGateway.running(folder, start))
      yield* accepted.pipe(TestGateway.running(folder))
    })
  )
})

type Outside = Context.Context<Layer.Success<ReturnType<typeof World.outside>>>
type Inside = Layer.Success<ReturnType<typeof World.gateway>>
type Life = (outside: Outside) => Layer.Layer<Inside | Layer.Success<ReturnType<typeof World.outside>>>

/** Bank and rail list their bookings, or cannot, or never can. */
const lists: Life = (outside) => Layer.orDie(Layer.provideMerge(World.gateway(), Layer.succeedContext(outside)))
const unavailable = () => Effect.fail(new BooksUnavailable({ message: "maintenance" }))
const brokenRail = RailBooks.checked({ bookings: unavailable })
const bankFails: Life = (outside) =>
  lists(Context.add(outside, BankBooks, BankBooks.checked({ bookings: unavailable })))
const railFails: Life = (outside) => lists(Context.add(outside, RailBooks, brokenRail))
const bankHasNoBooks: Life = (outside) =>
  Layer.orDie(Layer.provide(World.gateway(), Layer.succeedContext(Context.omit(BankBooks)(outside)))).pipe(
    Layer.merge(Layer.succeedContext(outside))
  )
const hasNoRail: Life = (outside) =>
  Layer.orDie(Layer.provide(World.gateway(), Layer.succeedContext(Context.omit(PayoutRail, RailBooks)(outside)))).pipe(
    Layer.merge(Layer.succeedContext(outside))
  )

const restoredAtMs = World.startMs
const restoration: Restoration = {
  name: "latest",
  version: 1,
  restoredAtMs,
  startedAtMs: null,
  lastCommitAtMs: restoredAtMs - 60_000,
  enumeratedAtMs: null
}

const sale = Effect.gen(function* () {
  const order = yield* ClientMerchant.create("SALE")
  yield* World.settled
  return (yield* ClientMerchant.status(order)).status
})

/** `pay bookings import` of an empty list that covers everything until now. */
const imported = (source: "bank" | "rail") =>
  Effect.gen(function* () {
    const { take } = yield* ManageBookings.make
    const toMs = yield* Clock.currentTimeMillis
    yield* take("operator:tester", { source, bookings: [], covers: { fromMs: 0, toMs } })
  })

interface BankRow {
  readonly state: string
  readonly first: Life
  readonly command: string
  readonly runs?: Effect.Effect<void, unknown, Inside | Layer.Success<ReturnType<typeof World.outside>>>
  /** The gateway that starts after the command; by default the first one goes on. */
  readonly second?: Life
}

const bankRows: ReadonlyArray<BankRow> = [
  { state: "the bank cannot list", first: bankFails, command: "pay bookings import", runs: imported("bank") },
  { state: "the bank cannot list", first: bankFails, command: "a start when it can", second: lists },
  { state: "the adapter has no books", first: bankHasNoBooks, command: "pay bookings import", runs: imported("bank") },
  {
    state: "the rail cannot list",
    first: railFails,
    command: "pay bookings import --source rail",
    runs: imported("rail")
  },
  { state: "the rail cannot list", first: railFails, command: "a start without the rail", second: hasNoRail }
]

describe("a restored gateway whose bank or rail does not list its bookings", () => {
  it.live.each(bankRows)("takes payments again: $state; $command", ({ first, runs = Effect.void, second }) =>
    Effect.gen(function* () {
      const outside = yield* Layer.build(World.outside())
      const { commit } = Context.get(outside, Store)
      yield* commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
      yield* Effect.gen(function* () {
        yield* World.pass("10 minutes")
        assert.strictEqual((yield* Effect.exit(sale))._tag, "Failure")
        yield* runs
        if (second === undefined) assert.strictEqual(yield* sale, "approved")
      }).pipe(Effect.provide(first(outside), { local: true }))
      if (second === undefined) return
      const later = Effect.andThen(World.pass("10 minutes"), sale)
      assert.strictEqual(yield* Effect.provide(later, second(outside), { local: true }), "approved")
    })
  )

  it.live("takes payments again when the lists of bank and rail are imported at the same time", () =>
    Effect.gen(function* () {
      const outside = yield* Layer.build(
        // The gateway of another process cannot list, and does not see that all is known.
        World.outside({
          spoilStore: (store) => ({ ...store, commit: (d) => Effect.andThen(Effect.yieldNow, store.commit(d)) })
        })
      )
      const { commit } = Context.get(outside, Store)
      yield* commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
      yield* Effect.gen(function* () {
        yield* World.pass("10 minutes")
        yield* Effect.all([imported("bank"), imported("rail")], { concurrency: "unbounded" })
        assert.strictEqual(yield* sale, "approved")
      }).pipe(Effect.provide(bankFails(Context.add(outside, RailBooks, brokenRail)), { local: true }))
    })
  )
})
