import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job, type Kind } from "../../src/kernel/Job.ts"
import { OrderGate } from "../../src/kernel/OrderGate.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import * as Gate from "../../src/restore/Gate.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import { Enumeration, Restoration } from "../../src/restore/Restoration.ts"
import { job, occurrence, subscription } from "../domain/Sample.ts"

const restoration: Restoration = {
  ...{ name: "latest", version: 1, restoredAtMs: 1, startedAtMs: 1_000, lastCommitAtMs: 1, enumeratedAtMs: 2_000 }
}
const heldJob = (kind: Kind) =>
  Decision.put(HeldJob, { jobId: `${kind}:1`, kind, subject: "1", dueAtMs: 1, taskId: null })
const work = (kind: Kind) => Decision.put(Job, job({ jobId: `${kind}:1`, kind, subject: "1" }))

/** A recurring payment that is held, due on the first day of each month. The gateway started on the copy on the first such day. */
const recurring = (changes: Partial<Subscription>) => [
  heldJob("recurring"),
  Decision.put(Subscription, subscription({ subscriptionId: "1", anchorDay: "1970-01-01", ...changes }))
]
const charging = Decision.put(Occurrence, occurrence({ subscriptionId: "1" }))

describe("the gate of a restored copy whose bookings are listed", () => {
  it.effect.each([
    ["is open for all", [heldJob("session"), work("session")], undefined, false],
    ["is closed for an order whose job is held", [heldJob("session"), work("session")], "1", true],
    ["is open for another order", [heldJob("session"), work("session")], "2", false],
    ["is open for an order whose held job has ended", [heldJob("session")], "1", false],
    ["is closed for a recurring payment whose charge is in flight", [...recurring({ next: 1 }), charging], "1", true],
    ["is closed for a recurring payment that is starting", recurring({ state: "starting", next: 1 }), "1", true],
    ["is closed while an occurrence may have been charged", [...recurring({ next: 0 }), work("recurring")], "1", true],
    ["is open if the next occurrence was not due before", [...recurring({ next: 1 }), work("recurring")], "1", false],
    ["is open for a recurring payment that is over", recurring({ state: "finished", next: 1 }), "1", false]
  ] as const)("%s", ([, rows, subject, isClosed]) =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration), ...rows] })
      const { closedForMs } = yield* Effect.provide(OrderGate, Gate.layer)
      assert.strictEqual((yield* closedForMs(subject)) !== undefined, isClosed)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})

describe("the gate of a copy", () => {
  /** Restored, and not listed yet. The period of the list ends at the first start, because the bank declares no processing time. */
  const pending = (startedAtMs: number) =>
    Decision.put(Restoration, { ...restoration, startedAtMs, enumeratedAtMs: null })
  const enumeration = Decision.put(Enumeration, {
    ...Adoption.begin(Adoption.lists.bank, restoration.restoredAtMs, { fromMs: 0, toMs: 7_000 }),
    completedAtMs: 1,
    completedBy: "ada"
  })
  it.effect.each([
    ["is no gate if the store is no copy", [], undefined, undefined],
    ["is closed for all until the list can be complete", [pending(5_000)], undefined, 5_000],
    ["is closed for every order until then", [pending(5_000)], "1", 5_000],
    ["is closed for a second at least", [pending(300)], undefined, 1_000],
    ["is looked at each minute while an operator has to import the list", [pending(0)], undefined, 60_000],
    ["waits for no list that is complete", [pending(5_000), enumeration], undefined, 60_000],
    ["is open when the bookings are listed", [Decision.put(Restoration, restoration)], undefined, undefined]
  ] as const)("%s", ([, rows, subject, forMs]) =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [...rows] })
      const { closedForMs } = yield* Effect.provide(OrderGate, Gate.layer)
      assert.strictEqual(yield* closedForMs(subject), forMs)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("opens without a restart when the bookings are listed", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [pending(5_000)] })
      const { closedForMs } = yield* Effect.provide(OrderGate, Gate.layer)
      for (let looks = 0; looks < 3; looks += 1) assert.strictEqual(yield* closedForMs(undefined), 5_000)
      yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
      assert.isUndefined(yield* closedForMs(undefined))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect.each([
    ["not of a store that is no copy", [], 1, false],
    ["of the time of the first start", [pending(5_000)], 5_000, true],
    ["not after it", [pending(5_000)], 5_001, false]
  ] as const)("says that another gateway may go on with an order: %s", ([, rows, createdAtMs, mayBe]) =>
    Effect.gen(function* () {
      yield* (yield* Store).commit({ guards: [], writes: [...rows] })
      const { mayBeOfAnother } = yield* Effect.provide(OrderGate, Gate.layer)
      assert.strictEqual(mayBeOfAnother(createdAtMs), mayBe)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
