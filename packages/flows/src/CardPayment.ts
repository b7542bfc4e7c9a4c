/** Payments by card data: sale, authorization, and verification of a card. The gateway decides whether 3-D Secure is used. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { completeAuthentication } from "./CompleteAuthentication.ts"
import * as Creation from "./Creation.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { ACCOUNT_VERIFICATION, PREAUTH, SALE } = PayApi.operations

/** The field that selects the endpoint of the requests, if it is not the client's own. */
export const endpoint = {
  endpointId: Schema.optionalKey(
    Schema.String.annotate({ description: "The endpoint or group to use, if not the client's own." })
  )
}

/** Errors of a flow whose order needs a customer's browser. */
export const CustomerError = Schema.Union([
  ...FlowError.UnpaidByCustomer.members,
  ...FlowError.Unmade.members,
  FlowError.NeedsAPerson
])

/** The payload of a flow that creates an order, with the fields of its operation. */
export interface OrderFields extends Readonly<Record<string, unknown>> {
  readonly clientOrderId: string
  readonly endpointId?: string
}

/** Creates the order, completes the authentication in the customer's browser, and returns the final status. */
const pay = Effect.fnUntraced(function* (operation: Operation, { endpointId, ...fields }: OrderFields) {
  const trail: Evidence.Trail = []
  const { clientOrderId } = fields
  const request = FieldNames.requestOf(operation, fields)
  const { orderId } = yield* Creation.create({ step: "create", operation, request, clientOrderId, endpointId, trail })
  if (orderId === undefined) return yield* Ending.stillUnknown(operation.name, { clientOrderId, trail })
  return yield* completeAuthentication({ named: { clientOrderId, orderId, endpointId }, trail })
})

const byCard = {
  success: OrderStatus,
  error: CustomerError,
  idempotencyKey: ({ clientOrderId }: { readonly clientOrderId: string }) => clientOrderId
}

const saleFields = FieldNames.renamed(SALE.fields)
const preauthFields = FieldNames.renamed(PREAUTH.fields)
const verificationFields = FieldNames.renamed(ACCOUNT_VERIFICATION.fields)

/** Charges a card at once. After a restart a durable engine runs this flow without `cvv2`, because `cvv2` must not be stored. */
export const CardSale = Flow.make({
  ...byCard,
  name: "CardSale",
  summary: "Charges a card at once. Uses 3-D Secure if the endpoint requires it.",
  operation: SALE,
  payload: Schema.Struct({ ...saleFields, cvv2: Schema.optionalKey(saleFields.cvv2), ...endpoint }),
  run: (payload) => pay(SALE, payload)
})

/** Authorizes an amount on a card. `Capture` captures it in parts, `Void` voids the rest. See also `withAuthorization`. */
export const Authorization = Flow.make({
  ...byCard,
  name: "Authorization",
  summary: "Authorizes an amount on a card without capturing it.",
  operation: PREAUTH,
  payload: Schema.Struct({ ...preauthFields, cvv2: Schema.optionalKey(preauthFields.cvv2), ...endpoint }),
  run: (payload) => pay(PREAUTH, payload)
})

/** Verifies the card with its issuer, without charging it. */
export const VerifyAccount = Flow.make({
  ...byCard,
  name: "VerifyAccount",
  summary: "Verifies a card with its issuer without charging it.",
  operation: ACCOUNT_VERIFICATION,
  payload: Schema.Struct({ ...verificationFields, cvv2: Schema.optionalKey(verificationFields.cvv2), ...endpoint }),
  run: (payload) => pay(ACCOUNT_VERIFICATION, payload)
})
