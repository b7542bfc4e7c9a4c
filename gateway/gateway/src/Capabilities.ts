/**
 * Provides what other capabilities contribute to orders: continuations, sections of the status and the gate of 3-D Secure.
 * `orders` does not import them.
 */
import { Effect, Layer } from "effect"
import * as VerifiedCard from "./cards/VerifiedCard.ts"
import * as HostedPage from "./hosted/HostedPage.ts"
import * as Continuations from "./orders/outcomes/Continuations.ts"
import { StatusSections } from "./orders/requests/AnswerStatus.ts"
import * as LoadSubscription from "./recurring/LoadSubscription.ts"
import * as SubscriptionStatus from "./recurring/SubscriptionStatus.ts"
import * as ThreeDSGate from "./threeds/ThreeDSGate.ts"
import * as ThreeDSStatus from "./threeds/ThreeDSStatus.ts"

/** The continuation for each origin of orders: API, hosted page and recurring payment. */
const continuations = Layer.succeed(Continuations.Continuations, {
  api: Continuations.none,
  hosted: HostedPage.continuation,
  recurring: LoadSubscription.continuation
})

const statusSections = Layer.effect(
  StatusSections,
  Effect.all([SubscriptionStatus.section, ThreeDSStatus.section, VerifiedCard.section])
)

export const layer = Layer.mergeAll(continuations, statusSections, ThreeDSGate.layer)
