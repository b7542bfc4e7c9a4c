/** What merchants ask for in these tests, and orders that are there before a flow begins. */
import * as FieldNames from "@pay/flows/FieldNames"
import type * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"

const { operations } = PayApi

export const clientOrderId = "order-1"
export const serverCallbackUrl = "http://shop.test/told"
const urls = { server_callback_url: serverCallbackUrl, redirect_url: "https://shop.example/back" }

/** The shop has talked to the gateway before: it knows what it does. */
export const greet = Effect.flatMap(PayClient, (client) => Effect.ignore(client.status({ client_orderid: "none" })))

/** A plausible request of this operation; an empty text leaves a field out. */
export const request = <O extends Operation>(operation: O, changes: Readonly<Record<string, string>> = {}) => {
  const fields = { ...Sample.request(operation), client_orderid: clientOrderId, ...urls, ...changes }
  const texts = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""))
  return Effect.orDie(Effect.fromResult(operation.decodeFields(texts)))
}

/**
 * The payload of a flow: a sample of its operation's request under this order's number, and these changes. Names may be those of the
 * specification; an empty text leaves a field out.
 */
export const payloadOf = <P extends Flow.Fields>(
  flow: Pick<Flow.Flow<string, P, Flow.Written, Flow.Written, never>, "name" | "operation" | "payload">,
  changes: Readonly<Record<string, string>> = {}
) => {
  const sample = flow.operation === undefined ? {} : Sample.request(flow.operation)
  const fields = Object.entries({ ...sample, clientOrderId, ...urls, ...changes })
    .map(([name, text]) => [FieldNames.of(name), text] as const)
    .filter(([name]) => name in flow.payload.fields)
  return Effect.orDie(Effect.fromResult(FlowPayload.decode(flow, Object.fromEntries(fields))))
}

/** A payout to an account, without a card and an address to come back to. */
export const toAccount = { credit_card_number: "", redirect_url: "", account_number: "DE89370400440532013000" }

/** An approved order made without a flow. */
export const made = Effect.fnUntraced(function* <R>(name: "SALE" | "PREAUTH", settled: Effect.Effect<void, never, R>) {
  const operation = operations[name]
  const client = yield* PayClient
  const answer = yield* client.call(operation, yield* request(operation, { server_callback_url: "http://shop.test/0" }))
  yield* settled
  return { clientOrderId, orderId: answer["paynet-order-id"] }
})

/** A recurring payment that has begun. */
export const subscribed = Effect.fnUntraced(function* <R>(id: string, settled: Effect.Effect<void, never, R>) {
  const client = yield* PayClient
  const payload = yield* request(operations.CREATE_RP_V4, {
    client_orderid: id,
    cvv2: "123",
    server_callback_url: "http://shop.test/0"
  })
  const { "recurring-payment-id": recurringPaymentId } = yield* client.createRpV4(payload)
  yield* settled
  return recurringPaymentId
})
