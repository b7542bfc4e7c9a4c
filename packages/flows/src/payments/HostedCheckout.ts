/** Payments whose card data the customer enters on the gateway's page. The merchant's systems never receive card data. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { completeAuthentication } from "../browser/CompleteAuthentication.ts"
import * as Flow from "../engine/Flow.ts"
import * as FlowError from "../order/FlowError.ts"
import * as Ending from "../requests/Ending.ts"
import { create, fieldsOf, type OrderFields, withBrowser } from "./OrderFlow.ts"

const { ACCOUNT_VERIFICATION_FORM, PAYMENTFORM, PAYOUTFORM, PREAUTHFORM, SALEFORM } = PayApi.operations

/** Creates the order and returns the address of its page. */
const open = Effect.fnUntraced(function* (operation: Operation, fields: OrderFields) {
  const { target, named, receipt, trail } = yield* create(operation, fields, "redirectUrl")
  const { orderId, redirectUrl: url } = receipt
  if (orderId === undefined || url === undefined) {
    return yield* Ending.stillUnknown(operation.name, { ...named, trail })
  }
  return { page: { clientOrderId: named.clientOrderId, orderId, url }, named: { ...named, orderId }, target, trail }
})

/** Creates the order, sends the browser to its page, and returns the final status. */
const checkout = (operation: Operation, fields: OrderFields) =>
  Effect.flatMap(open(operation, fields), ({ target, named, page, trail }) =>
    completeAuthentication({ target, named, trail, first: { _tag: "Redirect", url: page.url } })
  )

/** Charges a card that the customer enters on the gateway's page. */
export const HostedSale = Flow.make({
  ...withBrowser,
  name: "HostedSale",
  summary: "Charges a card that the customer enters on the gateway's page.",
  operation: SALEFORM,
  payload: Schema.Struct(fieldsOf(SALEFORM)),
  run: (payload) => checkout(SALEFORM, payload)
})

/** Authorizes an amount on a card that the customer enters on the gateway's page. */
export const HostedAuthorization = Flow.make({
  ...withBrowser,
  name: "HostedAuthorization",
  summary: "Authorizes an amount on a card that the customer enters on the gateway's page.",
  operation: PREAUTHFORM,
  payload: Schema.Struct(fieldsOf(PREAUTHFORM)),
  run: (payload) => checkout(PREAUTHFORM, payload)
})

/** Takes a payment by a method that the customer selects on the gateway's page. */
export const HostedPayment = Flow.make({
  ...withBrowser,
  name: "HostedPayment",
  summary: "Takes a payment by a method that the gateway's page offers.",
  operation: PAYMENTFORM,
  payload: Schema.Struct(fieldsOf(PAYMENTFORM)),
  run: (payload) => checkout(PAYMENTFORM, payload)
})

/** Verifies a card that the customer enters on the gateway's page, without charging it. */
export const HostedVerification = Flow.make({
  ...withBrowser,
  name: "HostedVerification",
  summary: "Verifies a card that the customer enters on the gateway's page.",
  operation: ACCOUNT_VERIFICATION_FORM,
  payload: Schema.Struct(fieldsOf(ACCOUNT_VERIFICATION_FORM)),
  run: (payload) => checkout(ACCOUNT_VERIFICATION_FORM, payload)
})

/** Pays out to a destination that the recipient enters on the gateway's page. */
export const HostedPayOut = Flow.make({
  ...withBrowser,
  name: "HostedPayOut",
  summary: "Pays out to a destination that the recipient enters on the gateway's page.",
  operation: PAYOUTFORM,
  payload: Schema.Struct(fieldsOf(PAYOUTFORM)),
  run: (payload) => checkout(PAYOUTFORM, payload)
})

/** The page on which a customer pays. The order exists, but has no final status yet. */
const HostedPage = Schema.Struct({
  clientOrderId: Schema.String,
  orderId: Schema.String,
  /** The address to which the customer's browser goes. */
  url: Schema.String
})

const byPage = {
  success: HostedPage,
  error: Schema.Union([...FlowError.Unmade.members, FlowError.NeedsAPerson]),
  idempotencyKey: withBrowser.idempotencyKey
}

const pageOf = (operation: Operation, fields: OrderFields) => Effect.map(open(operation, fields), ({ page }) => page)

/**
 * Flows that create the order and return the address of its page. Use them if the final status comes from callbacks or
 * `AwaitFinal`. Use the hosted flow itself if one program also waits for the final status.
 */
export const pages = {
  sale: Flow.make({
    ...byPage,
    name: "HostedSalePage",
    summary: "Makes the order of `HostedSale` and returns the address of its page.",
    operation: SALEFORM,
    payload: HostedSale.payload,
    run: (payload) => pageOf(SALEFORM, payload)
  }),
  authorization: Flow.make({
    ...byPage,
    name: "HostedAuthorizationPage",
    summary: "Makes the order of `HostedAuthorization` and returns the address of its page.",
    operation: PREAUTHFORM,
    payload: HostedAuthorization.payload,
    run: (payload) => pageOf(PREAUTHFORM, payload)
  }),
  payment: Flow.make({
    ...byPage,
    name: "HostedPaymentPage",
    summary: "Makes the order of `HostedPayment` and returns the address of its page.",
    operation: PAYMENTFORM,
    payload: HostedPayment.payload,
    run: (payload) => pageOf(PAYMENTFORM, payload)
  }),
  verification: Flow.make({
    ...byPage,
    name: "HostedVerificationPage",
    summary: "Makes the order of `HostedVerification` and returns the address of its page.",
    operation: ACCOUNT_VERIFICATION_FORM,
    payload: HostedVerification.payload,
    run: (payload) => pageOf(ACCOUNT_VERIFICATION_FORM, payload)
  }),
  payOut: Flow.make({
    ...byPage,
    name: "HostedPayOutPage",
    summary: "Makes the order of `HostedPayOut` and returns the address of its page.",
    operation: PAYOUTFORM,
    payload: HostedPayOut.payload,
    run: (payload) => pageOf(PAYOUTFORM, payload)
  })
}
