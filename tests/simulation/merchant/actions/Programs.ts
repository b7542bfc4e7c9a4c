/** Programs of merchants: a scoped authorization, and direct calls whose lost answers are resolved. */
import { AwaitFinal } from "@pay/flows/AwaitFinal"
import type { Authorization } from "@pay/flows/CardPayment"
import { NeedsAPerson } from "@pay/flows/FlowError"
import { type Hold, withAuthorization } from "@pay/flows/Hold"
import type { OrderPart } from "@pay/flows/OrderAction"
import * as Resolve from "@pay/flows/Resolve"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Cause, Effect, Predicate, Result } from "effect"
import {
  type ActionKind,
  type ActionResult,
  intent,
  orderResult,
  programResult,
  resultOf,
  sample,
  someOrder
} from "../MerchantAction.ts"
import { fieldsOf, priceOf } from "../Price.ts"
import { cardOrder } from "./Cards.ts"
import { amounts, partOf } from "./FollowUps.ts"

const { PREAUTH, RETURN, SALE } = PayApi.operations
const saleRequest = Result.getOrThrow(SALE.decodeFields(Sample.request(SALE)))
const preauthFields = sample(PREAUTH)

interface Part extends OrderPart {
  readonly effect: string
}

/** Whether the scope of a hold died because the hold may still be open at the bank. */
const isUnreleased = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof NeedsAPerson)

/** Whether an earlier run made the hold, which is released by now, so that this run did nothing. */
const wasReleased = (error: unknown): boolean =>
  Predicate.isTagged(error, "NotAccepted") &&
  Predicate.hasProperty(error, "reason") &&
  String(error.reason).includes("was released")

/** Captures the parts one after another. Then the program fails if the authorization should be released. */
export const runAuthorization = Effect.fnUntraced(function* (
  payload: typeof Authorization.payload.Type,
  parts: ReadonlyArray<Part>,
  release: string | undefined
) {
  const tags: Record<string, string> = {}
  let isAuthorized = false
  const program = Effect.fnUntraced(function* ({ capture, order }: Hold) {
    isAuthorized = true
    for (const { effect, ...part } of parts) {
      const { tag } = yield* orderResult(capture(part))
      tags[effect] = tag
      if (tag !== "Succeeded") return yield* Effect.fail("not captured" as const)
    }
    return release === undefined ? order : yield* Effect.fail("not needed" as const)
  })
  const ended = yield* resultOf(
    withAuthorization(payload, program).pipe(
      Effect.catchCause((cause) =>
        // A hold that cannot be released is one that was made, or one of an authorization with an unknown outcome.
        isUnreleased(cause) ? Effect.succeed({ orderId: isAuthorized ? "held" : "unknown" }) : Effect.failCause(cause)
      ),
      Effect.catchIf(
        (error) => typeof error === "string",
        () => Effect.succeed({ orderId: "released" })
      ),
      Effect.catchIf(wasReleased, () => Effect.succeed({ orderId: "released before" }))
    ),
    ({ orderId }) => ({ orderId })
  )
  if (ended.tag !== "Succeeded") return { ...ended, parts: tags }
  const isOpen =
    ended.orderId === "unknown" || Object.values(tags).some((tag) => tag === "StillUnknown" || tag === "NeedsAPerson")
  const isReleased = ended.orderId === "released" && !isOpen
  return {
    ...ended,
    tag: isOpen ? "StillUnknown" : "Succeeded",
    parts: { ...tags, ...(release === undefined || !isReleased ? {} : { [release]: "Succeeded" }) }
  } satisfies ActionResult as ActionResult
})

/** Waits for the final status of an accepted request. */
const finalStatus = (
  clientOrderId: string,
  answer: { readonly "paynet-order-id": string; readonly "serial-number": string }
) => AwaitFinal.execute({ clientOrderId, orderId: answer["paynet-order-id"], serialNumber: answer["serial-number"] })

export const programs: ReadonlyArray<ActionKind> = [
  {
    flow: "withAuthorization",
    weight: 4,
    isProgram: true,
    draw: (draw) => {
      const { chance, clientOrderId } = draw
      const price = priceOf(draw)
      const { fields } = cardOrder(draw)
      const payload = { ...preauthFields, ...fields, ...fieldsOf(price) }
      const partMinor = Math.floor(price.amountMinor / 3)
      const count = partMinor === 0 ? 0 : chance.below(3)
      const captures = ["shipment-1", "shipment-2"].slice(0, count).map((name) => ({
        part: { name, ...fieldsOf({ ...price, amountMinor: partMinor }), effect: `${clientOrderId}/${name}` },
        intent: intent(draw, `${clientOrderId}/${name}`, clientOrderId, "capture", partMinor, price)
      }))
      const isNotNeeded = chance.percent(50)
      const release = intent(draw, `${clientOrderId}/release`, clientOrderId, "void", undefined, price)
      return {
        flow: "withAuthorization",
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", price.amountMinor, price),
        parts: [...captures.map((capture) => capture.intent), release],
        endpoint: price.endpoint,
        run: () =>
          runAuthorization(
            payload,
            captures.map(({ part }) => part),
            isNotNeeded ? release.name : undefined
          )
      }
    }
  },
  {
    flow: "Resolve",
    weight: 4,
    isProgram: true,
    draw: (draw) => {
      const { clientOrderId } = draw
      const price = priceOf(draw)
      const { card, fields } = cardOrder(draw)
      const request = {
        ...saleRequest,
        client_orderid: clientOrderId,
        server_callback_url: fields.serverCallbackUrl,
        credit_card_number: fields.creditCardNumber,
        cvv2: fields.cvv2,
        ...fieldsOf(price)
      }
      return {
        flow: "Resolve",
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "sale",
        card,
        run: () =>
          programResult(
            PayClient.call(SALE, request).pipe(
              Effect.flatMap((answer) => finalStatus(clientOrderId, answer)),
              Effect.catchTag("OutcomeUnknown", (error) => Resolve.resolve({ operation: SALE, request, error })),
              Effect.map(({ orderId }) => ({ tag: "Succeeded", orderId }))
            )
          )
      }
    }
  }
]

export const programsOnOrders: ReadonlyArray<ActionKind> = [
  {
    flow: "Resolve",
    weight: 4,
    isProgram: true,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => kind === "sale")
      if (order === undefined) return undefined
      const { name } = draw
      const { clientOrderId, endpoint, orderId } = order
      const amountMinor = partOf(draw, order)
      const identity = `${clientOrderId}/${name}`
      const request = {
        client_orderid: clientOrderId,
        orderid: orderId,
        ...amounts(order, amountMinor),
        comment: "returned"
      }
      return {
        flow: "Resolve",
        intent: intent(draw, identity, clientOrderId, "refund", amountMinor, order),
        endpoint,
        run: () =>
          programResult(
            PayClient.call(RETURN, request, { idempotencyKey: identity }).pipe(
              Effect.flatMap((answer) => finalStatus(clientOrderId, answer)),
              Effect.catchTag("OutcomeUnknown", (error) => Resolve.resolve({ operation: RETURN, request, error })),
              Effect.map(({ orderId }) => ({ tag: "Succeeded", orderId }))
            )
          )
      }
    }
  },
  {
    flow: AwaitFinal.name,
    weight: 3,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => kind !== "card" && kind !== "checkedPayout")
      if (order === undefined) return undefined
      const { clientOrderId, endpoint, orderId } = order
      return {
        flow: AwaitFinal.name,
        intent: intent(draw, `${clientOrderId}/await`, clientOrderId, "nothing", 0, order),
        endpoint,
        run: (execute) => orderResult(execute(AwaitFinal, { clientOrderId, orderId }))
      }
    }
  }
]
