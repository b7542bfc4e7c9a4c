/** An execution that cannot be run does not keep the engine and other executions from running. */
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@pay/sqlite/Database"
import { Effect, Layer, Schema, type Scope } from "effect"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { Charge, World } from "./Charge.ts"
import { often } from "./Contract.ts"
import { processOn } from "./Engines.ts"

const options = {
  payload: Schema.Struct({ id: Schema.String }),
  idempotencyKey: ({ id }: { readonly id: string }) => id
}

const Broken = Flow.make({
  ...options,
  name: "Broken",
  run: (): Effect.Effect<void> => {
    throw new Error("it throws at once")
  }
})

const Gone = Flow.make({
  ...options,
  name: "Gone",
  run: ({ id }) => Effect.asVoid(Steps.awaitSignal("news", { key: `gone:${id}`, timeout: "1 day" }))
})

const change = (path: string, sql: string) =>
  Effect.scoped(
    Effect.flatMap(Database.open({ path }), ({ connection }) => Effect.sync(() => connection.prepare(sql).run()))
  )

const withGone = Layer.mergeAll(Charge.layer, Broken.layer, Gone.layer)

const durable = ["file", "cluster"] as const

/** A file that another program has changed is refused as a whole, so this can happen only on a cluster. */
const damage = `UPDATE cluster_messages SET payload = '{"id":"x","payload":"y","sentBy":"z"}'
  WHERE entity_id LIKE 'Gone/%' AND tag = 'run'`

const stuck = Effect.flatMap(FlowEngine, (engine) =>
  Effect.repeat(engine.list({ state: "stuck", limit: 10 }), { schedule: often, until: (page) => page.length > 0 })
)
const othersRun = Effect.gen(function* () {
  assert.strictEqual(yield* Charge.execute({ id: "other" }), "done")
})
const startGone = Effect.gen(function* () {
  const engine = yield* FlowEngine
  yield* Gone.start({ id: "1" })
  yield* Effect.repeat(Gone.poll("1"), { schedule: often, until: ({ _tag }) => _tag === "Waiting" })
  yield* engine.settled
})
const wakeGone = Effect.flatMap(FlowEngine, (engine) => engine.signal("gone:1"))

const test = (name: string, program: (path: string) => Effect.Effect<void, unknown, World | Scope.Scope>) =>
  it.live(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(World.layer)))

for (const name of durable) {
  describe(`an execution that cannot be run, on the engine of ${name}`, () => {
    test("is stuck if its program throws at once, also in the next process", (path) =>
      Effect.gen(function* () {
        const isStuck = Effect.gen(function* () {
          const [execution] = yield* stuck
          assert.deepInclude(execution, { id: "Broken/1", flow: "Broken" })
          assert.include(execution?.stuckOn, "it throws at once")
          yield* othersRun
        })
        yield* processOn(name, path, withGone)(Effect.andThen(Broken.start({ id: "1" }), isStuck))
        yield* processOn(name, path, withGone)(isStuck)
      }))

    test("is stuck if its flow does not exist any more, and continues when it exists again", (path) =>
      Effect.gen(function* () {
        yield* processOn(name, path, withGone)(startGone)
        yield* processOn(
          name,
          path,
          Charge.layer
        )(
          Effect.gen(function* () {
            yield* wakeGone
            yield* othersRun
            const [execution] = yield* stuck
            assert.deepInclude(execution, { id: "Gone/1", flow: "Gone" })
            assert.include(execution?.stuckOn, "add Gone.layer")
          })
        )
        const end = yield* processOn(name, path, withGone)(Gone.ended("1"))
        assert.strictEqual(end._tag, "Succeeded")
      }))
  })
}

describe("an execution that cannot be run, on the engine of cluster", () => {
  test("is stuck if its stored payload is damaged", (path) =>
    Effect.gen(function* () {
      yield* processOn("cluster", path, withGone)(startGone)
      yield* change(path, damage)
      yield* processOn(
        "cluster",
        path,
        withGone
      )(
        Effect.gen(function* () {
          yield* wakeGone
          yield* othersRun
          const [execution] = yield* stuck
          assert.deepInclude(execution, { id: "Gone/1", flow: "Gone" })
          assert.isString(execution?.stuckOn)
        })
      )
    }))
})
