import { describe, it } from "@effect/vitest"
import * as StoreContract from "@pay/gateway/StoreContract"
import { Effect } from "effect"
import * as SqliteStore from "../src/SqliteStore.ts"

describe("the store on SQLite keeps the contract", () => {
  for (const { name, run } of StoreContract.cases) {
    it.effect(name, () => Effect.provide(run, SqliteStore.layer({ path: ":memory:" })))
  }
})
