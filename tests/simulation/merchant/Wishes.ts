/** What a merchant may want: each wish is a flow with its payload, drawn by chance. */
import { CardSale, Reserve, VerifyAccount } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import { Capture, GiveBack, Release } from "@pay/flows/OrderAction"
import { PayOut, PayOutV2 } from "@pay/flows/PayOut"
import type { Shopper } from "@pay/flows/Shopper"
import * as TestCvv from "@pay/sandbox/TestCvv"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Redacted, Result } from "effect"
import type { Chance } from "../Chance.ts"
import type { Intent, Kind } from "../Effects.ts"

const { operations } = PayApi

/** How a run of the flow ended: the tag of its error, or `Succeeded` with the order's status. */
export interface Ended {
  readonly tag: string
  readonly orderId: string | undefined
  readonly retryable: boolean
}

export interface Wish {
  readonly flow: string
  readonly intent: Intent
  readonly run: Effect.Effect<Ended, never, PayClient | Shopper>
}

/** An order that a wish has made. */
export interface Made {
  readonly clientOrderId: string
  readonly orderId: string
  readonly kind: "sale" | "preauth" | "other"
  readonly amountMinor: number
}

export const callbackUrl = "http://127.0.0.1:8081/callback"

const decoded = <O extends Operation>(operation: O, fields: Readonly<Record<string, string>>) => {
  const result = operation.decodeFields(fields)
  if (Result.isFailure(result)) throw new Error(`${operation.name}: ${JSON.stringify(result.failure)}`)
  return result.success
}

const sample = <O extends Operation>(operation: O) =>
  decoded(operation, { ...Sample.request(operation), server_callback_url: callbackUrl })

const saleFields = sample(operations.SALE)
const preauthFields = sample(operations.PREAUTH)
const verificationFields = sample(operations.ACCOUNT_VERIFICATION)
const recipient = {
  amount: "1.00",
  currency: "USD",
  account_number: "DE89370400440532013000",
  server_callback_url: callbackUrl
}
const payoutFields = decoded(operations.PAYOUT_V4, { "client-order-id": "x", ...recipient })
const payoutV2Fields = decoded(operations.PAYOUT, { client_orderid: "x", ...recipient })

const major = (amountMinor: number): string => (amountMinor / 100).toFixed(2)

const told = <E extends FlowError>(
  run: Effect.Effect<{ readonly orderId: string }, E, PayClient | Shopper>
): Effect.Effect<Ended, never, PayClient | Shopper> =>
  Effect.match(run, {
    onSuccess: ({ orderId }) => ({ tag: "Succeeded", orderId, retryable: false }),
    onFailure: (error) => {
      const order = "order" in error ? error.order : undefined
      return { tag: error._tag, orderId: order?.orderId, retryable: error.retryable }
    }
  })

const intent = (name: string, clientOrderId: string, kind: Kind, amountMinor: number | undefined): Intent => ({
  name,
  clientOrderId,
  kind,
  amountMinor,
  end: "moving",
  runs: 0
})

/** Mostly approved; the rest as the security code says. */
const cvv = (chance: Chance): string =>
  chance.percent(80) ? "123" : chance.oneOf(["116", "119", "209", "101", "217", ...TestCvv.rows.map((row) => row.cvv)])

export const creations = ["CardSale", "Reserve", "VerifyAccount", "PayOut", "PayOutV2"] as const
export type Creation = (typeof creations)[number]

/** A new order under this name. */
export const create = (flow: Creation, clientOrderId: string, chance: Chance): Wish => {
  const amountMinor = 1 + chance.below(20_000)
  const amount = major(amountMinor)
  const cvv2 = Redacted.make(cvv(chance))
  const client_orderid = clientOrderId
  const wish = (kind: Kind, minor: number, run: Wish["run"]): Wish => ({
    flow,
    intent: intent(clientOrderId, clientOrderId, kind, minor),
    run
  })
  switch (flow) {
    case "CardSale":
      return wish("authorize", amountMinor, told(Flow.run(CardSale, { ...saleFields, client_orderid, amount, cvv2 })))
    case "Reserve":
      return wish("authorize", amountMinor, told(Flow.run(Reserve, { ...preauthFields, client_orderid, amount, cvv2 })))
    case "VerifyAccount":
      return wish("authorize", 0, told(Flow.run(VerifyAccount, { ...verificationFields, client_orderid, cvv2 })))
    case "PayOut":
      return wish(
        "pay",
        amountMinor,
        told(Flow.run(PayOut, { ...payoutFields, "client-order-id": client_orderid, amount }))
      )
    case "PayOutV2":
      return wish("pay", amountMinor, told(Flow.run(PayOutV2, { ...payoutV2Fields, client_orderid, amount })))
  }
}

/** Something that can follow the order; whether the gateway takes it is the gateway's to say. */
export const follow = (order: Made, name: string, chance: Chance): Wish => {
  const { clientOrderId: client_orderid, orderId: orderid } = order
  const part = chance.percent(70)
  const amountMinor = part ? 1 + chance.below(Math.ceil(order.amountMinor / (chance.percent(15) ? 1 : 2))) : undefined
  const amounts = amountMinor === undefined ? {} : { amount: major(amountMinor), currency: "USD" }
  const action = { client_orderid, orderid, server_callback_url: callbackUrl }
  const flow = order.kind === "sale" ? "GiveBack" : chance.oneOf(["Capture", "Capture", "Release", "GiveBack"] as const)
  const identity = `${client_orderid}/${name}`
  switch (flow) {
    case "Capture":
      return {
        flow,
        intent: intent(identity, client_orderid, "capture", amountMinor),
        run: told(Flow.run(Capture, { ...action, ...amounts, name }))
      }
    case "Release":
      return {
        flow,
        intent: intent(`${client_orderid}/release`, client_orderid, "cancel", undefined),
        run: told(Flow.run(Release, { ...action, comment: "not needed" }))
      }
    default:
      return {
        flow,
        intent: intent(identity, client_orderid, "refund", amountMinor),
        run: told(Flow.run(GiveBack, { ...action, ...amounts, comment: "returned", name }))
      }
  }
}
