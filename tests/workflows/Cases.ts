/** Every flow, with what has to be there before it. */
import { assert } from "@effect/vitest"
import { Authorization, CardSale, VerifyAccount } from "@pay/flows/CardPayment"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import type { FlowError } from "@pay/flows/FlowError"
import { ExecuteError } from "@pay/flows/FlowError"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "@pay/flows/HostedCheckout"
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
import { type PreparedRun, preparedRun, preparedRunAs } from "./PreparedRun.ts"
import { clientOrderId, made, payloadOf, request, serverCallbackUrl, subscribed, toAccount } from "./Requests.ts"

/** A flow as the tables of these tests run it. */
export interface Case {
  readonly name: string
  /** What the bank is to have done for the order in the end, each once: `authorize 1042`. */
  readonly effects: ReadonlyArray<string>
  /** Whether a customer takes part who can leave. */
  readonly customer?: boolean
  /** The flow is answered at once, and causes no callback. */
  readonly isAtOnce?: true
  /** Everything up to the flow itself. `settled`: what the gateway has under way is done. */
  readonly begin: <R>(
    settled: Effect.Effect<void, never, R>
  ) => Effect.Effect<PreparedRun, unknown, FlowEngine | PayClient | CustomerBrowser | R>
}

const { operations } = PayApi

const kept = ({ cardRefId }: { readonly cardRefId: string }) => (/^\d+$/.test(cardRefId) ? "approved" : "no reference")
/** Without scripts a customer gets no further than the gateway's method page. */
const challenged = { credit_card_number: "4444000011118888" }
const methodAndChallenge = { credit_card_number: "4444000022224444" }
const versionOne = { credit_card_number: "4444024000000006" }

/** A flow that begins with its own request, which differs so from the sample. A customer takes part at an endpoint with 3-D Secure. */
const begun = <
  N extends string,
  P extends Flow.Fields,
  A extends Schema.Codec<{ readonly status: string }, unknown>,
  E extends Schema.Codec<FlowError, unknown>
>(
  name: string,
  flow: Flow.Flow<N, P, A, E, FlowEngine | PayClient | CustomerBrowser>,
  effects: Case["effects"],
  changes: Readonly<Record<string, string>> = {}
): Case => ({
  ...{ name, effects, customer: "endpointId" in changes },
  begin: () => Effect.map(payloadOf(flow, changes), (payload) => preparedRun(flow, payload))
})

const subscribe = (name: string, changes: Readonly<Record<string, string>> = {}): Case => ({
  ...{ name, effects: ["authorize 1042"], customer: "endpointId" in changes },
  begin: () =>
    Effect.map(payloadOf(Subscribe, { cvv2: "123", ...changes }), (payload) =>
      preparedRunAs(Subscribe, payload, ({ order }) => order.status)
    )
})

/** Both steps of a payout as one flow of the shop. */
const CheckAndPay = Flow.make({
  name: "CheckAndPay",
  summary: "Checks a payout and pays it.",
  operation: operations.PAYOUT_V4_PAY,
  payload: CheckPayOut.payload,
  success: PayChecked.success,
  error: Schema.Union([...CheckPayOut.error.members, ...PayChecked.error.members, ...ExecuteError.members]),
  idempotencyKey: CheckPayOut.idempotencyKey,
  run: Effect.fnUntraced(function* (payload) {
    const { clientOrderId, orderId } = yield* CheckPayOut.execute(payload)
    return yield* PayChecked.execute({ clientOrderId, orderId })
  })
})

/** Endpoints at which the issuer wants to see the cardholder. */
interface Threeds {
  readonly gateway: string
  readonly merchant: string
}

const casesAt = ({ gateway, merchant }: Threeds): ReadonlyArray<Case> => [
  begun("CardSale", CardSale, ["authorize 1042"]),
  begun("CardSale, 3DS gateway", CardSale, ["authorize 1042"], { endpointId: gateway, ...challenged }),
  begun("CardSale, 3DS merchant", CardSale, ["authorize 1042"], { endpointId: merchant, ...methodAndChallenge }),
  begun("CardSale, 3DS 1.0.2", CardSale, ["authorize 1042"], { endpointId: merchant, ...versionOne }),
  begun("Authorization", Authorization, ["authorize 1042"]),
  begun("VerifyAccount", VerifyAccount, ["authorize 0"]),
  {
    name: "Capture, a part",
    effects: ["authorize 1042", "capture 600"],
    begin: (settled) =>
      Effect.map(made("PREAUTH", settled), (order) =>
        preparedRun(Capture, { ...order, serverCallbackUrl, name: "shipment-1", amount: "6.00", currency: "USD" })
      )
  },
  {
    name: "Void",
    effects: ["authorize 1042", "void 1042"],
    begin: (settled) =>
      Effect.map(made("PREAUTH", settled), (order) => preparedRun(Void, { ...order, serverCallbackUrl }))
  },
  {
    name: "Refund, a part",
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
        return preparedRun(Rebill, yield* payloadOf(Rebill, { cardrefid: stored["card-ref-id"] }))
      })
  },
  subscribe("Subscribe"),
  subscribe("Subscribe, 3DS", { endpointId: merchant, ...methodAndChallenge }),
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
  begun("PayOut", PayOut, ["pay 1042"], toAccount),
  begun("PayOutV2", PayOutV2, ["pay 1042"], toAccount),
  {
    name: "CheckPayOut, PayChecked",
    effects: ["check 1042", "pay 1042"],
    begin: () => Effect.map(payloadOf(CheckPayOut, toAccount), (payload) => preparedRun(CheckAndPay, payload))
  },
  begun("Transfer", Transfer, ["authorize 1042"], { cvv2: "123" }),
  begun("Transfer, 3DS", Transfer, ["authorize 1042"], { endpointId: merchant, cvv2: "123", ...methodAndChallenge }),
  begun("TransferByRef", TransferByRef, ["pay 1042"]),
  begun("CanSend", CanSend, ["eligible 0"], {
    "sending-card-ref-id": "",
    "sending-card-number": "4444333322221111"
  }),
  ...[
    begun("HostedSale", HostedSale, ["authorize 1042"]),
    begun("HostedAuthorization", HostedAuthorization, ["authorize 1042"]),
    begun("HostedPayment", HostedPayment, ["authorize 1042"]),
    begun("HostedPayOut", HostedPayOut, ["check 1042", "pay 1042"]),
    begun("HostedVerification", HostedVerification, ["authorize 0"])
  ].map((hosted) => ({ ...hosted, customer: true }))
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
