/** Defects in the merchant's flows. */
import { behindApi, type Planted, unseen, visible } from "./Patch.ts"

const creation = "packages/flows/src/Creation.ts"
const followUp = "packages/flows/src/FollowUp.ts"
const plan = "packages/flows/src/ActionPlan.ts"

export const flows: ReadonlyArray<Planted> = [
  behindApi(
    "is in the merchant's toolkit",
    visible(
      "a request whose answer was lost is reported as refused",
      "the bank did what was reported to the merchant as failed",
      followUp,
      'open = open || ended._tag === "OutcomeUnknown"',
      'if (ended._tag === "OutcomeUnknown") return yield* Ending.neverHappened(operation.name, about)'
    )
  ),
  behindApi(
    "is in the merchant's toolkit",
    visible(
      "a repeat has an Idempotency-Key of its own",
      "one request is executed twice",
      followUp,
      "      idempotencyKey,\n      look:",
      "      idempotencyKey: `${idempotencyKey}${turn}`,\n      look:"
    )
  ),
  behindApi(
    "is in the merchant's toolkit",
    visible(
      "a lost creation is looked for once only",
      "an order that arrives late is reported as one that never existed",
      creation,
      "if (isAbsent && quiet) return { receipt: undefined, isGone }",
      "if (isAbsent) return { receipt: undefined, isGone }"
    )
  ),
  unseen(
    "a creation that cannot be sent is reported as failed although it was begun before",
    "an order that was begun is found by its status before it is sent again, nearly always; IsResumed.test.ts holds the rest",
    creation,
    'if (isFresh && ended._tag === "NotSent")',
    'if (ended._tag === "NotSent")'
  ),
  unseen(
    "a gateway that promises no keys is trusted to honour them",
    "what was believed of the gateway is written down before the first request, and it promises none; GatewayProfile.test.ts holds it",
    plan,
    "return { isKeyed: honoursIdempotencyKey && wasKeyed, answersByRequest, showsFollowUps }",
    "return { isKeyed: honoursIdempotencyKey || wasKeyed, answersByRequest, showsFollowUps }"
  )
]
