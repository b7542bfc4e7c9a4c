/** What merchants ask for in these tests, and orders that are there before a flow begins. */
import * as FieldNames from "@pay/flows/FieldNames"
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

/** A plausible request of this operation. */
export const request = <O extends Operation>(operation: O, changes: Readonly<Record<string, string>> = {}) =>
  Effect.orDie(
    Effect.fromResult(
      operation.decodeFields({ ...Sample.request(operation), client_orderid: clientOrderId, ...urls, ...changes })
    )
  )

/** The payload of the operation's flow, with the same values. */
export const payloadOf = <O extends Operation>(operation: O, changes: Readonly<Record<string, string>> = {}) =>
  Effect.map(request(operation, changes), FieldNames.renamed)

/** The payload of the operation's flow, with these values only. */
export const onlyPayload = <O extends Operation>(operation: O, fields: Readonly<Record<string, string>>) =>
  Effect.map(Effect.orDie(Effect.fromResult(operation.decodeFields(fields))), FieldNames.renamed)

export const payoutRequest = <O extends Operation>(operation: O, id: Readonly<Record<string, string>>) => {
  const recipient = { amount: "10.42", currency: "USD", account_number: "DE89370400440532013000" }
  const fields = { ...id, ...recipient, server_callback_url: serverCallbackUrl }
  return Effect.orDie(Effect.fromResult(operation.decodeFields(fields)))
}

export const payout = <O extends Operation>(operation: O, id: Readonly<Record<string, string>>) =>
  Effect.map(payoutRequest(operation, id), FieldNames.renamed)

export const amount = { amount: "10.42", currency: "USD" }
export const toCard = { "destination-card-no": "4444555566661111" }

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
