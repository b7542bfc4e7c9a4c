/** Payments by card data: sale, authorization, and verification of a card. The gateway decides whether 3-D Secure is used. */
import * as PayApi from "@pay/schema/PayApi"
import { Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import { fieldsOf, pay, withBrowser } from "./OrderFlow.ts"

const { ACCOUNT_VERIFICATION, PREAUTH, SALE } = PayApi.operations

const saleFields = fieldsOf(SALE)
const preauthFields = fieldsOf(PREAUTH)
const verificationFields = fieldsOf(ACCOUNT_VERIFICATION)

/** Charges a card at once. After a restart a durable engine runs this flow without `cvv2`, because `cvv2` must not be stored. */
export const CardSale = Flow.make({
  ...withBrowser,
  name: "CardSale",
  summary: "Charges a card at once. Uses 3-D Secure if the endpoint requires it.",
  operation: SALE,
  payload: Schema.Struct({ ...saleFields, cvv2: Schema.optionalKey(saleFields.cvv2) }),
  run: (payload) => pay(SALE, payload)
})

/** Authorizes an amount on a card. `Capture` captures it in parts, `Void` voids the rest. See also `authorize` of `Hold`. */
export const Authorization = Flow.make({
  ...withBrowser,
  name: "Authorization",
  summary: "Authorizes an amount on a card without capturing it.",
  operation: PREAUTH,
  payload: Schema.Struct({ ...preauthFields, cvv2: Schema.optionalKey(preauthFields.cvv2) }),
  run: (payload) => pay(PREAUTH, payload)
})

/** Verifies the card with its issuer, without charging it. */
export const VerifyAccount = Flow.make({
  ...withBrowser,
  name: "VerifyAccount",
  summary: "Verifies a card with its issuer without charging it.",
  operation: ACCOUNT_VERIFICATION,
  payload: Schema.Struct({ ...verificationFields, cvv2: Schema.optionalKey(verificationFields.cvv2) }),
  run: (payload) => pay(ACCOUNT_VERIFICATION, payload)
})
