/** Stores whose migrations are not those of this program: of a later release, and of a development version. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import { migrations } from "../src/Migrations.ts"
import * as SqliteSource from "../src/move/SqliteSource.ts"
import * as Image from "./Image.ts"

const later: Migration.Migration = {
  id: 1000,
  name: "later",
  sql: 'ALTER TABLE "orders" ADD COLUMN "later" TEXT; CREATE INDEX "orders.later" ON "orders" ("later")'
}

/** Opens a store as a program with these migrations does, and closes it cleanly. Returns its orders. */
const openedBy = Effect.fnUntraced(function* (image: Image.Image, list: ReadonlyArray<Migration.Migration>) {
  const path = yield* Database.claim(image)
  const examined = yield* Durability.examine(path, image)
  const database = yield* Database.connect(path, image)
  yield* Migration.migrate(database, list)
  yield* Durability.begin(database, examined, image)
  return database.connection.prepare('SELECT "orderId" FROM "orders" ORDER BY 1').all()
}, Effect.scoped)

const refusal = (image: Image.Image) =>
  Effect.map(Effect.flip(Effect.scoped(Image.on(image, Effect.void))), ({ message }) => message)

describe("a store", () => {
  it.effect("keeps its rows when a later release changes the schema, and is refused by this one", () =>
    Effect.gen(function* () {
      const image = yield* Image.empty
      yield* Image.on(image, Image.sell("1", "2"))
      const orders = yield* openedBy(image, [...migrations, later])
      assert.deepStrictEqual(
        orders.map(({ orderId }) => orderId),
        ["1", "2"]
      )
      assert.strictEqual(
        yield* refusal(image),
        "this database has migration 1000 (later), which this release does not know; start the newer release"
      )
    })
  )

  const former = migrations.map((migration) => ({ ...migration, sql: `${migration.sql}CREATE TABLE "former" ("id")` }))
  const developed =
    "this database was made by a development version of pay, whose migration 1 (entities) differs; start with an empty folder, or with npm start -- --fresh"

  it.effect("of a development version is refused with what to do", () =>
    Effect.gen(function* () {
      const image = yield* Image.empty
      yield* openedBy(image, former)
      assert.strictEqual(yield* refusal(image), developed)
    })
  )

  it.effect("of a development version that called its own row otherwise is refused with the same sentence", () =>
    Effect.gen(function* () {
      const image = yield* Image.empty
      yield* Image.on(image, Image.sell("1", "2"))
      const file = new DatabaseSync(image.path)
      file.exec(`UPDATE migration SET checksum = 'former'; ALTER TABLE "storeMark" RENAME TO "standing"`)
      file.close()
      assert.strictEqual(yield* refusal(image), developed)
      const unmoved = yield* Effect.flip(Effect.scoped(SqliteSource.open(image)))
      assert.strictEqual(unmoved.message, developed)
    })
  )
})
