import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as StoreContract from "../src/ports/StoreContract.ts"
import * as StoreMemory from "../src/ports/StoreMemory.ts"

describe("the store in memory keeps the contract", () => {
  for (const { name, run } of StoreContract.cases) it.effect(name, () => Effect.provide(run, StoreMemory.layer))
})
