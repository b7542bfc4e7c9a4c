import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { Acquirer } from "../../src/orders/bank/Acquirer.ts"
import { Acquirers } from "../../src/orders/bank/Acquirers.ts"
import { BankBooks } from "../../src/orders/bank/BankBooks.ts"
import { BooksUnavailable } from "../../src/orders/record/Booking.ts"
import { BankBooking } from "../../src/restore/BankBooking.ts"
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

it.effect("a restored gateway with several acquirers waits for the list of each, and keeps whose booking it is", () => {
  const listOf = (reference: string, isDown = () => false) => ({
    acquirer: Acquirer.absent(reference),
    bankBooks: BankBooks.checked({
      bookings: () =>
        isDown()
          ? Effect.fail(new BooksUnavailable({ message: "maintenance" }))
          : Effect.succeed({ bookings: [{ ...booking, reference }], next: undefined })
    })
  })
  let isDown = true
  const acquirers = new Map([
    ["acquirer", listOf("8-sale-0")],
    ["tea-bank", listOf("9-sale-0", () => isDown)],
    // It lists the booking of another acquirer, which stays that one's.
    ["third", listOf("8-sale-0")]
  ])
  return Effect.gen(function* () {
    yield* TestClock.setTime(5_000)
    const store = yield* Store
    const work: Job = { ...job(), kind: "enumerate", subject: "latest" }
    yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration), Decision.put(Job, work)] })
    const run = yield* List.make
    const { enumerations, pending } = yield* MissingBookings.make
    yield* run(work)
    const restored = yield* pending
    assert(restored !== undefined)
    assert.deepStrictEqual(
      (yield* enumerations(restored)).map(({ acquirer, completedAtMs }) => [acquirer, completedAtMs]),
      [
        ["acquirer", 5_000],
        ["tea-bank", null],
        ["third", 5_000]
      ]
    )
    isDown = false
    yield* store.commit({ guards: [], writes: [Decision.put(Job, work)] })
    yield* run(work)
    assert.isUndefined(yield* pending)
    const rows = yield* store.find(BankBooking, "state", { equals: ["open"], limit: 10 })
    assert.deepStrictEqual(rows.map(({ acquirer, reference }) => [reference, acquirer]).sort(), [
      ["8-sale-0", null],
      ["9-sale-0", "tea-bank"]
    ])
  }).pipe(Effect.provide(Layer.mergeAll(Layer.succeed(Acquirers, acquirers), StoreMemory.layer, ids)))
})
