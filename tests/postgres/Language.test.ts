/** What went wrong is told by the states of a server, whatever language its messages are in. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as PostgresSession from "../../packages/storage/src/postgres/Session.ts"
import * as Target from "../../packages/storage/src/postgres/Target.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"

/** A server whose messages are German, where the machine has them. */
class German extends Context.Service<German, { readonly url: string }>()("@pay/tests/German") {
  static readonly layer = Layer.effect(
    German,
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ fsync: false, language: "de" })
      yield* Session.query(Session.superuser(server), "ALTER DATABASE postgres SET lc_messages = 'C.UTF-8'")
      return { url: Session.url([server.port]) }
    })
  )
}

const connected = Effect.gen(function* () {
  const { url } = yield* German
  const target = yield* Effect.fromResult(Target.parse(url, undefined))
  return yield* PostgresSession.connect(target, { connectMs: 5000, answerMs: 10_000 })
})

const raising = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`

layer(German.layer, { excludeTestServices: true })("a server that speaks another language", (it) => {
  it.effect.each(["53200", "58030", "57014", "25006", "23505", "40001", "XX000"])(
    "refuses a statement with %s, and its session goes on",
    (state) =>
      Effect.gen(function* () {
        const session = yield* connected
        const failure = yield* Effect.flip(session.query({ text: raising(state), values: [] }))
        assert.strictEqual(failure._tag === "Refused" ? `${failure.state}` : failure._tag, state)
        // A server that takes no writes is of no use, though its session goes on.
        assert.strictEqual(session.isOpen(), state !== "25006")
      })
  )

  it.effect.each([
    ["tells of its end", "SELECT pg_terminate_backend(pg_backend_pid())"],
    ["tells of its end by an error of a statement", raising("57P01")]
  ] as const)("%s: what became of the statement is not known", ([, text]) =>
    Effect.gen(function* () {
      const session = yield* connected
      assert.strictEqual((yield* Effect.flip(session.query({ text, values: [] })))._tag, "Lost")
      assert.isFalse(session.isOpen())
    })
  )

  it.effect("takes batches apart for which it has no room", () =>
    Effect.gen(function* () {
      const { url } = yield* German
      const store = yield* Sales.open(url, { writers: 1 })
      // More than one of these is too much for a statement.
      const admin = { connectionString: url }
      yield* Session.query(
        admin,
        `CREATE FUNCTION narrow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF (SELECT count(*) FROM added) > 1 THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53200'; END IF;
           RETURN NULL; END $$`
      )
      yield* Session.query(
        admin,
        `CREATE TRIGGER narrow AFTER INSERT ON pay.orders REFERENCING NEW TABLE AS added
           FOR EACH STATEMENT EXECUTE FUNCTION narrow()`
      )
      const sales = Sales.none()
      yield* Effect.all(
        Array.from({ length: 8 }, (_, n) => Sales.sell(store, sales, `sale-${n}`)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(sales.acknowledged, 8)
      yield* Sales.check(store, sales)
    })
  )
})
