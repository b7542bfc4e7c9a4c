import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as StoreContract from "../src/storeContract/StoreContract.ts"

describe("the store in memory keeps the contract", () => {
  for (const { name, run } of StoreContract.cases) it.effect(name, () => Effect.provide(run, StoreMemory.layer))
})
