import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as WrongAnswers from "./WrongAnswers.ts"

const onFile = Effect.map(temporaryFolder, (folder) =>
  Layer.orDie(SqliteStore.layer({ path: join(folder, "gateway.db"), witness: join(folder, "store.witness") }))
)

describe("a bank whose adapter gives what its port does not have", () => {
  it.live("is inquired, and the sale is settled with the bank's own number", () =>
    Effect.flatMap(onFile, WrongAnswers.inquired)
  )

  it.live("sends text that no store keeps, which is stored with escapes", () =>
    Effect.flatMap(onFile, WrongAnswers.stored)
  )
})
