/** Follow-ups that bank has booked for an order of a restored copy are registered one after another, before the order opens. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import { BankBooking } from "../../src/restore/BankBooking.ts"
import * as FollowUps from "../../src/restore/FollowUps.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import { Restoration } from "../../src/restore/Restoration.ts"
import { job, preauth, request, sale } from "../domain/Sample.ts"
import { booking, restoration } from "./Copy.ts"

const onHold = preauth({ state: "authorized", amountMinor: 1000, authorizedMinor: 1000, sequence: 0 })
const paid = sale({ state: "settled", amountMinor: 1000, authorizedMinor: 1000, capturedMinor: 1000, sequence: 0 })

const own = (tries = 0) =>
  job({ jobId: "enumerate:1", kind: "enumerate", subject: "1", merchantId: "", tries, token: "own", leaseUntilMs: 9 })

/** A booking of the order that the copy lacks. */
const listed = (reference: string, amountMinor: number, changes: Partial<BankBooking> = {}): Decision.Write =>
  Decision.put(BankBooking, {
    ...Adoption.rowOf(Adoption.lists.bank, { ...booking, reference, amountMinor }, "shop", 1),
    ...changes
  })

const order = (row: Order): Decision.Write => Decision.put(Order, row)
const followUp = (action: "capture" | "refund", sequence: number): Decision.Write =>
  Decision.put(OrderRequest, { ...request({ requestId: `r-${sequence}`, sequence }), action })
const heldJob = (kind: "bank" | "lapse"): ReadonlyArray<Decision.Write> => [
  Decision.put(HeldJob, { jobId: `${kind}:1`, kind, subject: "1", dueAtMs: 1, taskId: null }),
  Decision.put(Job, job({ jobId: `${kind}:1`, kind, subject: "1" }))
]
const isPending = Decision.put(Restoration, restoration)
const wasListed = Decision.put(Restoration, { ...restoration, enumeratedAtMs: 5000 })

type Row = readonly [
  what: string,
  rows: ReadonlyArray<Decision.Write>,
  /** The registered requests, and the number of the order. */
  registered: readonly [requests: ReadonlyArray<string>, sequence: number | undefined],
  /** Milliseconds until the job runs again; undefined if the order is open. */
  dueInMs: number | undefined
]

const rows: ReadonlyArray<Row> = [
  ["a capture is registered", [order(onHold), listed("1-capture-1", 400)], [["capture 1 400"], 1], 1000],
  ["a release is registered", [order(onHold), listed("1-void-1", 1000)], [["void 1 1000"], 1], 1000],
  ["a return is registered", [order(paid), listed("1-refund-1", 300)], [["refund 1 300"], 1], 1000],
  [
    "the first of several is registered, by number and not by the text of the reference",
    [order(onHold), listed("1-capture-10", 200), listed("1-capture-9", 100)],
    [["capture 9 100"], 9],
    1000
  ],
  [
    "a number below that of the order does not lower it",
    [order({ ...onHold, sequence: 5 }), listed("1-capture-2", 100)],
    [["capture 2 100"], 5],
    1000
  ],
  [
    "one that a request here has is left out",
    [order(paid), followUp("refund", 1), listed("1-refund-1", 300)],
    [[], 0],
    undefined
  ],
  [
    "one of another acquirer is left out",
    [order(paid), listed("1-refund-1", 300, { acquirer: "tea-bank" })],
    [[], 0],
    undefined
  ],
  [
    "one that was adopted before is left out",
    [order(paid), listed("1-refund-1", 300, { state: "adopted" })],
    [[], 0],
    undefined
  ],
  [
    "one that operators closed is left out",
    [order(paid), listed("1-refund-1", 300, { state: "closed" })],
    [[], 0],
    undefined
  ],
  [
    "one of more than the order has keeps its number, and is left to operators",
    [order(paid), listed("1-refund-4", 2000)],
    [[], 4],
    undefined
  ],
  [
    "one in another currency keeps its number, and is left to operators",
    [order(paid), listed("1-refund-3", 300, { currency: "EUR" })],
    [[], 3],
    undefined
  ],
  [
    "a later one is registered although an earlier one cannot be",
    [order(paid), listed("1-refund-1", 2000), listed("1-refund-2", 300)],
    [["refund 2 300"], 2],
    1000
  ],
  [
    "one of an order that has no outcome waits",
    [order({ ...onHold, state: "unknown" }), listed("1-capture-1", 400)],
    [[], 0],
    1000
  ],
  ["an order without one keeps its number", [order({ ...paid, sequence: 5 })], [[], 5], undefined],
  ["an order without one is open", [order(paid)], [[], 0], undefined],
  ["an order that is not here ends the job", [listed("1-refund-1", 300)], [[], undefined], undefined],
  [
    "none is registered before the list is complete",
    [isPending, order(paid), listed("1-refund-1", 300)],
    [[], 0],
    1000
  ],
  [
    "one is registered when the list is complete",
    [wasListed, order(paid), listed("1-refund-1", 300)],
    [["refund 1 300"], 1],
    1000
  ],
  [
    "none is registered while another request of the order is compared",
    [order(paid), ...heldJob("bank"), listed("1-refund-1", 300)],
    [[], 0],
    1000
  ],
  [
    "a held job that has ended is not waited for",
    [order(paid), ...heldJob("bank").slice(0, 1), listed("1-refund-1", 300)],
    [["refund 1 300"], 1],
    1000
  ],
  [
    "one is registered before the expiry of the hold is compared",
    [order(onHold), ...heldJob("lapse"), listed("1-capture-1", 400)],
    [["capture 1 400"], 1],
    1000
  ],
  [
    "an order of a payout has none",
    [order({ ...paid, kind: "payout", state: "paid" }), listed("1-refund-1", 300)],
    [[], 0],
    undefined
  ]
]

const run = (written: ReadonlyArray<Decision.Write>, tries = 0) =>
  Effect.gen(function* () {
    const store = yield* Store
    const nowMs = yield* Clock.currentTimeMillis
    const itself = { jobId: "enumerate:1", kind: "enumerate", subject: "1", dueAtMs: 1, taskId: null } as const
    const seeded = [...written, Decision.put(Job, own(tries)), Decision.put(HeldJob, itself)]
    yield* store.commit({ guards: [], writes: seeded })
    const handle = yield* FollowUps.make
    yield* handle(own(tries))
    const requests = yield* store.find(OrderRequest, "order", { equals: ["1"], limit: 10 })
    const after = yield* store.load(Job, ["enumerate:1"])
    return {
      requests: requests
        .filter(({ fingerprint }) => fingerprint === "")
        .map(({ action, amountMinor, sequence }) => `${action} ${sequence} ${amountMinor}`),
      sequence: (yield* store.load(Order, ["1"]))?.sequence,
      dueInMs: after === undefined ? undefined : after.dueAtMs - nowMs
    }
  }).pipe(Effect.provide(Layer.mergeAll(StoreMemory.layer, Layer.provide(Ids.layer, AuthClock.layer))))

describe("of the follow-ups that bank has booked", () => {
  it.effect.each(rows)("%s", ([, written, [requests, sequence], dueInMs]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* run(written), { requests: [...requests], sequence, dueInMs })
    })
  )

  it.effect.each([
    [0, 1000],
    [3, 8000],
    [6, 60_000],
    [99, 900_000]
  ] as const)("after %s tries the next one waits for %s ms while another request is compared", ([tries, dueInMs]) =>
    Effect.gen(function* () {
      const done = yield* run([order(paid), ...heldJob("bank"), listed("1-refund-1", 300)], tries)
      assert.strictEqual(done.dueInMs, dueInMs)
    })
  )

  it.effect("the next one waits for a second after one was registered, however long that took", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run([order(paid), listed("1-refund-1", 300)], 99)).dueInMs, 1000)
    })
  )
})
