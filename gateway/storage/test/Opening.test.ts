/** Starts without a store or with a store of an earlier release, and the single owner of a store. */
import { readFileSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
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

/** A store of an earlier release, with one sale. */
const earlierRelease = Effect.gen(function* () {
  const image = yield* Image.empty
  yield* Image.on(image, Image.sell("old"))
  const database = new DatabaseSync(image.path)
  database.exec('DROP TABLE "standing"')
  database.close()
  rmSync(image.witness)
  return image
})

describe("a store of a release without witnesses", () => {
  it.effect("is opened, and has a witness from then on", () =>
    Effect.gen(function* () {
      const image = yield* earlierRelease
      assert.match(yield* Image.opening(image, ["old"]), /^opens with 1 of 1/)
      yield* Image.on(image, Image.sell("new"))
      assert.include(readFileSync(image.witness, "latin1"), " sequence=1 ")
    })
  )

  it.effect("is refused when its database is missing, although nothing was committed since", () =>
    Effect.gen(function* () {
      const image = yield* earlierRelease
      assert.match(yield* Image.opening(image, ["old"]), /^opens with 1 of 1/)
      rmSync(image.path)
      assert.match(yield* Image.opening(image, []), /^gone: .*has seen a store that is older than it\. Restore a copy/)
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
          other.exec(`UPDATE "standing" SET "owner" = 'another'`)
          other.close()
          const error = yield* Effect.flip(Image.sell("late"))
          assert.deepInclude(error, { _tag: "StoreUnavailable", outcomeUnknown: false })
          assert.deepStrictEqual(yield* Sale.present(["mine", "late"]), ["mine"])
        })
      )
    })
  )
})
