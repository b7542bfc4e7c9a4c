/**
 * A field for a fact that helps, but on which nothing depends. It accepts every text: one that does not have the fact decodes to
 * `undefined`, and counts as absent.
 */
import { Schema, SchemaTransformation } from "effect"
import * as Field from "./Field.ts"

/** The declaration of a fact. */
export interface Spec<A> extends Pick<Field.Spec, "about" | "max" | "sample"> {
  /** Returns the value, or `undefined` if the text does not have it. */
  readonly read: (text: string) => A | undefined
  /** Writes the value. Default: `String`. */
  readonly write?: (value: A) => string
}

export const make = <A>(
  schema: Schema.Codec<A>,
  { about, max, read, sample, write = String }: Spec<A>
): Schema.decodeTo<Schema.UndefinedOr<Schema.Codec<A>>, Schema.String> => {
  const canonical = (text: string): string => {
    const value = read(text)
    return value === undefined ? "" : write(value)
  }
  const translation: Field.Translation<A | undefined> = {
    decode: read,
    encode: (value) => (value === undefined ? "" : canonical(String(value)))
  }
  const info: Field.Info = {
    about,
    maxLength: max,
    sample,
    kind: "plain",
    normal: undefined,
    flaw: () => undefined,
    canonical,
    translation,
    json: {},
    hint: "always"
  }
  return Schema.String.pipe(
    Schema.decodeTo(Schema.UndefinedOr(schema), SchemaTransformation.transform(translation))
  ).annotate(Field.described(info))
}
