/** Every flow, with what has to be there before it. */
import { assert } from "@effect/vitest"
import { Authorization, CardSale, VerifyAccount } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import { CheckPayOut, PayChecked, PayOut, PayOutV2 } from "@pay/flows/PayOut"
import { KeepCard, Rebill, Tokenize } from "@pay/flows/StoredCard"
import { ChangeSubscription, ChargeSubscription, Subscribe } from "@pay/flows/Subscription"
import { CanSend, Transfer, TransferByRef } from "@pay/flows/Transfer"
import * as Sandbox from "@pay/sandbox/Sandbox"
import type { Dialect } from "@pay/schema/Dialect"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Redacted, Schema } from "effect"
import type { Case } from "./Case.ts"
import { hosted } from "./HostedCases.ts"
import { preparedRun, preparedRunAs } from "./PreparedRun.ts"
import {
  amount,
  clientOrderId,
  made,
  onlyPayload,
  payloadOf,
  payout,
  request,
  serverCallbackUrl,
  subscribed,
  toCard
} from "./Requests.ts"

const { operations } = PayApi

const kept = ({ cardRefId }: { readonly cardRefId: string }) => (/^\d+$/.test(cardRefId) ? "approved" : "no reference")
/** Without scripts a customer gets no further than the gateway's method page. */
const challenged = { credit_card_number: "4444000011118888" }
const methodAndChallenge = { credit_card_number: "4444000022224444" }
const versionOne = { credit_card_number: "4444024000000006" }

const sale = (name: string, endpointId: string | undefined, changes: Readonly<Record<string, string>>): Case => ({
  name,
  effects: ["authorize 1042"],
  customer: endpointId !== undefined,
  begin: () =>
    Effect.gen(function* () {
      const payload = yield* payloadOf(operations.SALE, changes)
      const at = endpointId === undefined ? {} : { endpointId }
      return preparedRun(CardSale, { ...payload, ...at })
    })
})

const subscribe = (name: string, endpointId: string | undefined, changes: Readonly<Record<string, string>>): Case => ({
  name,
  effects: ["authorize 1042"],
  customer: endpointId !== undefined,
  begin: () =>
    Effect.gen(function* () {
      const payload = yield* payloadOf(operations.CREATE_RP_V4, { cvv2: "123", ...changes })
      const at = endpointId === undefined ? {} : { endpointId }
      return preparedRunAs(Subscribe, { ...payload, ...at }, ({ order }) => order.status)
    })
})

const transfer = (
  name: string,
  endpointId: string | undefined,
  changes: Readonly<Record<string, string>>,
  effect: string
): Case => ({
  name,
  effects: [effect],
  customer: endpointId !== undefined,
  begin: () =>
    Effect.gen(function* () {
      const { login: _, ...payload } = yield* payloadOf(operations.TRANSFER_V4, {
        ...amount,
        ...toCard,
        credit_card_number: "4444333322221111",
        expire_month: "12",
        expire_year: "2030",
        cvv2: "123",
        ...changes
      })
      const at = endpointId === undefined ? {} : { endpointId }
      return preparedRun(Transfer, { ...payload, ...at })
    })
})

/** Both steps of a payout as one flow of the shop. */
const CheckAndPay = Flow.make({
  name: "CheckAndPay",
  summary: "Checks a payout and pays it.",
  operation: operations.PAYOUT_V4_PAY,
  payload: CheckPayOut.payload,
  success: PayChecked.success,
  error: Schema.Union([...CheckPayOut.error.members, ...PayChecked.error.members]),
  idempotencyKey: CheckPayOut.idempotencyKey,
  run: Effect.fnUntraced(function* (payload) {
    const { clientOrderId, orderId } = yield* Flow.run(CheckPayOut, payload)
    return yield* Flow.run(PayChecked, { clientOrderId, orderId })
  })
})

/** Endpoints at which the issuer wants to see the cardholder. */
interface Threeds {
  readonly gateway: string
  readonly merchant: string
}

const casesAt = (threeds: Threeds): ReadonlyArray<Case> => [
  sale("CardSale", undefined, {}),
  sale("CardSale, 3DS gateway", threeds.gateway, challenged),
  sale("CardSale, 3DS merchant", threeds.merchant, methodAndChallenge),
  sale("CardSale, 3DS 1.0.2", threeds.merchant, versionOne),
  {
    name: "Reserve",
    effects: ["authorize 1042"],
    begin: () => Effect.map(payloadOf(operations.PREAUTH), (payload) => preparedRun(Authorization, payload))
  },
  {
    name: "VerifyAccount",
    effects: ["authorize 0"],
    begin: () =>
      Effect.map(payloadOf(operations.ACCOUNT_VERIFICATION), (payload) => preparedRun(VerifyAccount, payload))
  },
  {
    name: "Capture, a part",
    effects: ["authorize 1042", "capture 600"],
    begin: (settled) =>
      Effect.map(made("PREAUTH", settled), (order) =>
        preparedRun(Capture, { ...order, serverCallbackUrl, name: "shipment-1", amount: "6.00", currency: "USD" })
      )
  },
  {
    name: "Release",
    effects: ["authorize 1042", "cancel 1042"],
    begin: (settled) =>
      Effect.map(made("PREAUTH", settled), (order) => preparedRun(Void, { ...order, serverCallbackUrl }))
  },
  {
    name: "GiveBack, a part",
    effects: ["authorize 1042", "refund 200"],
    begin: (settled) =>
      Effect.map(made("SALE", settled), (order) =>
        preparedRun(Refund, { ...order, serverCallbackUrl, name: "return-1", amount: "2.00", currency: "USD" })
      )
  },
  {
    name: "Tokenize",
    effects: ["authorize 1042"],
    isAtOnce: true,
    begin: (settled) => Effect.map(made("SALE", settled), (order) => preparedRunAs(Tokenize, order, kept))
  },
  {
    name: "KeepCard",
    effects: ["authorize 1042"],
    isAtOnce: true,
    begin: (settled) =>
      Effect.gen(function* () {
        yield* made("SALE", settled)
        const card = { creditCardNumber: Redacted.make("4444555566661111"), expireMonth: 12, expireYear: 2030 }
        return preparedRunAs(KeepCard, { clientOrderId, ...card }, kept)
      })
  },
  {
    name: "Rebill",
    effects: ["authorize 1042"],
    begin: (settled) =>
      Effect.gen(function* () {
        const client = yield* PayClient
        const first = yield* request(operations.SALE, { client_orderid: "first" })
        const { "paynet-order-id": orderid } = yield* client.sale(first)
        yield* settled
        const stored = yield* client.cardref({ client_orderid: "first", orderid })
        const { login: _, ...payload } = yield* payloadOf(operations.REBILL, { cardrefid: stored["card-ref-id"] })
        return preparedRun(Rebill, payload)
      })
  },
  subscribe("Subscribe", undefined, {}),
  subscribe("Subscribe, 3DS", threeds.merchant, methodAndChallenge),
  {
    name: "ChargeSubscription",
    effects: ["authorize 1042"],
    begin: (settled) =>
      Effect.gen(function* () {
        const id = yield* subscribed("first", settled)
        const payload = { clientOrderId, recurringPaymentId: id, serverCallbackUrl }
        return preparedRun(ChargeSubscription, payload)
      })
  },
  {
    name: "ChangeSubscription",
    effects: ["authorize 1042"],
    isAtOnce: true,
    begin: (settled) =>
      Effect.gen(function* () {
        const change = {
          recurringPaymentId: yield* subscribed(clientOrderId, settled),
          name: "holiday",
          change: "pause" as const
        }
        return preparedRunAs(ChangeSubscription, change, ({ status }) =>
          status === "paused" ? "approved" : String(status)
        )
      })
  },
  {
    name: "PayOut",
    effects: ["pay 1042"],
    begin: () =>
      Effect.map(payout(operations.PAYOUT_V4, { "client-order-id": clientOrderId }), (payload) =>
        preparedRun(PayOut, payload)
      )
  },
  {
    name: "PayOutV2",
    effects: ["pay 1042"],
    begin: () =>
      Effect.map(payout(operations.PAYOUT, { client_orderid: clientOrderId }), (payload) =>
        preparedRun(PayOutV2, payload)
      )
  },
  {
    name: "CheckPayOut, PayChecked",
    effects: ["check 1042", "pay 1042"],
    begin: () =>
      Effect.map(payout(operations.PAYOUT_V4_CHECK, { client_orderid: clientOrderId }), (payload) =>
        preparedRun(CheckAndPay, payload)
      )
  },
  transfer("Transfer", undefined, {}, "authorize 1042"),
  transfer("Transfer, 3DS", threeds.merchant, methodAndChallenge, "authorize 1042"),
  {
    name: "TransferByRef",
    effects: ["pay 1042"],
    begin: () =>
      Effect.map(
        onlyPayload(operations.TRANSFER_BY_REF_V4, {
          "client-order-id": clientOrderId,
          ...amount,
          ...toCard,
          server_callback_url: serverCallbackUrl
        }),
        (payload) => preparedRun(TransferByRef, payload)
      )
  },
  {
    name: "CanSend",
    effects: ["eligible 0"],
    begin: () =>
      Effect.map(
        onlyPayload(operations.PAN_ELIGIBILITY_SEND, {
          "client-order-id": clientOrderId,
          "sending-card-number": "4444333322221111",
          server_callback_url: serverCallbackUrl
        }),
        (payload) => preparedRun(CanSend, payload)
      )
  },
  ...hosted
]

/** Every flow in each dialect. */
const casesIn: Readonly<Record<Dialect, ReadonlyArray<Case>>> = {
  json: casesAt({ gateway: Sandbox.endpoints.threeds3dsGateway, merchant: Sandbox.endpoints.threedsMerchant }),
  pairs: casesAt({
    gateway: Sandbox.olderMerchant.endpoints.threedsGateway,
    merchant: Sandbox.olderMerchant.endpoints.threedsMerchant
  })
}

export const cases = casesIn.json

/** Every case has its own line in the table. */
export const byName = (name: string, dialect: Dialect = "json"): Case => {
  const result = casesIn[dialect].find((row) => row.name === name)
  assert(result !== undefined, `no flow is called ${name}`)
  return result
}
