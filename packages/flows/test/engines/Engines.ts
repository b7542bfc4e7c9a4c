/** The three engines of flows, each with a storage of its own. */
import * as Database from "@pay/sqlite/Database"
import { Effect, Layer } from "effect"
import { type ShardingConfig, SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Cluster from "../../src/durable/Cluster.ts"
import * as Durable from "../../src/durable/Durable.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import { key } from "../durable/Fixture.ts"
import * as SqlClient from "../durable/SqlClient.ts"

/** Effect's cluster with one runner on a SQLite file. */
export const runner = (
  path: string,
  shardingConfig: Partial<ShardingConfig.ShardingConfig["Service"]> = { entityMessagePollInterval: "100 millis" }
) =>
  Layer.unwrap(
    Effect.map(Database.open({ path }), (database) =>
      SingleRunner.layer({ shardingConfig }).pipe(
        Layer.provideMerge(SqlClient.layer(database)),
        Layer.provide(Digest.layerWebCrypto)
      )
    )
  )

/** Opens an engine that keeps its executions in the file. */
type Open = (path: string) => Layer.Layer<FlowEngine, unknown>

const memory: Open = () => FlowEngine.layerMemory
const file: Open = (path) => Layer.unwrap(Effect.map(Cipher.make({ key }), (cipher) => Durable.layer({ path, cipher })))
const cluster: Open = (path) =>
  Layer.unwrap(Effect.map(Cipher.make({ key }), (cipher) => Cluster.layer({ cipher }))).pipe(
    Layer.provide(runner(path))
  )

export const engines = { memory, file, cluster }
export type Name = keyof typeof engines

/** Runs the program on an engine with these flows, like one process on the file. */
export const processOn =
  <E, R>(name: Name, path: string, flows: Layer.Layer<never, E, R>) =>
  <A, E2, R2>(program: Effect.Effect<A, E2, R2>) =>
    Effect.provide(program, Layer.provideMerge(flows, engines[name](path)), { local: true })

/** Runs the program on a new engine with these flows. */
export const on = <E, R>(name: Name, flows: Layer.Layer<never, E, R>) => {
  const within = <A, E2, R2>(program: Effect.Effect<A, E2, R2>) =>
    Effect.flatMap(temporaryFile, (path) => processOn(name, path, flows)(program))
  return within
}
