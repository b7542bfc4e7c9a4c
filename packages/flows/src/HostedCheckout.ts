/** Payments whose card data the customer enters on the gateway's page. The merchant's systems never receive card data. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { CustomerError, endpoint, type OrderFields } from "./CardPayment.ts"
import { completeAuthentication } from "./CompleteAuthentication.ts"
import * as Creation from "./Creation.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { ACCOUNT_VERIFICATION_FORM, PAYMENTFORM, PAYOUTFORM, PREAUTHFORM, SALEFORM } = PayApi.operations
const { login: _, ...payoutFields } = FieldNames.renamed(PAYOUTFORM.fields)

/** Creates the order and returns the address of its page. */
const open = Effect.fnUntraced(function* (
  operation: Operation,
  { endpointId, ...fields }: OrderFields,
  trail: Evidence.Trail
) {
  const { clientOrderId } = fields
  const request = FieldNames.requestOf(operation, fields)
  const { orderId, redirectUrl: url } = yield* Creation.create({
    step: "create",
    operation,
    request,
    clientOrderId,
    endpointId,
    trail,
    needed: "redirectUrl"
  })
  if (orderId === undefined || url === undefined) {
    return yield* Ending.stillUnknown(operation.name, { clientOrderId, trail })
  }
  return { clientOrderId, orderId, url }
})

/** Creates the order, sends the browser to its page, and returns the final status. */
const checkout = Effect.fnUntraced(function* (operation: Operation, fields: OrderFields) {
  const trail: Evidence.Trail = []
  const { clientOrderId, orderId, url } = yield* open(operation, fields, trail)
  const { endpointId } = fields
  const first = { _tag: "Redirect" as const, url }
  return yield* completeAuthentication({ named: { clientOrderId, orderId, endpointId }, trail, first })
})

const byForm = {
  success: OrderStatus,
  error: CustomerError,
  idempotencyKey: ({ clientOrderId }: { readonly clientOrderId: string }) => clientOrderId
}

/** Charges a card that the customer enters on the gateway's page. */
export const HostedSale = Flow.make({
  ...byForm,
  name: "HostedSale",
  summary: "Charges a card that the customer enters on the gateway's page.",
  operation: SALEFORM,
  payload: Schema.Struct({ ...FieldNames.renamed(SALEFORM.fields), ...endpoint }),
  run: (payload) => checkout(SALEFORM, payload)
})

/** Authorizes an amount on a card that the customer enters on the gateway's page. */
export const HostedAuthorization = Flow.make({
  ...byForm,
  name: "HostedAuthorization",
  summary: "Authorizes an amount on a card that the customer enters on the gateway's page.",
  operation: PREAUTHFORM,
  payload: Schema.Struct({ ...FieldNames.renamed(PREAUTHFORM.fields), ...endpoint }),
  run: (payload) => checkout(PREAUTHFORM, payload)
})

/** Takes a payment by a method that the customer selects on the gateway's page. */
export const HostedPayment = Flow.make({
  ...byForm,
  name: "HostedPayment",
  summary: "Takes a payment by a method that the gateway's page offers.",
  operation: PAYMENTFORM,
  payload: Schema.Struct({ ...FieldNames.renamed(PAYMENTFORM.fields), ...endpoint }),
  run: (payload) => checkout(PAYMENTFORM, payload)
})

/** Verifies a card that the customer enters on the gateway's page, without charging it. */
export const HostedVerification = Flow.make({
  ...byForm,
  name: "HostedVerification",
  summary: "Verifies a card that the customer enters on the gateway's page.",
  operation: ACCOUNT_VERIFICATION_FORM,
  payload: Schema.Struct({ ...FieldNames.renamed(ACCOUNT_VERIFICATION_FORM.fields), ...endpoint }),
  run: (payload) => checkout(ACCOUNT_VERIFICATION_FORM, payload)
})

/** Pays out to a destination that the recipient enters on the gateway's page. */
export const HostedPayOut = Flow.make({
  ...byForm,
  name: "HostedPayOut",
  summary: "Pays out to a destination that the recipient enters on the gateway's page.",
  operation: PAYOUTFORM,
  payload: Schema.Struct({ ...payoutFields, ...endpoint }),
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
  idempotencyKey: byForm.idempotencyKey
}

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
    run: (payload) => open(SALEFORM, payload, [])
  }),
  authorization: Flow.make({
    ...byPage,
    name: "HostedAuthorizationPage",
    summary: "Makes the order of `HostedAuthorization` and returns the address of its page.",
    operation: PREAUTHFORM,
    payload: HostedAuthorization.payload,
    run: (payload) => open(PREAUTHFORM, payload, [])
  }),
  payment: Flow.make({
    ...byPage,
    name: "HostedPaymentPage",
    summary: "Makes the order of `HostedPayment` and returns the address of its page.",
    operation: PAYMENTFORM,
    payload: HostedPayment.payload,
    run: (payload) => open(PAYMENTFORM, payload, [])
  }),
  verification: Flow.make({
    ...byPage,
    name: "HostedVerificationPage",
    summary: "Makes the order of `HostedVerification` and returns the address of its page.",
    operation: ACCOUNT_VERIFICATION_FORM,
    payload: HostedVerification.payload,
    run: (payload) => open(ACCOUNT_VERIFICATION_FORM, payload, [])
  }),
  payOut: Flow.make({
    ...byPage,
    name: "HostedPayOutPage",
    summary: "Makes the order of `HostedPayOut` and returns the address of its page.",
    operation: PAYOUTFORM,
    payload: HostedPayOut.payload,
    run: (payload) => open(PAYOUTFORM, payload, [])
  })
}
