/** A column with a value as JSON. Only the gateway writes it, so that a text that cannot be read is a defect. */
import { Schema } from "effect"

export const make = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeSync(Schema.fromJsonString(schema))
  return {
    write: (value: A): string => JSON.stringify(value),
    read: (text: string | null): A | undefined => (text === null ? undefined : decode(text))
  }
}
