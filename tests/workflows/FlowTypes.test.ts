/** What the compiler accepts of programs on flows. */
import { assert, describe, it } from "@effect/vitest"
import type * as Flows from "@pay/flows"
import type { CardSale } from "@pay/flows/CardPayment"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Flow from "@pay/flows/Flow"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { AnyError, type ExecuteError } from "@pay/flows/FlowError"
import { Capture, Refund } from "@pay/flows/OrderAction"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Schema } from "effect"
import { expectTypeOf } from "vitest"

type Executable = { readonly execute: (payload: never) => Effect.Effect<unknown, unknown, unknown> }
type ValuesOf<T> = T[keyof T]
/** Every flow of the package, found in its modules. */
type BuiltIn = ValuesOf<{ [M in keyof typeof Flows]: Extract<ValuesOf<(typeof Flows)[M]>, Executable> }>
type ErrorsOf<F extends Executable> = Effect.Error<ReturnType<F["execute"]>>

/** An error of a shop. */
class OutOfStock extends Schema.TaggedError<OutOfStock>()("OutOfStock", { retryable: Schema.Boolean }) {}

const id = { payload: Schema.Struct({ id: Schema.String }), idempotencyKey: (payload: { id: string }) => payload.id }

/** A flow with only what every flow must have. */
const Shipment = Flow.make({ ...id, name: "Shipment", run: () => Effect.void })

/** A flow of flows, whose errors are those of its parts. */
const Exchange = Flow.make({
  name: "Exchange",
  payload: Schema.Struct({ order: Schema.String }),
  idempotencyKey: ({ order }) => order,
  run: ({ order }) => {
    const target = { clientOrderId: order, orderId: "7", currency: "USD" }
    return Effect.andThen(
      Capture.execute({ ...target, name: "new", amount: "2.00" }),
      Effect.asVoid(Refund.execute({ ...target, name: "old", amount: "1.00" }))
    )
  }
})

const Stocked = Flow.make({ ...id, name: "Stocked", error: OutOfStock, run: () => new OutOfStock({ retryable: true }) })

describe("the types of a flow", () => {
  it("need an engine, and for a payment its client and the customer's browser", () => {
    type Needed = Effect.Services<ReturnType<typeof CardSale.execute>>
    expectTypeOf<Needed>().toEqualTypeOf<FlowEngine | PayClient | CustomerBrowser>()
    expectTypeOf<Effect.Services<ReturnType<typeof Shipment.execute>>>().toEqualTypeOf<FlowEngine>()
    expectTypeOf(Shipment.execute).returns.not.toExtend<Effect.Effect<void, unknown>>()
    expectTypeOf(Shipment.poll).returns.not.toExtend<Effect.Effect<unknown, unknown>>()
  })

  it("have `retryable` on every error of every flow, so that a retry is one line", () => {
    expectTypeOf<ErrorsOf<BuiltIn>>().toExtend<{ readonly retryable: boolean }>()
    expectTypeOf<ErrorsOf<typeof Stocked>>().toEqualTypeOf<OutOfStock | ExecuteError>()
    const retried = Effect.retry(Stocked.execute({ id: "1" }), { while: ({ retryable }) => retryable, times: 5 })
    expectTypeOf<Effect.Error<typeof retried>>().toEqualTypeOf<OutOfStock | ExecuteError>()
  })

  it("list the errors of every flow exhaustively", () => {
    expectTypeOf<ErrorsOf<BuiltIn>>().toExtend<typeof AnyError.Type>()
    expectTypeOf<ErrorsOf<BuiltIn>["_tag"]>().toEqualTypeOf<(typeof AnyError.Type)["_tag"]>()
    const named = (error: { readonly _tag: string }) => Effect.succeed(error._tag)
    const handled = Stocked.execute({ id: "1" }).pipe(
      Effect.catchTags({ OutOfStock: named, PayloadInvalid: named, PayloadDiffers: named, StorageFailed: named })
    )
    expectTypeOf<Effect.Error<typeof handled>>().toEqualTypeOf<never>()
    const lacking = Effect.catchTags(Stocked.execute({ id: "1" }), { OutOfStock: named, PayloadInvalid: named })
    expectTypeOf<Effect.Error<typeof lacking>["_tag"]>().toEqualTypeOf<"PayloadDiffers" | "StorageFailed">()
  })

  it("take `undefined` for an optional field", () => {
    const Noted = Flow.make({
      name: "Noted",
      payload: Schema.Struct({ id: Schema.String, note: Schema.optionalKey(Schema.String) }),
      idempotencyKey: (payload) => payload.id,
      run: () => Effect.void
    })
    expectTypeOf<{ id: string; note: undefined }>().toExtend<Parameters<typeof Noted.execute>[0]>()
    expectTypeOf<{ id: undefined }>().not.toExtend<Parameters<typeof Noted.execute>[0]>()
  })

  it.effect("are those of the defaults if a flow declares no result and no errors", () =>
    Effect.gen(function* () {
      expectTypeOf<ErrorsOf<typeof Exchange>>().toEqualTypeOf<typeof AnyError.Type>()
      assert.strictEqual(Exchange.error, AnyError)
      assert.strictEqual(yield* Shipment.execute({ id: "1" }), undefined)
      assert.deepStrictEqual(yield* Shipment.poll("1"), { _tag: "Succeeded", value: undefined })
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )
})
