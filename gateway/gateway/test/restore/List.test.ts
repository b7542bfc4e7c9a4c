import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { BankBooks } from "../../src/orders/bank/BankBooks.ts"
import * as List from "../../src/restore/List.ts"
import * as MissingBookings from "../../src/restore/MissingBookings.ts"
import { Restoration } from "../../src/restore/Restoration.ts"
import { job } from "../domain/Sample.ts"
import { booking, restoration } from "./Copy.ts"

const ids = Layer.provide(Ids.layer, AuthClock.layer)
it.effect(
  "a row that is no booking keeps the bank's list of a restored gateway incomplete, until it can be read",
  () => {
    let amountMinor = Number.NaN
    const list = () => Effect.sync(() => ({ bookings: [booking, { ...booking, amountMinor }], next: undefined }))
    const bank = Layer.succeed(BankBooks, BankBooks.checked({ bookings: list }))
    return Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const store = yield* Store
      const work: Job = { ...job(), kind: "enumerate", subject: "latest" }
      yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration), Decision.put(Job, work)] })
      const run = yield* List.make
      const { pending } = yield* MissingBookings.make
      yield* run(work)
      assert.isDefined(yield* pending)
      amountMinor = 1042
      yield* store.commit({ guards: [], writes: [Decision.put(Job, work)] })
      yield* run(work)
      assert.isUndefined(yield* pending)
    }).pipe(Effect.provide(Layer.mergeAll(bank, StoreMemory.layer, ids)))
  }
)
