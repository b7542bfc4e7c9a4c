import { assert, it } from "@effect/vitest"
import * as Database from "@pay/sqlite/Database"
import * as SqlClient from "@pay/sqlite/SqlClient"
import { Effect, Layer, Result, Schema } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { WorkflowEngine } from "effect/workflow"
import * as DurableFlow from "../../src/durable/DurableFlow.ts"
import { Signals } from "../../src/durable/Signals.ts"
import * as Flow from "../../src/Flow.ts"
import * as Steps from "../../src/Steps.ts"
import { Book, lines, Purchase, step, temporaryFile } from "./Fixture.ts"

const Errand = Flow.make({
  name: "Errand",
  summary: "For this test.",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.String,
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* () {
    yield* step("a")
    yield* Steps.sleep("pause", "10 millis")
    const news = yield* Steps.awaitSignal("news", { key: "none", timeout: "10 millis" })
    return `${yield* step("b")}, ${news._tag}`
  })
})

const cluster = Layer.unwrap(
  Effect.gen(function* () {
    const database = yield* Database.open({ path: yield* temporaryFile })
    return ClusterWorkflowEngine.layer.pipe(
      Layer.provide(SingleRunner.layer()),
      Layer.provide([SqlClient.layer(database), Digest.layerWebCrypto])
    )
  })
)

it.live(
  "the same flow runs on Effect's cluster",
  () =>
    Effect.gen(function* () {
      const engine = yield* WorkflowEngine.WorkflowEngine
      const executionId = "Errand/1"
      const result = yield* engine.execute(DurableFlow.typedWorkflowOf(Errand), { executionId, payload: { id: "1" } })
      assert.deepStrictEqual(result, Result.succeed("b, None"))
      assert.deepStrictEqual(yield* lines, ["a", "b"])
    }).pipe(
      Effect.provide(
        DurableFlow.onEngine(Errand).pipe(
          Layer.provideMerge(cluster),
          Layer.provide(Signals.layerDeaf),
          Layer.provideMerge(Book.layer)
        )
      )
    ),
  30_000
)

it.effect("a flow that takes card data is refused by an engine that would keep it in clear", () =>
  Effect.gen(function* () {
    const refused = yield* Effect.flip(Layer.build(DurableFlow.onEngine(Purchase)))
    assert.deepInclude(refused, { _tag: "FlowUnfit", flow: "Purchase" })
  }).pipe(Effect.provide([WorkflowEngine.layerMemory, Signals.layerDeaf, Book.layer]))
)
