/**
 * Three payments to copy: a sale with 3-D Secure, a payout in two steps, a subscription. You choose `clientOrderId`. A second call
 * with the same one continues the same payment, so no money moves twice. The pages of this shop start the same flows durably.
 */
import * as BrowserData from "@pay/flows/BrowserData"
import { CardSale } from "@pay/flows/CardPayment"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import { Subscribe } from "@pay/flows/Subscription"
import { Effect, type Redacted, Result } from "effect"

/** What the customer's browser posted: the form of your checkout, the headers of its request, and where it came from. */
export interface Posted {
  readonly form: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly ipAddress: string
}
const card = ["creditCardNumber", "cardPrintedName", "expireMonth", "expireYear", "cvv2"] as const
const contact = ["address1", "city", "zipCode", "country", "email", "phone"] as const

/** Reads the form once: the typed fields of the customer, or every wrong field with its message. Card data is `Redacted`. */
export const payerOf = ({ form, headers, ipAddress }: Posted) =>
  Result.map(FlowPayload.decodeFields(CardSale, [...card, ...contact], form), (payer) => ({
    ...payer,
    ipAddress,
    browser: BrowserData.paymentFields(form, headers)
  }))
export type Payer = Result.Result.Success<ReturnType<typeof payerOf>>

/** Charges the card. If 3-D Secure is used, `CustomerBrowser` takes the customer to the issuer and back. */
export const sell = (clientOrderId: string, { browser, ...payer }: Payer) =>
  CardSale.execute({
    clientOrderId,
    orderDesc: "Two tickets",
    amount: "42.00",
    currency: "USD",
    ...payer,
    ...browser,
    redirectUrl: `https://shop.example/orders/${clientOrderId}/back`,
    serverCallbackUrl: "https://shop.example/callback"
  }).pipe(
    Effect.retry({ while: ({ retryable }) => retryable, times: 3 }),
    Effect.map(({ orderId }) => `paid as order ${orderId}`),
    Effect.catchTags({
      Declined: ({ reason }) => Effect.succeed(`declined: ${reason}. Another try is another order`),
      NotAuthenticated: () => Effect.succeed("the issuer did not confirm the customer"),
      Abandoned: () => Effect.succeed("the customer left the page of the issuer"),
      StillUnknown: () => Effect.succeed("deliver nothing yet, and call again")
    })
  )

/** Checks the account and holds the amount. Pays if you approve; otherwise the hold ends by itself. */
export const payOut = Effect.fn("PaymentService.payOut")(
  function* (clientOrderId: string, accountNumber: Redacted.Redacted, isApproved: (orderId: string) => boolean) {
    const { orderId } = yield* CheckPayOut.execute({
      clientOrderId,
      accountNumber,
      amount: "25.00",
      currency: "USD",
      serverCallbackUrl: "https://shop.example/callback"
    })
    return isApproved(orderId) ? (yield* PayChecked.execute({ clientOrderId, orderId })).status : "held"
  },
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(`not paid: ${reason}`),
    PayloadInvalid: ({ message }) => Effect.succeed(`correct the form: ${message}`)
  })
)

/** Charges the first month. The gateway charges the following months by itself, and reports each with a callback. */
export const subscribe = (clientOrderId: string, { browser: _, ...payer }: Payer) =>
  Subscribe.execute({
    clientOrderId,
    amount: "9.99",
    currency: "USD",
    period: "monthly",
    interval: 1,
    ...payer,
    serverCallbackUrl: "https://shop.example/callback"
  }).pipe(
    Effect.map(({ nextChargeDate }) => `active, next charge on ${nextChargeDate}`),
    Effect.catchTags({ Declined: ({ reason }) => Effect.succeed(`not subscribed: ${reason}`) })
  )
