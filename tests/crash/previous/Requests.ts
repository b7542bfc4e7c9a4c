/** The requests that the merchant sent to the previous version, by their names in the table of the test, for sending them again. */
import * as TestCards from "@pay/sandbox/TestCards"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schema } from "effect"
import { byWallTime, callbackUrl } from "./OnFiles.ts"

const { operations } = PayApi
const { endpoints } = Sandbox.merchant
type Fields = Readonly<Record<string, string>>

export interface Creation {
  readonly operation: PayApi.Name
  readonly fields: Fields
  readonly endpointId?: string
}

const card = (name: string): Fields => ({ credit_card_number: TestCards.byName(name)?.number ?? name })
const report = { server_callback_url: callbackUrl }
const toAccount = { amount: "10.42", currency: "USD", account_number: "DE89370400440532013000" }
const back = { redirect_url: "https://shop.example/back" }

/** By the merchant's name of the order. */
const creations = {
  "sale-not-asked": { operation: "SALE", fields: report },
  "sale-unknown": { operation: "SALE", fields: { ...card("answer-lost"), ...report } },
  "sale-never-arrived": { operation: "SALE", fields: card("lost-once") },
  "sale-not-told": { operation: "SALE", fields: report },
  "preauth-held": { operation: "PREAUTH", fields: {} },
  "capture-under-way": { operation: "PREAUTH", fields: {} },
  "3ds-challenge": {
    operation: "SALE",
    fields: { ...Sample.browser, ...back, credit_card_number: "4444000011118888" },
    endpointId: endpoints.threedsMerchant
  },
  "page-open": { operation: "SALEFORM", fields: {} },
  club: { operation: "CREATE_RP_V4", fields: { cvv2: "123", expire_year: "2099" } },
  "payout-waiting": { operation: "PAYOUT", fields: toAccount, endpointId: endpoints.approval },
  "payout-checked": { operation: "PAYOUT_V4_CHECK", fields: toAccount },
  task: { operation: "PREAUTH", fields: card("cancel-declined") },
  "card-stored": { operation: "SALE", fields: {} },
  // The requests of the merchant.s durable flows.
  "flow-sale": {
    operation: "SALE",
    fields: { ...Sample.browser, ...back, credit_card_number: "4444000011118888" },
    endpointId: endpoints.threedsMerchant
  },
  "flow-payout": { operation: "PAYOUT_V4_CHECK", fields: toAccount },
  "flow-capture": { operation: "PREAUTH", fields: {} }
} as const satisfies Readonly<Record<string, Creation>>

export type Name = keyof typeof creations
export const names: ReadonlyArray<Name> = Object.keys(creations).filter((name): name is Name => name in creations)

const Answer = Schema.Struct({ "paynet-order-id": Schema.String, "serial-number": Schema.String })
const readAnswer = Schema.decodeUnknownEffect(Answer)

export interface Accepted {
  readonly orderid: string
  readonly serialNumber: string
}

export const decoded = <O extends Operation>(operation: O, fields: Fields) =>
  Effect.orDie(Effect.fromResult(operation.decodeFields(fields)))

/** Sends an operation with these wire fields through the typed client. */
export const send = Effect.fnUntraced(function* (
  name: PayApi.Name,
  fields: Fields,
  options: PayClient.CallOptions = {}
) {
  const client = yield* PayClient.PayClient
  const operation: Operation = operations[name]
  const login = "login" in Sample.request(operation) ? { login: Sandbox.merchant.login } : {}
  const request = yield* decoded(operation, { ...login, ...fields })
  const answer = yield* Effect.orDie(readAnswer(yield* byWallTime(client.call(operation, request, options))))
  return { orderid: answer["paynet-order-id"], serialNumber: answer["serial-number"] } satisfies Accepted
})

/** The fields of the order of this name, without the login. */
export const fieldsOf = (name: Name): Fields => {
  const { fields, operation }: Creation = creations[name]
  const { login: _, ...sample } = operation.startsWith("PAYOUT") ? {} : Sample.request(operations[operation])
  const id = "client-order-id" in operations[operation].fields ? "client-order-id" : "client_orderid"
  return { ...sample, [id]: name, ...fields }
}

/** Creates the order of this name, or repeats its request; with `changes` the request differs. */
export const create = (name: Name, changes: Fields = {}) => {
  const { endpointId, operation }: Creation = creations[name]
  return send(operation, { ...fieldsOf(name), ...changes }, endpointId === undefined ? {} : { endpointId })
}

/** The capture that was open: of a part, so that the rest of its hold is released later. */
export const capture = (orderid: string) =>
  send(
    "CAPTURE",
    { client_orderid: "capture-under-way", orderid, amount: "6.00", currency: "USD" },
    { idempotencyKey: "capture-under-way/1" }
  )
