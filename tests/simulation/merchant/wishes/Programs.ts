/** What merchants write themselves: a hold that a program uses, and calls whose lost answers it resolves. */
import { AwaitFinal } from "@pay/flows/AwaitFinal"
import type { Authorization } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as Hold from "@pay/flows/Hold"
import * as Resolve from "@pay/flows/Resolve"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Logger } from "effect"
import { fieldsOf, priceOf } from "../Price.ts"
import { type Ended, ending, endOf, intent, sample, someOrder, toldAs, type WishKind } from "../Wish.ts"
import { cardOrder } from "./Cards.ts"
import { amounts, partOf } from "./FollowUps.ts"

const { PREAUTH, RETURN, SALE } = PayApi.operations
const saleFields = sample(SALE)
const preauthFields = sample(PREAUTH)

interface Part extends Hold.Part {
  readonly effect: string
}

/** Captures the parts in turn; then the program fails where it is to. */
const used = Effect.fnUntraced(function* (
  payload: typeof Authorization.payload.Type,
  parts: ReadonlyArray<Part>,
  release: string | undefined
) {
  const tags: Record<string, string> = {}
  let isLogged = false
  const logger = Logger.make(() => {
    isLogged = true
  })
  const program = Effect.gen(function* () {
    const hold = yield* Hold.reserve(payload)
    for (const { effect, ...part } of parts) {
      const { tag } = yield* endOf(hold.capture(part))
      tags[effect] = tag
      if (tag !== "Succeeded") return yield* Effect.fail("not captured" as const)
    }
    return release === undefined ? hold.order : yield* Effect.fail("not needed" as const)
  })
  const ended = yield* toldAs(
    Effect.scoped(program).pipe(
      Effect.catchIf(
        (error) => typeof error === "string",
        () => Effect.succeed({ orderId: "released" })
      ),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    ),
    ({ orderId }) => ({ orderId })
  )
  if (ended.tag !== "Succeeded") return { ...ended, parts: tags }
  const isOpen = Object.values(tags).some((tag) => tag === "StillUnknown" || tag === "NeedsAPerson")
  const isReleased = ended.orderId === "released" && !isLogged && !isOpen
  return {
    ...ended,
    tag: isOpen ? "StillUnknown" : "Succeeded",
    parts: { ...tags, ...(release === undefined || !isReleased ? {} : { [release]: "Succeeded" }) }
  } satisfies Ended as Ended
})

/** What the gateway has accepted comes to an end. */
const awaited = (
  client_orderid: string,
  answer: { readonly "paynet-order-id": string; readonly "serial-number": string }
) => Flow.run(AwaitFinal, { client_orderid, orderid: answer["paynet-order-id"], serialNumber: answer["serial-number"] })

export const programs: ReadonlyArray<WishKind> = [
  {
    flow: "Hold",
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
      const release = intent(draw, `${clientOrderId}/release`, clientOrderId, "cancel", undefined, price)
      return {
        flow: "Hold",
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", price.amountMinor, price),
        parts: [...captures.map((capture) => capture.intent), release],
        endpoint: price.endpoint,
        run: () =>
          used(
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
      const { clientOrderId: client_orderid } = draw
      const price = priceOf(draw)
      const { card, fields } = cardOrder(draw)
      const request = { ...saleFields, ...fields, ...fieldsOf(price) }
      return {
        flow: "Resolve",
        intent: intent(draw, client_orderid, client_orderid, "authorize", price.amountMinor, price),
        endpoint: price.endpoint,
        makes: "sale",
        card,
        run: () =>
          ending(
            PayClient.call(SALE, request).pipe(
              Effect.flatMap((answer) => awaited(client_orderid, answer)),
              Effect.catchTag("OutcomeUnknown", (error) => Resolve.resolve({ operation: SALE, request, error })),
              Effect.map(({ orderId }) => ({ tag: "Succeeded", orderId }))
            )
          )
      }
    }
  }
]

export const programsOnOrders: ReadonlyArray<WishKind> = [
  {
    flow: "Resolve",
    weight: 4,
    isProgram: true,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => kind === "sale")
      if (order === undefined) return undefined
      const { name } = draw
      const { clientOrderId: client_orderid, endpoint, orderId: orderid } = order
      const amountMinor = partOf(draw, order)
      const identity = `${client_orderid}/${name}`
      const request = { client_orderid, orderid, ...amounts(order, amountMinor), comment: "returned" }
      return {
        flow: "Resolve",
        intent: intent(draw, identity, client_orderid, "refund", amountMinor, order),
        endpoint,
        run: () =>
          ending(
            PayClient.call(RETURN, request, { idempotencyKey: identity }).pipe(
              Effect.flatMap((answer) => awaited(client_orderid, answer)),
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
      const { clientOrderId: client_orderid, endpoint, orderId: orderid } = order
      return {
        flow: AwaitFinal.name,
        intent: intent(draw, `${client_orderid}/await`, client_orderid, "nothing", 0, order),
        endpoint,
        run: (carry) => endOf(carry(AwaitFinal, { client_orderid, orderid }))
      }
    }
  }
]
