/** What an order begins with: a sale of 100.00 USD, changed as a case needs it. */
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import type * as Register from "../../src/orders/decide/Register.ts"
import * as Payment from "../../src/orders/record/Payment.ts"
import type * as Recipient from "../../src/recipients/Recipient.ts"
import { card } from "./Sample.ts"

export const payment: Payment.Payment = {
  ...Payment.none,
  clientOrderId: "INV-1",
  amountMinor: 10_000,
  currency: "USD",
  ...card,
  description: "Two tickets",
  ipAddress: CustomerAddress.of("203.0.113.7"),
  callbackUrl: "https://shop.example/callback"
}

export const opening = {
  orderId: "1",
  requestId: "2",
  merchantId: "shop",
  endpointId: "7",
  descriptor: undefined,
  acquirer: null,
  terminal: null,
  callbackFormat: "query",
  operation: "SALE",
  fingerprint: "v1.f",
  idempotencyKey: null,
  payment,
  filteredBy: undefined,
  nowMs: 2_000
} as const

export const registration = (changes: Partial<Register.Registration> = {}): Register.Registration => ({
  ...opening,
  kind: "sale",
  initiator: "cardholder",
  encryptedPan: Uint8Array.of(1),
  panHash: "v1.pan",
  encryptedCvv: undefined,
  gate: undefined,
  claim: undefined,
  ...changes
})

export const recipient: Recipient.RecipientColumns = {
  destinationKind: "card",
  encryptedDestination: Uint8Array.of(2),
  recipient: "v1.r",
  masked: "****2222",
  bin: "555544",
  lastFour: "2222",
  cardType: "MASTERCARD",
  purpose: null
}
