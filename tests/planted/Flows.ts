/** Defects in the merchant's flows. */
import { behindApi, type Defect, unseen, visible } from "./Defect.ts"

const creation = "packages/flows/src/requests/Creation.ts"
const followUp = "packages/flows/src/requests/FollowUp.ts"
const actionPlan = "packages/flows/src/requests/ActionPlan.ts"

export const flows: ReadonlyArray<Defect> = [
  behindApi(
    "it is in the merchant's toolkit",
    visible(
      "a request whose answer was lost is reported as refused",
      "the bank did what was reported to the merchant as failed",
      followUp,
      "    open = true\n",
      '    if (ended._tag === "OutcomeUnknown") return yield* Ending.neverHappened(operation.name, about)\n    open = true\n'
    )
  ),
  behindApi(
    "it is in the merchant's toolkit",
    visible(
      "a repeat has an Idempotency-Key of its own",
      "one request is executed twice",
      followUp,
      "      idempotencyKey,\n      beforeSend:",
      "      idempotencyKey: `${idempotencyKey}${turn}`,\n      beforeSend:"
    )
  ),
  behindApi(
    "it is in the merchant's toolkit",
    visible(
      "a flow looks only once for an order whose acknowledgement was lost",
      "an order that arrives late is reported as not created",
      creation,
      "if (isAbsent && quiet) return undefined",
      "if (isAbsent) return undefined"
    )
  ),
  unseen(
    "a resumed flow that cannot send its request is reported as failed",
    "the flow almost always finds the order by its status before it sends again; IsResumed.test.ts covers the rest",
    creation,
    'if (isFresh && ended._tag === "NotSent")',
    'if (ended._tag === "NotSent")'
  ),
  unseen(
    "a flow relies on idempotency keys at a gateway that does not announce them",
    "a flow stores the gateway's profile before its first request, and the profile has no keys; GatewayProfile.test.ts covers it",
    actionPlan,
    "return { isKeyed: honoursIdempotencyKey && wasKeyed, answersByRequest, showsFollowUps }",
    "return { isKeyed: honoursIdempotencyKey || wasKeyed, answersByRequest, showsFollowUps }"
  )
]
