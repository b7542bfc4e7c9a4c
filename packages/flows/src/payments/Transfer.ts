/** Transfers from a card, or from the merchant's balance, to a card. */
import * as PayApi from "@pay/schema/PayApi"
import { Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import { charge, fieldsOf, pay, withBrowser, withoutBrowser } from "./OrderFlow.ts"

const { PAN_ELIGIBILITY_SEND, TRANSFER_BY_REF_V4, TRANSFER_V4 } = PayApi.operations

/** Transfers money to a card. The payer's card may need 3-D Secure, so a customer takes part. */
export const Transfer = Flow.make({
  ...withBrowser,
  name: "Transfer",
  summary: "Moves money from a card, or from the merchant's balance, to a card.",
  operation: TRANSFER_V4,
  payload: Schema.Struct(fieldsOf(TRANSFER_V4)),
  run: (payload) => pay(TRANSFER_V4, payload)
})

/** Transfers money from a stored card, or from the merchant's balance, without a customer's browser. */
export const TransferByRef = Flow.make({
  ...withoutBrowser,
  name: "TransferByRef",
  summary: "Moves money to a card from a stored card, or from the merchant's balance.",
  operation: TRANSFER_BY_REF_V4,
  payload: Schema.Struct(fieldsOf(TRANSFER_BY_REF_V4)),
  run: (payload) => charge(TRANSFER_BY_REF_V4, payload)
})

/** Checks whether a card can send money. The order is approved if it can. */
export const CanSend = Flow.make({
  ...withoutBrowser,
  name: "CanSend",
  summary: "Checks whether a card can send money.",
  operation: PAN_ELIGIBILITY_SEND,
  payload: Schema.Struct(fieldsOf(PAN_ELIGIBILITY_SEND)),
  run: (payload) => charge(PAN_ELIGIBILITY_SEND, payload)
})
