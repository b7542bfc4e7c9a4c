/** Bookings that a restored copy lacks and that a repeated request adopts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Store, StoreUnavailable } from "../../src/kernel/Store.ts"
import * as Register from "../../src/orders/decide/Register.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as FormerOrders from "../../src/orders/requests/FormerOrders.ts"
import * as AdoptBooking from "../../src/restore/AdoptBooking.ts"
import { preauth, request as sample } from "../domain/Sample.ts"
import { booked } from "./Creating.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const startedAtMs = ScriptedServices.nowMs - 1_000
const request = { action: "sale", amountsMinor: [1_000], currency: "USD" } as const

const use = <A, E>(
  rows: ReadonlyArray<Decision.Write>,
  ask: (bookings: Effect.Success<typeof AdoptBooking.make>) => Effect.Effect<A, E>
) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(rows, recording)
    return yield* ask(yield* AdoptBooking.make)
  }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
}

describe("a creation after a restore", () => {
  const withoutMerchant = booked("sale", { merchantId: "" })
  const cases: ReadonlyArray<readonly [what: string, rows: ReadonlyArray<Decision.Write>, expected: string]> = [
    ["finds its booking", [Rail.copy, booked("sale")], "8"],
    ["finds no booking without a restore", [booked("sale")], "nothing"],
    ["finds no booking if the bank lists none", [Rail.copy], "nothing"],
    ["is refused because of a booking without a merchant", [Rail.copy, withoutMerchant], "differs"],
    ["ignores a follow-up without a merchant", [Rail.copy, booked("capture", { merchantId: "" })], "nothing"],
    [
      "finds its own booking beside one without a merchant",
      [Rail.copy, booked("sale"), booked("sale", { reference: "9-sale-0", merchantId: "" })],
      "8"
    ],
    ["is refused because of a booking with another amount", [Rail.copy, booked("sale", { amountMinor: 1 })], "differs"]
  ]
  it.effect.each(cases)("%s", ([, rows, expected]) =>
    Effect.gen(function* () {
      const result = yield* use(rows, ({ find }) => find("shop", "INV-8", request))
      assert.strictEqual(result === undefined ? "nothing" : result === "differs" ? result : result.orderId, expected)
      const exit = yield* Effect.exit(
        use(rows, (service) =>
          Effect.flatMap(Effect.provideService(FormerOrders.orRefuse, FormerOrders.FormerOrders, service), (orRefuse) =>
            orRefuse("shop", "INV-8", request)
          )
        )
      )
      assert.strictEqual(Exit.isFailure(exit), expected === "differs")
    })
  )
})

it.effect("an adopted order is of the acquirer whose booking it is, with that one's terminal", () =>
  Effect.gen(function* () {
    const made = yield* use([Rail.copy, booked("sale", { acquirer: "tea-bank" })], ({ find }) =>
      find("shop", "INV-8", request)
    )
    assert(made !== undefined && made !== "differs")
    const terminal = (acquirer: string | undefined) => ({
      ...{ acquirer, currencies: undefined, descriptor: undefined, terminal: { mid: "M" } },
      column: `of ${acquirer}`
    })
    const placeOf = (...names: ReadonlyArray<string | undefined>) => {
      const endpoint = ScriptedServices.endpoint({ terminals: names.map(terminal) })
      const { acquirer, terminal: column } = Register.ofEndpoint(endpoint, "USD", made)
      return [acquirer, column]
    }
    assert.deepStrictEqual(placeOf(undefined, "tea-bank"), ["tea-bank", "of tea-bank"])
    assert.deepStrictEqual(placeOf(undefined), ["tea-bank", null])
  })
)

/** A store that cannot serve its first read. */
const failsOnce = (store: Store["Service"]): Store["Service"] => {
  let reads = 0
  return {
    ...store,
    load: (...range) =>
      Effect.suspend(() => {
        reads += 1
        return reads === 1 ? Effect.fail(new StoreUnavailable({ outcomeUnknown: false })) : store.load(...range)
      })
  }
}

describe("a store that could not be read once", () => {
  it.effect("is read again by the next creation", () => {
    const recording = ScriptedServices.newRecording()
    return Effect.gen(function* () {
      yield* ScriptedServices.seed([Rail.copy, booked("sale")], recording)
      const store = failsOnce(yield* Store)
      const { find } = yield* Effect.provideService(AdoptBooking.make, Store, store)
      const ask = Effect.exit(find("shop", "INV-8", request))
      assert.deepStrictEqual([Exit.isSuccess(yield* ask), Exit.isSuccess(yield* ask)], [false, true])
    }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
  })
})

describe("a request that the bank made before the restore", () => {
  const order = preauth({ orderId: "8", createdAtMs: startedAtMs })
  const made = Decision.put(OrderRequest, sample({ orderId: "8", fingerprint: "" }))
  const equal = { operation: "CAPTURE", amountMinor: 4_000, isWhole: false }
  it.effect.each([
    ["is found for an older order", [Rail.copy, made], order, "2"],
    ["is not found for a younger order", [Rail.copy, made], { ...order, createdAtMs: startedAtMs + 1 }, undefined],
    ["is not found without a restore", [made], order, undefined]
  ] as const)("%s", ([, rows, of, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* use(rows, ({ unclaimed }) => unclaimed(of, equal)))?.requestId, expected)
    })
  )
})
