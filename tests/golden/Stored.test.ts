/** What the gateway stores and sends is named as it was: an earlier version's database opens, and its bank knows its references. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { AuthClock } from "@pay/gateway/AuthClock"
import * as Entities from "@pay/gateway/Entities"
import { KeyVault } from "@pay/gateway/KeyVault"
import * as KeyVaultLocal from "@pay/gateway/KeyVaultLocal"
import { migrations } from "@pay/storage/Migrations"
import { Effect, Layer, Redacted } from "effect"
import * as Frozen from "./Frozen.ts"

/** A line for each column, index and trigger. */
const schemaOf = (database: DatabaseSync): ReadonlyArray<string> =>
  database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    .all()
    .flatMap(({ name, sql, type }) =>
      type === "table"
        ? database
            .prepare('SELECT name AS "column", type AS "kind", "notnull", pk FROM pragma_table_info(?)')
            .all(String(name))
            .map(
              ({ column, kind, notnull, pk }) =>
                `${name}.${column}: ${kind}${notnull === 1 ? " NOT NULL" : ""}${pk === 0 ? "" : `, key ${pk}`}`
            )
        : [`${name}: ${String(sql).replaceAll(/\s+/g, " ")}`]
    )

describe("the gateway's store", () => {
  it("has unchanged tables, columns, indexes and triggers", () => {
    const database = new DatabaseSync(":memory:")
    for (const { sql } of migrations) database.exec(sql)
    const current = schemaOf(database)
    assert.deepStrictEqual(Frozen.missing("schema", current), [])
    assert.deepStrictEqual(Frozen.unlisted("schema", current), [])
  })

  it("has unchanged entities", () => {
    const current = Entities.all.map(({ name }) => name)
    assert.deepStrictEqual(Frozen.missing("entities", current), [])
    assert.deepStrictEqual(Frozen.unlisted("entities", current), [])
  })
})

const bytes = (of: number) => Redacted.make<Uint8Array>(Buffer.alloc(32, of))
const keyRing = { master: { current: 1, keys: { 1: bytes(1) } }, hashing: { current: 1, keys: { 1: bytes(2) } } }

it.effect("frozen hashes and encrypted values can still be found and decrypted", () =>
  Effect.gen(function* () {
    const vault = yield* KeyVault
    const card = Redacted.make("4444000022224444")
    const sealed = Frozen.lines("encrypted").map((line) => Buffer.from(line, "base64"))
    for (const value of sealed) {
      assert.strictEqual(Redacted.value(yield* vault.decrypt(value, "card:17")), "4444000022224444")
    }
    assert.isAbove(sealed.length, 0)
    const hashes = [
      `card ${vault.cardHash("merchant", card)}`,
      `fingerprint ${vault.fingerprint("merchant", "content")}`
    ]
    assert.deepStrictEqual(Frozen.unlisted("hashes", hashes), [])
  }).pipe(Effect.provide(Layer.provide(KeyVaultLocal.layer({ keyRing }), AuthClock.layer)))
)
