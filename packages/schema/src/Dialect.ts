/**
 * The dialects of the protocol. `json` is the specification's: requests ask for it in the header `Accept`. `pairs` is the older
 * one of this protocol family, which deployed modules speak: docs/older-dialect.md. The contract is one for both; what differs
 * is a fact of an operation, a rule or an answer.
 */
export const all = ["json", "pairs"] as const
export type Dialect = (typeof all)[number]

/** The media type that a request of the dialect `json` accepts. */
export const mediaType = "application/vnd.pay+json"

/** What a field says that must not be empty and has no value. */
export const noValue = "-"

/**
 * What an answer of the older dialect says where it has no value of its own, by its `type`. Deployed modules refuse an answer
 * that lacks one of these fields or has it empty.
 */
export const fallbacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "async-response": { status: "processing" },
  "async-form-response": { status: "processing" },
  "get-card-info-response": { "card-printed-name": noValue }
}
