import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AcquirerContract from "../src/AcquirerContract.ts"
import * as BankBooksContract from "../src/BankBooksContract.ts"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import * as SandboxWorld from "../src/SandboxWorld.ts"
import { card } from "./Inquiry.ts"

describe("the simulated bank as an acquirer", () => {
  const cards = { approved: card(), declined: card(undefined, "116"), recipient: card().pan }
  for (const { name, run } of AcquirerContract.cases(cards)) {
    it.effect(name, () => Effect.provide(run, SandboxAcquirer.layer()))
  }
  for (const { name, run } of BankBooksContract.cases({ ...cards, skewMs: 0 })) {
    it.live(name, () => Effect.provide(run, SandboxWorld.layer()))
  }
})
