/** Runs a merchant's creation of an order on a store in memory. */
import { Effect, Layer } from "effect"
import type { Write } from "../../src/kernel/Decision.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Rows from "../../src/kernel/Rows.ts"
import { Store } from "../../src/kernel/Store.ts"
import type { Handler } from "../../src/merchants/Call.ts"
import type { Endpoint } from "../../src/merchants/Directory.ts"
import type * as Booking from "../../src/orders/record/Booking.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import { BankBooking } from "../../src/restore/BankBooking.ts"
import type * as Calls from "./Calls.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

export interface Setup extends ScriptedServices.Script {
  readonly rows?: ReadonlyArray<Write>
  /** Earlier requests, in order. */
  readonly before?: ReadonlyArray<Calls.Sent>
  /** Only looks for a repetition. */
  readonly isReplay?: boolean
}

/** Returns the response to one request, and the decision that it tried to commit. */
export const create = <E, R>(make: Effect.Effect<Handler, E, R>, sent: Calls.Sent, setup: Setup = {}) => {
  const recording = ScriptedServices.newRecording()
  const endpoints: ReadonlyArray<Endpoint> = [setup.endpoint ?? ScriptedServices.endpoint()]
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(setup.rows ?? [], recording)
    const { perform, replay } = yield* make
    const store = yield* Store
    const rows = () => Rows.loadedOnce(store)
    for (const earlier of setup.before ?? []) yield* perform({ ...earlier, rows: rows() }, endpoints)
    recording.decisions.length = 0
    const text = yield* ScriptedServices.answerOf(
      setup.isReplay === true ? replay({ ...sent, rows: rows() }) : perform({ ...sent, rows: rows() }, endpoints),
      "paynet-order-id"
    )
    return { text, recording, decision: recording.decisions.at(-1) ?? { guards: [], writes: [] } }
  }).pipe(Effect.provide(Rail.layer({}, []).pipe(Layer.provideMerge(ScriptedServices.layer(setup, recording)))))
}

/** A booking of order 8, which a restored copy lacks, in the list of the bank or the rail. */
export const booked = (kind: Booking.Kind, changes: Partial<BankBooking> = {}): Write =>
  Decision.put(BankBooking, {
    ...Adoption.rowOf(
      Adoption.lists[kind === "pay" ? "rail" : "bank"],
      {
        reference: `8-${kind}-0`,
        clientOrderId: "INV-8",
        merchantId: "shop",
        kind,
        amountMinor: 1_000,
        currency: "USD",
        atMs: 500,
        result: "approved"
      },
      "shop",
      900
    ),
    ...changes
  })
