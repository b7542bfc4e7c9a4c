/** Starts without a store or on one that was begun, and the single owner of a store. */
import { copyFileSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@pay/sqlite/Database"
import * as Migration from "@pay/sqlite/Migration"
import { Effect } from "effect"
import { migrations } from "../src/Migrations.ts"
import type * as SqliteStore from "../src/SqliteStore.ts"
import * as Image from "./Image.ts"
import * as Sale from "./Sale.ts"

describe("a missing store", () => {
  const cases: ReadonlyArray<readonly [NonNullable<SqliteStore.Options["absent"]>, RegExp]> = [
    ["make", /^opens/],
    ["insist", /^opens/],
    ["refuse", /^absent: .*is its volume mounted.*--new/]
  ]
  it.effect.each(cases)("is created or refused by the option absent=%s", ([absent, expected]) =>
    Effect.gen(function* () {
      assert.match(yield* Image.opening(yield* Image.empty, [], { absent }), expected)
    })
  )
})

describe("a store whose first start was killed before it was taken over", () => {
  const begun = Effect.gen(function* () {
    const image = yield* Image.empty
    yield* Effect.scoped(Effect.flatMap(Database.open(image), (database) => Migration.migrate(database, migrations)))
    return image
  })

  it.effect("is opened, and has a witness from then on", () =>
    Effect.gen(function* () {
      const image = yield* begun
      yield* Image.on(image, Image.sell("new"))
      assert.include(readFileSync(image.witness, "latin1"), " sequence=1 ")
    })
  )

  it.effect("is refused beside the witness of a store with commits", () =>
    Effect.gen(function* () {
      const other = yield* Image.empty
      yield* Image.on(other, Image.sell("old"))
      const image = yield* begun
      copyFileSync(other.witness, image.witness)
      assert.match(yield* Image.opening(image, []), /^behind: .* is no store, but its witness .*: 1 commit is missing/)
    })
  )
})

describe("a store with another owner", () => {
  it.effect("accepts no further write of its earlier owner", () =>
    Effect.gen(function* () {
      const image = yield* Image.empty
      yield* Image.on(
        image,
        Effect.gen(function* () {
          yield* Image.sell("mine")
          const other = new DatabaseSync(image.path)
          other.exec(`UPDATE "storeMark" SET "owner" = 'another'`)
          other.close()
          const error = yield* Effect.flip(Image.sell("late"))
          assert.deepInclude(error, { _tag: "StoreUnavailable", outcomeUnknown: false })
          assert.deepStrictEqual(yield* Sale.present(["mine", "late"]), ["mine"])
        })
      )
    })
  )
})
