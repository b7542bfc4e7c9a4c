import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result, Schema } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Activity, DurableDeferred, Workflow } from "effect/workflow"
import * as Database from "../src/Database.ts"
import * as Client from "../src/SqlClient.ts"
import { entries } from "./Fixture.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

const client = Effect.gen(function* () {
  const database = yield* Database.open({ path: yield* temporaryFile })
  database.connection.exec(entries)
  return Client.layer(database)
})

const withClient = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(client, (layer) => Effect.provide(program, layer, { local: true }))

const names = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`SELECT name FROM entry ORDER BY place`
  return rows.map(({ name }) => name)
})

describe("the SqlClient", () => {
  it.effect("reads and writes rows, as objects and as values, with numbers or bigints", () =>
    withClient(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO entry ${sql.insert([{ name: "a" }, { name: "b" }])}`
        assert.deepStrictEqual(yield* names, ["a", "b"])
        assert.deepEqual(yield* sql`SELECT place, name FROM entry WHERE name = ${"b"}`.values, [[2, "b"]])
        assert.deepEqual(yield* sql`SELECT place FROM entry`, [{ place: 1 }, { place: 2 }])
        const large = yield* sql`SELECT 9007199254740993 AS n`.pipe(Effect.provideService(SqlClient.SafeIntegers, true))
        assert.deepEqual(large, [{ n: 9007199254740993n }])
      })
    )
  )

  it.effect("rolls back a failed transaction, and only the inner one if the outer continues", () =>
    withClient(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const add = (name: string) => sql`INSERT INTO entry ${sql.insert({ name })}`
        yield* Effect.flip(sql.withTransaction(Effect.andThen(add("gone"), Effect.fail("no"))))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* add("kept")
            yield* Effect.flip(sql.withTransaction(Effect.andThen(add("inner"), Effect.fail("no"))))
          })
        )
        assert.deepStrictEqual(yield* names, ["kept"])
      })
    )
  )

  it.effect("reports a duplicate key as a UniqueViolation, also of a primary key", () =>
    withClient(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const add = (place: number, name: string) => Effect.flip(sql`INSERT INTO entry ${sql.insert({ place, name })}`)
        yield* sql`INSERT INTO entry ${sql.insert({ place: 1, name: "a" })}`
        assert.strictEqual((yield* add(2, "a")).reason._tag, "UniqueViolation")
        assert.strictEqual((yield* add(1, "b")).reason._tag, "UniqueViolation")
        const wrong = yield* Effect.result(sql`SELEC 1`)
        assert.isTrue(Result.isFailure(wrong))
      })
    )
  )
})

class Greeting extends Workflow.make("Greeting", {
  payload: { name: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ name }) => name
}) {}

const Answer = DurableDeferred.make("Answer", { success: Schema.String })

describe("Effect's cluster on the SqlClient", () => {
  it.live(
    "runs a workflow that waits for a deferred value",
    () =>
      Effect.gen(function* () {
        const database = yield* Database.open({ path: yield* temporaryFile })
        const engine = Greeting.toLayer(
          Effect.fnUntraced(function* ({ name }) {
            const greeted = yield* Activity.make({
              name: "greet",
              success: Schema.String,
              execute: Effect.succeed(`hello ${name}`)
            })
            return `${greeted}, ${yield* DurableDeferred.await(Answer)}`
          })
        ).pipe(
          Layer.provideMerge(ClusterWorkflowEngine.layer),
          Layer.provide(SingleRunner.layer()),
          Layer.provide([Client.layer(database), Digest.layerWebCrypto])
        )
        yield* Effect.gen(function* () {
          const id = yield* Greeting.execute({ name: "Ada" }, { discard: true })
          const token = yield* DurableDeferred.tokenFromPayload(Answer, {
            workflow: Greeting,
            payload: { name: "Ada" }
          })
          yield* DurableDeferred.succeed(Answer, { token, value: "and welcome" })
          assert.strictEqual(yield* Greeting.execute({ name: "Ada" }), "hello Ada, and welcome")
          assert.isTrue(Option.isSome(yield* Greeting.poll(id)))
        }).pipe(Effect.provide(engine))
      }),
    30_000
  )
})
