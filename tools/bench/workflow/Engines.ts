/** One workflow on two engines over the same kind of file: this repository's, and Effect's cluster with a single runner. */
import { join } from "node:path"
import * as Database from "@pay/sqlite/Database"
import type { Executions } from "@pay/workflow-sqlite/Executions"
import * as Engine from "@pay/workflow-sqlite/WorkflowEngine"
import { Effect, Layer, Schema } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { Activity, Workflow, type WorkflowEngine } from "effect/workflow"
import * as SqlClient from "../../../packages/flows/test/durable/SqlClient.ts"

export class Paid extends Workflow.make("Paid", {
  payload: { id: Schema.String },
  success: Schema.Int,
  idempotencyKey: ({ id }) => id
}) {}

/** A workflow of three activities that do not wait, so that only the engine is measured. */
const PaidLayer = Paid.toLayer(
  Effect.fnUntraced(function* () {
    let sum = 0
    for (const name of ["order", "authorise", "settle"]) {
      sum += yield* Activity.make({ name, success: Schema.Int, execute: Effect.succeed(14) })
    }
    return sum
  })
)

export const embedded = (directory: string): Layer.Layer<WorkflowEngine.WorkflowEngine | Executions> =>
  Layer.unwrap(
    Effect.map(Database.open({ path: join(directory, "embedded.db") }), (database) =>
      PaidLayer.pipe(Layer.provideMerge(Engine.layer({ database })))
    )
  ).pipe(Layer.orDie)

export const cluster = (directory: string): Layer.Layer<WorkflowEngine.WorkflowEngine> =>
  Layer.unwrap(
    Effect.map(Database.open({ path: join(directory, "cluster.db") }), (database) =>
      PaidLayer.pipe(
        Layer.provideMerge(ClusterWorkflowEngine.layer),
        Layer.provide(SingleRunner.layer()),
        Layer.provide([SqlClient.layer(database), Digest.layerWebCrypto])
      )
    )
  ).pipe(Layer.orDie)
