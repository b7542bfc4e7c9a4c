/** Actions with a customer's browser: hosted pages and 3-D Secure. */

import type { Chance } from "@pay/crashtest/Chance"
import { Authorization, CardSale, VerifyAccount } from "@pay/flows/CardPayment"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "@pay/flows/HostedCheckout"
import { Subscribe } from "@pay/flows/Subscription"
import { Transfer } from "@pay/flows/Transfer"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import { Redacted } from "effect"
import type { Kind } from "../../Intents.ts"
import type { Account, Endpoint } from "../Account.ts"
import { shopUrl } from "../Customer.ts"
import {
  type ActionKind,
  callbackUrl,
  type Execute,
  intent,
  type MerchantAction,
  major,
  operations,
  orderResult,
  sample
} from "../MerchantAction.ts"
import { amountOf } from "../Price.ts"

const threeds = ["threeds3dsGateway", "threedsMerchant"] as const

export const isThreeDS = (endpoint: Endpoint | undefined): boolean => threeds.some((name) => name === endpoint)

const saleFields = sample(operations.SALEFORM)
const preauthFields = sample(operations.PREAUTHFORM)
const paymentFields = sample(operations.PAYMENTFORM)
const verificationFields = sample(operations.ACCOUNT_VERIFICATION_FORM)
const { login: _, ...payoutFields } = sample(operations.PAYOUTFORM)

const namesOf = (account: Account, clientOrderId: string) => ({
  clientOrderId,
  serverCallbackUrl: callbackUrl(account),
  redirectUrl: shopUrl
})

/** `begin`: receives the names of the order and its amount. */
const page = (
  flow: string,
  kind: Kind,
  creates: MerchantAction["creates"],
  begin: (names: ReturnType<typeof namesOf>, amount: string) => MerchantAction["run"]
): ActionKind => ({
  flow,
  weight: 5,
  draw: (draw) => {
    const { account, chance, clientOrderId, endpointCurrency } = draw
    const endpointNames = [
      "usd",
      "group",
      ...threeds,
      ...(creates === "payout" ? (["approval"] as const) : [])
    ] as const
    const amountMinor = creates === "verification" ? 0 : (draw.amountMinor ?? amountOf(chance))
    return {
      flow,
      endpoint: endpointCurrency?.endpoint ?? chance.oneOf(endpointNames),
      intent: intent(draw, clientOrderId, clientOrderId, kind, amountMinor),
      creates,
      run: begin(namesOf(account, clientOrderId), major(amountMinor))
    }
  }
})

export const hosted: ReadonlyArray<ActionKind> = [
  page(
    HostedSale.name,
    "authorize",
    "sale",
    (names, amount) => (execute) => orderResult(execute(HostedSale, { ...saleFields, ...names, amount }))
  ),
  page(
    HostedAuthorization.name,
    "authorize",
    "preauth",
    (names, amount) => (execute) => orderResult(execute(HostedAuthorization, { ...preauthFields, ...names, amount }))
  ),
  page(
    HostedPayment.name,
    "authorize",
    "sale",
    (names, amount) => (execute) => orderResult(execute(HostedPayment, { ...paymentFields, ...names, amount }))
  ),
  page(
    HostedVerification.name,
    "authorize",
    "verification",
    (names) => (execute) => orderResult(execute(HostedVerification, { ...verificationFields, ...names }))
  ),
  page(
    HostedPayOut.name,
    "pay",
    "payout",
    (names, amount) => (execute) => orderResult(execute(HostedPayOut, { ...payoutFields, ...names, amount }))
  )
]

/** Flows with 3-D Secure if the endpoint requires it. */
const authenticating: ReadonlySet<string> = new Set(
  [CardSale, Authorization, VerifyAccount, Subscribe, Transfer].map(({ name }) => name)
)

/** Flows that always name a card. */
const withCard: ReadonlySet<string> = new Set([CardSale, Authorization, VerifyAccount].map(({ name }) => name))

/** Adds the return address of the shop, and in most cases a 3-D Secure test card. */
const withReturn =
  (execute: Execute, fields: object): Execute =>
  (flow, payload) =>
    execute(flow, { ...payload, ...fields, redirectUrl: shopUrl })

const withThreeDS = (action: MerchantAction, endpoint: Endpoint, chance: Chance): MerchantAction => {
  const number =
    withCard.has(action.flow) && chance.percent(70) ? chance.someOf(ThreeDSTestCards.cards)?.number : undefined
  const fields = number === undefined ? {} : { creditCardNumber: Redacted.make(number) }
  return { ...action, endpoint, card: number ?? action.card, run: (execute) => action.run(withReturn(execute, fields)) }
}

/** Returns the actions that support 3-D Secure, on endpoints where the gateway or the merchant runs it. */
export const authenticated = (actions: ReadonlyArray<ActionKind>): ReadonlyArray<ActionKind> =>
  actions
    .filter(({ flow }) => authenticating.has(flow))
    .map(({ draw, flow, weight }) => ({
      flow,
      weight,
      draw: (from) => {
        const endpoint = from.chance.oneOf(threeds)
        const action = draw({ ...from, endpointCurrency: { endpoint, currency: from.chance.oneOf(["USD", "EUR"]) } })
        return action === undefined ? undefined : withThreeDS(action, endpoint, from.chance)
      }
    }))
