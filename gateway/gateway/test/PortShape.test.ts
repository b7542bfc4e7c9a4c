/** The compiler requires an entry of the right kind for every part of a port. `Adapters.test.ts` checks the values. */
import { describe, it } from "@effect/vitest"
import { expectTypeOf } from "vitest"
import type * as PortShape from "../src/kernel/PortShape.ts"

interface Port {
  readonly capabilities: { readonly deadlineMs: number; readonly simulated?: true }
  readonly pay: (reference: string) => number
  readonly totals?: ((orderId: string) => number) | undefined
}
type Shape = PortShape.PortShape<Port>
type Method = typeof PortShape.method

describe("the shape of a port", () => {
  it("has every method and every capability, the optional ones too", () => {
    expectTypeOf<Shape["methods"]>().toHaveProperty("pay").toEqualTypeOf<Method>()
    expectTypeOf<keyof Shape["methods"]>().toEqualTypeOf<"pay" | "totals">()
    expectTypeOf<keyof Shape["capabilities"]>().toEqualTypeOf<"deadlineMs" | "simulated">()
    expectTypeOf<Shape["methods"]>().toEqualTypeOf<Required<Shape["methods"]>>()
    expectTypeOf<Shape["capabilities"]>().toEqualTypeOf<Required<Shape["capabilities"]>>()
  })

  it("has the kind of every part", () => {
    expectTypeOf<typeof PortShape.milliseconds>().toExtend<Shape["capabilities"]["deadlineMs"]>()
    expectTypeOf<typeof PortShape.boolean>().not.toExtend<Shape["capabilities"]["deadlineMs"]>()
    expectTypeOf<typeof PortShape.simulatorOnly>().not.toExtend<Shape["capabilities"]["deadlineMs"]>()
    expectTypeOf<typeof PortShape.simulatorOnly>().toExtend<Shape["capabilities"]["simulated"]>()
    expectTypeOf<PortShape.Part<number>>().not.toExtend<Shape["methods"]["pay"]>()
    expectTypeOf<PortShape.Part<undefined>>().not.toExtend<Shape["methods"]["pay"]>()
    expectTypeOf<PortShape.Part<undefined>>().toExtend<Shape["methods"]["totals"]>()
  })

  it("has no capabilities if the port has none", () =>
    expectTypeOf<keyof PortShape.PortShape<Omit<Port, "capabilities">>["capabilities"]>().toEqualTypeOf<never>())
})
