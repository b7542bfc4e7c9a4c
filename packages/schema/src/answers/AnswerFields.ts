/** Building blocks of answers. Keys are kebab-case; absent values are left out. */
import { Schema, SchemaTransformation } from "effect"

/** Text, also where a gateway writes a JSON number: identifiers and codes come both ways. */
export const Text = Schema.Union([Schema.String, Schema.Finite]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string | number>({ decode: String, encode: (text) => text })
  )
)

export const optionalText = Schema.optionalKey(Text)

/** Text of a list that may grow: a word that is not known is kept. */
export const openWord = (words: ReadonlyArray<string>) =>
  Schema.String.annotate({ description: `One of ${words.join(", ")}; more may come.`, examples: words.slice(0, 1) })

/** What every answer about an order carries (public protocol; `end-point-id` names the endpoint that took it). */
export const order = {
  type: Schema.String,
  "serial-number": Text,
  "paynet-order-id": Text,
  "merchant-order-id": Text,
  "end-point-id": optionalText
}
