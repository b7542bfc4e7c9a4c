/** Performs the program of a flow with the steps of the context, in memory or as a part of another flow. */
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Option, type Schema } from "effect"
import { PayloadDiffers } from "../order/FlowError.ts"
import type * as Definition from "./Definition.ts"
import { traced } from "./FlowTrace.ts"
import * as HoldsOfFlow from "./HoldsOfFlow.ts"
import * as NeverStored from "./NeverStored.ts"
import * as OpenEnds from "./OpenEnds.ts"
import * as ReentryGuard from "./ReentryGuard.ts"
import { type Identity, type Shape, Steps, storable, within } from "./Steps.ts"

/**
 * Names of payload fields that were given when the flow was started and are missing in this run. A durable engine sets them after
 * a restart. A request that was not sent before the restart is not sent without these fields.
 */
export const LostFields = Context.Reference<ReadonlyArray<string>>("@pay/flows/LostFields", { defaultValue: () => [] })

/**
 * Whether the flow was begun before this run, so that a request may have been sent without a record. A refusal in this run then
 * does not prove that the earlier request had no effect.
 */
export const IsResumed = Context.Reference<boolean>("@pay/flows/IsResumed", { defaultValue: () => false })

/** Whether an earlier run has ended without a known outcome, so that its request may have been sent. */
export const Reopened = Context.Reference<boolean>("@pay/flows/Reopened", { defaultValue: () => false })

/** The merchant of the client in the context, at its gateway. It is empty without a client. */
export const currentMerchant = Effect.map(
  Effect.serviceOption(PayClient),
  Option.match({ onNone: () => "", onSome: ({ merchant }) => merchant })
)

/**
 * Returns the id of an execution. Operators can read it: `CardSale@shop-7@gateway.example/order-1`, and
 * `CardSale#2@shop-7@gateway.example/order-1` for its second attempt. Throws if the flow has no name.
 */
export const idOf = (flow: { readonly name: string }, { key, merchant }: Identity, attempt = 1): string => {
  if (key === "") throw new Error(`${flow.name} has no identity: its idempotencyKey is empty`)
  const turn = attempt === 1 ? "" : `#${attempt}`
  const of = merchant === "" ? "" : `@${merchant.replace(/[%/]/g, encodeURIComponent)}`
  return `${flow.name}${turn}${storable(`${of}/${key}`)}`
}

/** Runs the program of a flow with these steps. `isOpen`: it may have had an effect before. */
export const run = <
  N extends string,
  P extends Definition.Fields,
  A extends Definition.Written,
  E extends Definition.Written,
  R
>(
  flow: Definition.Definition<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>,
  { isBegunBefore, isOpen, steps }: { readonly steps: Shape; readonly isBegunBefore: boolean; readonly isOpen: boolean }
): Effect.Effect<A["Type"], E["Type"], R> =>
  Effect.flatMap(HoldsOfFlow.HoldsOfFlow, (outer) => {
    if (outer !== undefined) return flow.run(payload)
    const holds = HoldsOfFlow.make()
    const program = Effect.provideService(flow.run(payload), HoldsOfFlow.HoldsOfFlow, holds)
    return Effect.onInterrupt(HoldsOfFlow.concluded(flow, holds, program), () => HoldsOfFlow.orDie(holds))
  }).pipe(
    Effect.provideService(Steps, steps),
    Effect.provideService(IsResumed, isBegunBefore || isOpen),
    Effect.provideService(Reopened, isOpen),
    traced(flow.name, steps.workflowId)
  )

/** Performs the flow as a part of the attempt that runs. What it did in earlier turns and attempts is taken into account. */
export const perform = <
  N extends string,
  P extends Definition.Fields,
  A extends Definition.Written,
  E extends Definition.Written,
  R
>(
  flow: Definition.Definition<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>,
  merchant: string
): Effect.Effect<A["Type"], E["Type"] | PayloadDiffers, R> =>
  Effect.gen(function* () {
    const steps = yield* Steps
    const ends = yield* OpenEnds.Current
    const isBegunBefore = ends?.isBegunBefore ?? (yield* IsResumed)
    const identity = { merchant, key: flow.idempotencyKey(payload) }
    const id = idOf(flow, identity)
    const reentry = ReentryGuard.enter(steps, id, NeverStored.split(flow, payload).kept, {
      hasOpenEnd: ends?.has(id) === true,
      within: (turn) => within(steps, flow.name, identity, turn)
    })
    if (reentry.isOther) return yield* new PayloadDiffers({ flow: flow.name, id })
    return yield* Effect.onExit(run(flow, payload, { ...reentry, isBegunBefore }), (exit) =>
      Effect.sync(() => {
        ends?.leave(id, exit)
        reentry.leave(exit)
      })
    )
  })
