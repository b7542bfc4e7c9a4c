/** What an operator gets from Adyen for a merchant account, as the adapter needs it. */
import { type Redacted, Schema } from "effect"

/** Decodes a settings file of the operator. */
export const AdyenSettings = Schema.Struct({
  /**
   * The address of the Checkout API with its version: `https://checkout-test.adyen.com/v71`, or the address of the live environment,
   * which has a prefix of the company: `https://PREFIX-checkout-live.adyenpayments.com/checkout/v71`.
   */
  url: Schema.String.check(Schema.isPattern(/^https?:\/\/[^/?#]+(?:\/[A-Za-z0-9.-]+)*$/)),
  apiKey: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "Adyen API key" }),
  merchantAccount: Schema.NonEmptyString,
  /**
   * The keys that sign webhooks, as 64 hexadecimal digits. Each webhook in Adyen's Customer Area has one. While a key is replaced, list
   * the old and the new one.
   */
  hmacKeys: Schema.NonEmptyArray(
    Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^[0-9A-Fa-f]{64}$/)), { label: "Adyen HMAC key" })
  ),
  /** An address of the gateway. Adyen requires one in each payment, and sends no customer there: the gateway authenticates by itself. */
  returnUrl: Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/))
})
export type AdyenSettings = typeof AdyenSettings.Type

/** Reveals a secret where a request is written. The gateway's own function, because each copy of Effect keeps its secrets apart. */
export type Reveal = <A>(secret: Redacted.Redacted<A>) => A
