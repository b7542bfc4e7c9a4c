import { spawnSync } from "node:child_process"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import * as WebFile from "@pay/flows/durable/WebFile"
import { Clock, Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { callbackRequest, inbox, inSandbox, ShopClosed, saleWithCallback, signed } from "./Callbacks.ts"

const program = fileURLToPath(new URL("processes/Shop.ts", import.meta.url))

/** Processes of the shop, one after the other, each on a copy of the file as it was when the process before it was killed. */
const processes = Effect.map(temporaryFolder, (inside) => {
  let processNumber = 0
  const open = (answer: Effect.Effect<void, ShopClosed>) =>
    Effect.flatMap(WebFile.open({ path: join(inside, `${processNumber}.db`), origin: "moved" }), ({ callbacks }) =>
      inbox({ store: callbacks }, answer)
    )
  return <A, E, R>(
    use: (shop: Effect.Success<ReturnType<typeof open>>) => Effect.Effect<A, E, R>,
    answer: Effect.Effect<void, ShopClosed> = Effect.void
  ) =>
    open(answer).pipe(
      Effect.flatMap(use),
      Effect.tap(() =>
        Effect.sync(() => {
          for (const part of ["db", "db-wal", "db.witness"]) {
            copyFileSync(join(inside, `${processNumber}.${part}`), join(inside, `${processNumber + 1}.${part}`))
          }
          processNumber += 1
        })
      ),
      Effect.scoped
    )
})

it.live(
  "an acknowledged early callback and an expected order survive kill -9",
  () =>
    inSandbox(
      Effect.gen(function* () {
        const { orderid: _, ...callback } = yield* callbackRequest
        yield* saleWithCallback("o-2")
        const path = join(yield* temporaryFolder, "web.db")
        const { signal, stdout } = spawnSync(process.execPath, [program, path, "o-2", JSON.stringify(callback)], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "inherit"]
        })
        assert.deepStrictEqual([signal, stdout.trim()], ["SIGKILL", "200"])

        const { callbacks } = yield* WebFile.open({ path })
        const { expect, received, receive, sweep } = yield* inbox({ store: callbacks })
        const nowMs = yield* inWallTime(Clock.currentTimeMillis)
        const clock = yield* TestClock.make()
        yield* clock.setTime(nowMs + 3_600_000)
        assert.strictEqual(yield* Effect.provideService(sweep, Clock.Clock, clock), 1)
        assert.deepStrictEqual(received, ["o-2 approved"])
        yield* expect({ clientOrderId: "o-1" })
        assert.deepStrictEqual(received, ["o-2 approved", "o-1 approved"])
        assert.strictEqual((yield* receive(callback)).status, 200)
        assert.deepStrictEqual(received, ["o-2 approved", "o-1 approved"])
      })
    ),
  60_000
)

it.effect("a repeat of a callback that was processed before a restart is ignored", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const live = yield* processes
      yield* live(({ expect, received, receive }) =>
        Effect.gen(function* () {
          yield* expect({ clientOrderId: "o-1" })
          assert.strictEqual((yield* receive(callback)).status, 200)
          assert.deepStrictEqual(received, ["o-1 approved"])
        })
      )
      yield* live(({ received, receive }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* receive(callback)).status, 200)
          assert.deepStrictEqual(received, [])
          // Another event of the same order reaches the shop: the order stays known.
          const event = { status: "approved", orderid: callback.orderid, client_orderid: "o-1" }
          assert.strictEqual((yield* receive(yield* signed(event, { webhookId: "another" }))).status, 200)
          assert.deepStrictEqual(received, ["o-1 approved"])
        })
      )
    })
  )
)

it.effect("a callback that the shop did not process before a restart is delivered after it", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const live = yield* processes
      yield* live(({ received, receive }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* receive(callback)).status, 200)
          assert.deepStrictEqual(received, [])
        })
      )
      yield* live(({ expect }) => expect({ clientOrderId: "o-1" }), Effect.fail(new ShopClosed()))
      yield* live(({ received, sweep }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* sweep, 1)
          assert.deepStrictEqual(received, ["o-1 approved"])
        })
      )
    })
  )
)

it.effect("a sweep finds an order that was expected before a restart, once", () =>
  inSandbox(
    Effect.gen(function* () {
      const live = yield* processes
      yield* live(({ expect }) => expect({ clientOrderId: "o-1" }))
      yield* callbackRequest
      yield* TestClock.adjust("10 minutes")
      yield* live(({ expect, sweep }) =>
        Effect.gen(function* () {
          // A shop expects its orders again after a start: the time since the first expect counts.
          yield* expect({ clientOrderId: "o-1" })
          assert.strictEqual(yield* sweep, 0)
        })
      )
      yield* TestClock.adjust("5 minutes")
      yield* live(({ received, sweep }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* sweep, 1)
          assert.deepStrictEqual(received, ["o-1 approved"])
        })
      )
      yield* TestClock.adjust("10 days")
      yield* live(({ sweep }) => Effect.map(sweep, (count) => assert.strictEqual(count, 0)))
    })
  )
)

it.effect("a callback that cannot be stored is not acknowledged", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const scope = yield* Scope.make()
      const path = join(yield* temporaryFolder, "web.db")
      const { callbacks } = yield* Scope.provide(WebFile.open({ path }), scope)
      const { expect, received, receive, sweep } = yield* inbox({ store: callbacks })
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* receive(callback)).status, 503)
      assert.strictEqual((yield* Effect.flip(expect({ clientOrderId: "o-1" })))._tag, "CallbackStoreError")
      assert.strictEqual(yield* sweep, 0)
      assert.deepStrictEqual(received, [])
    })
  )
)
