/** The compiler asks for an entry for every part of a port, of the part's kind. What is checked: `Adapters.test.ts`. */
import { it } from "@effect/vitest"
import { expectTypeOf } from "vitest"
import type * as PortShape from "../src/kernel/PortShape.ts"

interface Port {
  readonly capabilities: { readonly deadlineMs: number; readonly simulated?: true }
  readonly pay: (reference: string) => number
  readonly totals?: ((orderId: string) => number) | undefined
}
type Shape = PortShape.PortShape<Port>
type Method = typeof PortShape.method

it("a shape has every method and every capability, the optional ones too", () => {
  expectTypeOf<Shape["methods"]>().toHaveProperty("pay").toEqualTypeOf<Method>()
  expectTypeOf<keyof Shape["methods"]>().toEqualTypeOf<"pay" | "totals">()
  expectTypeOf<keyof Shape["capabilities"]>().toEqualTypeOf<"deadlineMs" | "simulated">()
  expectTypeOf<Shape["methods"]>().toEqualTypeOf<Required<Shape["methods"]>>()
  expectTypeOf<Shape["capabilities"]>().toEqualTypeOf<Required<Shape["capabilities"]>>()
})

it("a shape says of every part what it is", () => {
  expectTypeOf<typeof PortShape.milliseconds>().toExtend<Shape["capabilities"]["deadlineMs"]>()
  expectTypeOf<typeof PortShape.boolean>().not.toExtend<Shape["capabilities"]["deadlineMs"]>()
  expectTypeOf<typeof PortShape.simulatorOnly>().not.toExtend<Shape["capabilities"]["deadlineMs"]>()
  expectTypeOf<typeof PortShape.simulatorOnly>().toExtend<Shape["capabilities"]["simulated"]>()
  expectTypeOf<PortShape.Part<number>>().not.toExtend<Shape["methods"]["pay"]>()
  expectTypeOf<PortShape.Part<undefined>>().not.toExtend<Shape["methods"]["pay"]>()
  expectTypeOf<PortShape.Part<undefined>>().toExtend<Shape["methods"]["totals"]>()
})

it("a port without capabilities has none to list", () =>
  expectTypeOf<keyof PortShape.PortShape<Omit<Port, "capabilities">>["capabilities"]>().toEqualTypeOf<never>())
