/** A merchant who holds amounts beside a sandbox: how programs end, and what the bank has booked. */
import { assert } from "@effect/vitest"
import { Authorization } from "@pay/flows/CardPayment"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { NeedsAPerson } from "@pay/flows/FlowError"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import { greet, payloadOf } from "./Requests.ts"
import { atBank } from "./Trip.ts"

export type Services = Sandbox.Services | FlowEngine | CustomerBrowser
export const world = Layer.mergeAll(
  CustomerBrowsers.abandoning,
  FlowEngine.layerMemory,
  Sandbox.layer(),
  Logger.layer([])
)

/** How an effect ended, as text: `succeeded`, `interrupted`, the tag of its error, or `!` and that of its defect. */
export const endOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string => {
  if (Exit.isSuccess(exit)) return "succeeded"
  const { cause } = exit
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const defect = defects.find((value) => value instanceof NeedsAPerson)?._tag ?? defects[0]
  if (defect !== undefined) return `!${String(defect)}`
  return cause.reasons.find(Cause.isFailReason)?.error._tag ?? "interrupted"
}

/** Runs the program, and returns how it ended and what the bank has booked for its orders. */
export const after = <A, E extends { readonly _tag: string }>(
  program: Effect.Effect<A, E, Services>,
  orders: ReadonlyArray<string> = ["hotel"]
) =>
  Effect.gen(function* () {
    yield* greet
    const end = endOf(yield* Effect.exit(inBusinessTime(false)(program)))
    const booked = yield* atBank(orders)
    assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    return [end, ...booked]
  })

export const paymentOf = (clientOrderId: string) => payloadOf(Authorization, { clientOrderId })
export const pass = (duration: "8 days") => Effect.orDie(Sandbox.advance(duration))
export const decline = (kind: "authorize" | "void", times = 1) =>
  Effect.flatMap(SandboxControl, (control) =>
    Effect.replicateEffect(control.next(kind, { verdict: { _tag: "Decline", code: 116, message: "declined" } }), times)
  )
export const spoil = (fault: Sandbox.Fault, path: string, times = 1) =>
  Effect.flatMap(Sandbox.SimulatedNetwork, (network) => network.next(fault, { path, times }))
