import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Session from "../postgres/Session.ts"
import { check, database, migrate, onDatabase, reasonOf, Server, sql } from "./Stores.ts"

const password = "only-for-tests"

/** A database with a role that owns it, and a role that is only let in. */
const roles = Effect.gen(function* () {
  const server = yield* Server
  const url = yield* database
  const name = new URL(url).pathname.slice(1)
  const suffix = randomUUID().slice(0, 8)
  const [owner, runner] = [`owner_${suffix}`, `runner_${suffix}`]
  yield* Effect.acquireRelease(
    Effect.gen(function* () {
      for (const role of [owner, runner]) yield* sql(server, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
      yield* sql(server, `GRANT CREATE ON DATABASE ${name} TO ${owner}`)
    }),
    () =>
      Effect.gen(function* () {
        yield* sql(url, `DROP OWNED BY ${owner}, ${runner} CASCADE`)
        for (const role of [owner, runner]) yield* sql(server, `DROP ROLE ${role}`)
      }).pipe(Effect.orDie)
  )
  const as = (role: string, secret = `:${password}`) => {
    const own = new URL(url)
    return `postgres://${role}${secret}@${own.host}${own.pathname}`
  }
  return { as, owner, runner }
})

const stateOf = (url: string, text: string) => Session.stateOf(sql(url, text))

layer(Server.layer, { excludeTestServices: true })("the role that runs a gateway", (it) => {
  it.effect("serves payments on the schema of another role, and cannot change tables or append-only rows", () =>
    Effect.gen(function* () {
      const { as, owner, runner } = yield* roles
      const folder = yield* temporaryFolder
      const url = { database: { url: Redacted.make(as(runner)) } }
      const early = yield* reasonOf(Layer.build(onDatabase(as(runner))))
      assert.include(early, "run `pay store migrate`")
      const first = yield* migrate(as(owner), runner)
      assert.strictEqual(first.applied, first.step)
      assert.strictEqual((yield* migrate(as(owner), runner)).applied, 0)
      yield* Effect.gen(function* () {
        const order = yield* TestMerchant.order("SALE")
        assert.include(yield* TestMerchant.orderStatus(order), "approved")
      }).pipe(TestGateway.running(folder, url))
      for (const { appendOnly, name } of Entities.all) {
        const table = `pay."${name}"`
        assert.strictEqual(yield* stateOf(as(runner), `ALTER TABLE ${table} ADD COLUMN more int`), "42501")
        assert.strictEqual(yield* stateOf(as(runner), `TRUNCATE ${table}`), "42501")
        if (!appendOnly) continue
        assert.strictEqual(yield* stateOf(as(runner), `DELETE FROM ${table}`), "42501")
        assert.strictEqual(yield* stateOf(as(owner), `TRUNCATE ${table}`), "PY001")
      }
      // Rights alone do not keep the owner: the triggers do.
      assert.strictEqual(yield* stateOf(as(runner), "UPDATE pay.ledger SET minor = 1"), "42501")
      assert.strictEqual(yield* stateOf(as(owner), "UPDATE pay.ledger SET minor = 1"), "PY001")
      assert.strictEqual(yield* stateOf(as(owner), "DELETE FROM pay.ledger"), "PY001")
      assert.strictEqual(yield* stateOf(as(runner), 'DROP TRIGGER "ledger.no change" ON pay.ledger'), "42501")
      assert.strictEqual(yield* stateOf(as(runner), "DELETE FROM pay.migrations"), "42501")
      assert.strictEqual(yield* stateOf(as(runner), "DELETE FROM pay.store"), "42501")
    })
  )
})

layer(Server.layer, { excludeTestServices: true })("a check of a database", (it) => {
  it.effect("reports wrong rights, triggers, indexes, functions, settings and books", () =>
    Effect.gen(function* () {
      const { as, owner, runner } = yield* roles
      yield* migrate(as(owner), runner)
      const sound = yield* check(as(owner))
      assert.deepInclude(sound, { engine: "PostgreSQL", pending: 0, users: [], problems: [] })
      assert.deepStrictEqual(sound.roles, { [owner]: "owns", [runner]: "runs" })
      assert.notInclude(JSON.stringify(sound), password)
      const wrong: ReadonlyArray<readonly [sql: string, problem: string]> = [
        [`GRANT UPDATE ON pay.ledger TO ${runner}`, `The role ${runner} may UPDATE rows of ledger`],
        [
          `REVOKE INSERT ON pay.cards FROM ${runner}`,
          `lacks INSERT on cards: run pay store migrate --run-as ${runner}`
        ],
        ["ALTER TABLE pay.audit DISABLE TRIGGER ALL", 'The trigger "audit.no change" is missing'],
        ['DROP INDEX pay."orders.created"', 'The index "orders.created" is missing'],
        ["INSERT INTO pay.balances VALUES ('merchant', 5)", "The balance of merchant is not the sum"],
        [
          `INSERT INTO pay.ledger VALUES ('e', 'o', 'r', 'sale', 'merchant', 5, 0)`,
          "The movement r:sale does not sum to zero but to 5"
        ],
        [
          "DO $$ DECLARE f text; BEGIN FOR f IN SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'claim%' LOOP EXECUTE 'DROP FUNCTION ' || f; END LOOP; END $$",
          "The function pay.claim_"
        ]
      ]
      for (const [text, problem] of wrong) {
        yield* sql(as(owner), text)
        assert.include((yield* check(as(owner))).problems.join("\n"), problem)
      }
      assert.include((yield* check(as(owner), join(yield* temporaryFolder, "none"))).witness, "There is no witness")
    })
  )

  it.effect("reports the state of the witness, and who uses the store", () =>
    Effect.gen(function* () {
      const url = yield* database
      const folder = yield* temporaryFolder
      const witness = join(folder, "postgres.witness")
      const sandbox = { witness, database: { url: Redacted.make(url) } }
      const during = yield* Effect.andThen(TestMerchant.order("SALE"), check(url, witness)).pipe(
        TestGateway.running(folder, sandbox)
      )
      assert.include(during.users.join(), "in use by a session of process")
      assert.include(during.witness, "has seen nothing that is missing here")
      assert.strictEqual(during.rows.orders, 1)
      yield* sql(url, "UPDATE pay.writers SET number = number - 1 WHERE number > 0")
      assert.include((yield* check(url, witness)).problems.join(), "lacks commits that this gateway saw")
      writeFileSync(witness, "{")
      assert.include((yield* Effect.flip(check(url, witness))).message, "cannot be read")
    })
  )
})
