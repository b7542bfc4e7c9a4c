/** What the other capabilities do for orders, which know none of them. */
import { Effect, Layer } from "effect"
import * as BilledOf from "./usecases/BilledOf.ts"
import * as Continuations from "./usecases/Continuations.ts"
import * as FormOf from "./usecases/FormOf.ts"
import { StatusSections } from "./usecases/StatusSections.ts"
import * as SubscriptionStanding from "./usecases/SubscriptionStanding.ts"
import * as ThreeDSGate from "./usecases/ThreeDSGate.ts"
import * as ThreeDSStatus from "./usecases/ThreeDSStatus.ts"

/** What each origin of orders decides about their outcomes. */
const continuations = Layer.effect(
  Continuations.Continuations,
  Effect.all({
    api: Effect.succeed(Continuations.none),
    hosted: FormOf.continuation,
    recurring: BilledOf.continuation
  })
)

const statusSections = Layer.effect(StatusSections, Effect.all([SubscriptionStanding.section, ThreeDSStatus.section]))

export const layer = Layer.mergeAll(continuations, statusSections, ThreeDSGate.layer)
