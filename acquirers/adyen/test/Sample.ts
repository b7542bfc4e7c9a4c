/** Requests and settings for tests. */
import type { Authorization } from "@pay/gateway/Acquirer"
import { Redacted, Schema } from "effect"
import { AdyenSettings } from "../src/AdyenSettings.ts"

export const hmacKey = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"

export const settingsFile = {
  url: "https://checkout-test.adyen.com/v71",
  apiKey: "an-api-key",
  merchantAccount: "TeaAndSonsEU",
  hmacKeys: [hmacKey] as const,
  returnUrl: "https://pay.example/adyen"
}

export const settings = Schema.decodeUnknownSync(AdyenSettings)(settingsFile)

export const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
  reference: "123-authorize-0",
  orderId: "123",
  clientOrderId: "invoice 7",
  merchantId: "tea",
  amountMinor: 10_42,
  currency: "EUR",
  card: {
    pan: Redacted.make("4111111111111111"),
    cvv: Redacted.make("737"),
    expireMonth: 3,
    expireYear: 2030,
    cardholder: "Jane Doe"
  },
  capture: false,
  ...changes
})

/** The signed fields of a webhook about a capture. */
export const captureEvent = {
  pspReference: "QFQTPCQ8HXSKGK82",
  originalReference: "9913140798220028",
  merchantAccountCode: "TeaAndSonsEU",
  merchantReference: "123-capture-1",
  amount: { currency: "EUR", value: 1042 },
  eventCode: "CAPTURE",
  success: "true"
}
