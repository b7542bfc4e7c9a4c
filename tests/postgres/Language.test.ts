/** Errors are recognized by SQLSTATE, so the language of the server's messages does not matter. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as PostgresSession from "../../gateway/storage/src/postgres/Session.ts"
import * as Target from "../../gateway/storage/src/postgres/Target.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"

/** A server whose messages are German, where the machine has them. */
class German extends Context.Service<German, { readonly url: string }>()("@pay/tests/German") {
  static readonly layer = Layer.effect(
    German,
    Effect.gen(function* () {
      const server = yield* PostgresServer.make({ inMemory: true, language: "de" })
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

layer(German.layer, { excludeTestServices: true })("a store on a server with German messages", (it) => {
  it.effect.each(["53200", "58030", "57014", "25006", "23505", "40001", "XX000"])(
    "keeps its session after a statement was refused with %s",
    (state) =>
      Effect.gen(function* () {
        const session = yield* connected
        const failure = yield* Effect.flip(session.query({ text: raising(state), values: [] }))
        assert.strictEqual(failure._tag === "ServerRefused" ? `${failure.state}` : failure._tag, state)
        // A server that takes no writes is of no use, though its session goes on.
        assert.strictEqual(session.isOpen(), state !== "25006")
      })
  )

  it.effect.each([
    ["ends the session", "SELECT pg_terminate_backend(pg_backend_pid())"],
    ["reports its shutdown as the error of a statement", raising("57P01")]
  ] as const)("reports an unknown outcome when the server %s", ([, text]) =>
    Effect.gen(function* () {
      const session = yield* connected
      assert.strictEqual((yield* Effect.flip(session.query({ text, values: [] })))._tag, "Lost")
      assert.isFalse(session.isOpen())
    })
  )

  it.effect("splits a batch for which the server has no memory", () =>
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
