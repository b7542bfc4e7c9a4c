/**
 * The dialects of the protocol. `json` is the specification's: requests ask for it in the header `Accept`. `pairs` is the older
 * one of this protocol family, which deployed modules speak: docs/merchants/older-dialect.md. Both dialects share one contract. Each
 * operation, rule or answer states how it differs between them.
 */
export const all = ["json", "pairs"] as const
export type Dialect = (typeof all)[number]

/** The media type that a request of the dialect `json` accepts. */
export const mediaType = "application/vnd.pay+json"

/** The value of a field in the older dialect that must not be empty but has no value. */
export const noValue = "-"

/**
 * Default values for an answer in the older dialect, by the `type` of the answer. Deployed modules refuse an answer in which one
 * of these fields is absent or empty.
 */
export const fallbacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "async-response": { status: "processing" },
  "async-form-response": { status: "processing" },
  "get-card-info-response": { "card-printed-name": noValue }
}

/**
 * Default values for the answer to a verification that waits for its status. Deployed libraries refuse it without them, also
 * while the status is `processing` and no card is stored.
 */
export const verificationFallbacks: Readonly<Record<string, string>> = {
  phone: noValue,
  "cardholder-name": noValue,
  "card-ref-id": noValue,
  "card-hash-id": noValue
}
