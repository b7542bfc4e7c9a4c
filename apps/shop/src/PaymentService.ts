/**
 * Three payments to copy: a sale with 3-D Secure, a payout in two steps, a subscription. You choose `clientOrderId`. A second call
 * with the same one continues the same payment, so no money moves twice. The pages of this shop start the same flows durably.
 */
import { CardSale } from "@pay/flows/CardPayment"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import { Subscribe } from "@pay/flows/Subscription"
import { Effect, Redacted } from "effect"

const serverCallbackUrl = "https://shop.example/callback"

/** A card as your form reads it. `Redacted` keeps its number and security code out of logs. */
const card = { creditCardNumber: Redacted.make("4444000022224444"), expireMonth: 12, expireYear: 2035 }
const address = { address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" }
const contact = { email: "ada@example.com", phone: "+442079460000", ipAddress: "203.0.113.7" }
export const customer = { cardPrintedName: "ADA LOVELACE", cvv2: Redacted.make("123"), ...card, ...address, ...contact }

/** Charges the card. If 3-D Secure is used, `CustomerBrowser` takes the customer to the issuer and back. */
export const sell = Effect.fn("PaymentService.sell")(
  function* (clientOrderId: string, payer: typeof customer) {
    const sale = { clientOrderId, amount: "42.00", currency: "USD", orderDesc: "Two tickets" }
    const redirectUrl = `https://shop.example/orders/${clientOrderId}/back`
    const order = yield* CardSale.execute({ ...sale, ...payer, redirectUrl, serverCallbackUrl })
    return `paid as order ${order.orderId}`
  },
  Effect.retry({ while: ({ retryable }) => retryable, times: 3 }),
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
    const payout = { clientOrderId, accountNumber, amount: "25.00", currency: "USD", serverCallbackUrl }
    const { orderId } = yield* CheckPayOut.execute(payout)
    return isApproved(orderId) ? (yield* PayChecked.execute({ clientOrderId, orderId })).status : "held"
  },
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(`not paid: ${reason}`),
    PayloadInvalid: ({ message }) => Effect.succeed(`correct the form: ${message}`)
  })
)

/** Charges the first month. The gateway charges the following months by itself, and reports each with a callback. */
export const subscribe = Effect.fn("PaymentService.subscribe")(
  function* (clientOrderId: string, payer: typeof customer) {
    const plan = { clientOrderId, amount: "9.99", currency: "USD", period: "monthly", interval: 1 } as const
    const { nextChargeDate } = yield* Subscribe.execute({ ...plan, ...payer, serverCallbackUrl })
    return `active, next charge on ${nextChargeDate}`
  },
  Effect.catchTags({ Declined: ({ reason }) => Effect.succeed(`not subscribed: ${reason}`) })
)
