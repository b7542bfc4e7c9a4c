/**
 * A request field: a schema that decodes the text of one form field, with the facts about it that documents, command
 * line and tests need. Length and rules follow the public pages of the protocol (the specification shows none).
 */
import { Redacted, Result, Schema, SchemaAST, SchemaTransformation } from "effect"
import * as Blanks from "./Blanks.ts"
import * as Characters from "./Characters.ts"
import { codes } from "./ErrorCode.ts"

/** What is wrong with a value, as the end of the sentence `Parameter X …`. */
export interface Flaw {
  readonly code: number
  readonly says: string
}

/**
 * Sensitivity of a value. `plain`: may be logged and hashed. `card`: number or expiry. `recipient`: identifies the recipient of
 * money, as an account number does. `cvv`: must be deleted after the authorisation.
 */
export type Kind = "plain" | "card" | "recipient" | "cvv"

/** Converts the text of a field to its value and back. The text must already be valid. */
export interface Translation<A> {
  decode(text: string): A
  encode(value: A): string
}

/** The facts about a field that are attached to its schema. */
export interface Info {
  /** One sentence for documents and help. */
  readonly about: string
  /** Longest value, in characters (Unicode code points). */
  readonly maxLength: number
  /** A plausible value. */
  readonly sample: string
  readonly kind: Kind
  /**
   * Returns the form of a text in which it is checked, compared, stored and passed on, such as an IBAN without blanks. A text that
   * cannot be read, or that is far longer than `maxLength`, stays unchanged. `fields`: the other fields of the request, as they were
   * sent. `undefined`: every text is its own normal form.
   */
  readonly normal: ((text: string, fields?: Readonly<Record<string, string>>) => string) | undefined
  /** Returns what is wrong with a text, or `undefined` if it is valid. The text must be trimmed and not empty. */
  readonly flaw: (text: string) => Flaw | undefined
  /**
   * Returns one text for values that mean the same (`10.0` and `10`), so that requests can be compared. A text longer than
   * `maxLength` stays unchanged.
   */
  readonly canonical: (text: string) => string
  /**
   * Converts text to a value and back, as the schema does, but without checks. Decoders that are prepared once per operation use
   * it.
   */
  readonly translation: Translation<unknown>
  /** The rule as JSON Schema, as far as it can be written there. */
  readonly json: { readonly pattern?: string; readonly enum?: ReadonlyArray<string>; readonly format?: string }
  /** Set if nothing depends on the value: a wrong one counts as absent, only in the older dialect (`pairs`), or always (`Fact`). */
  readonly hint: "pairs" | "always" | undefined
}

/** The declaration of a field, from which its schema and its {@link Info} are made. */
export interface Spec {
  readonly about: string
  readonly max: number
  readonly sample: string
  /** Pattern of the whole value, anchored. Without a pattern, all text without control characters is accepted. */
  readonly pattern?: RegExp
  /** What is wrong with a value that does not match `pattern`, as the end of the sentence `Parameter X …`. */
  readonly must?: string
  /** Whether the value may contain line breaks and tabs. */
  readonly lines?: boolean
  /**
   * Whether the value identifies something. Invisible characters are then refused, so that two identifiers that look equal are
   * equal.
   */
  readonly identifier?: boolean
  /** A rule that a pattern cannot express. It returns what is wrong, as the end of the sentence `Parameter X …`. */
  readonly rule?: (text: string) => Flaw | string | undefined
  readonly kind?: Kind
  /**
   * See `normal` of {@link Info}. `max`, `pattern` and `rule` apply to the normal form. By default the normal form of text on one line,
   * without `pattern` and `identifier`, has blanks in place of its line breaks.
   */
  readonly normal?: (text: string, fields?: Readonly<Record<string, string>>) => string
  readonly canonical?: (text: string) => string
  readonly json?: Info["json"]
  /** See `hint` of {@link Info}. Only for fields that are optional in every operation. */
  readonly hint?: boolean
}

const controlCharacter = /\p{Cc}/u
const controlCharacterButLines = /[^\P{Cc}\t\r\n]/u

/**
 * Control characters, separators of lines and paragraphs, and format characters: those that reverse the direction of writing
 * (U+202E), join characters or are invisible.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const invalid = (says: string): Flaw => ({ code: codes.parameterInvalid.code, says })

const makeFlaw = ({ identifier, json, lines, max, must = "is not valid", pattern, rule }: Spec): Info["flaw"] => {
  const tooLong: Flaw = { code: codes.parameterTooLong.code, says: `is longer than ${max} characters` }
  const unprintable = invalid("contains a character that is not allowed")
  const mismatch = invalid(must)
  // A value that is not in the list is refused with the list, even if it is too long.
  const limit = json?.enum === undefined ? max : Number.POSITIVE_INFINITY
  const forbidden = identifier === true ? invisible : lines === true ? controlCharacterButLines : controlCharacter
  const wrong = (says: Flaw | string | undefined) => (typeof says === "string" ? invalid(says) : says)
  return (text) => {
    if (Characters.isLonger(text, limit)) return tooLong
    if (pattern === undefined) {
      if (forbidden.test(text) || !text.isWellFormed()) return unprintable
    } else if (!pattern.test(text)) return mismatch
    return rule === undefined ? undefined : wrong(rule(text))
  }
}

const infoOf = (spec: Spec, translation: Translation<unknown>): Info => {
  const normal = normalOf(spec)
  const flaw = makeFlaw(spec)
  const canonical = canonicalOf(spec)
  return {
    about: spec.about,
    maxLength: spec.max,
    sample: spec.sample,
    kind: spec.kind ?? "plain",
    normal,
    flaw: normal === undefined ? flaw : (text) => flaw(normal(text)),
    canonical: normal === undefined ? canonical : (text) => canonical(normal(text)),
    translation:
      normal === undefined ? translation : { ...translation, decode: (text) => translation.decode(normal(text)) },
    json:
      spec.json ?? (spec.pattern === undefined || spec.normal !== undefined ? {} : { pattern: spec.pattern.source }),
    hint: spec.hint === true ? "pairs" : undefined
  }
}

const same = (text: string): string => text

/** Reads up to four times the maximum, because of separators. */
const normalOf = ({ max, normal, ...spec }: Spec): Info["normal"] => {
  const form = normal ?? (isProse(spec) ? Blanks.oneLine : undefined)
  return form && ((text, fields) => (text.length > 4 * max ? text : form(text, fields)))
}

/** Whether the field has words for people, on one line. */
const isProse = ({ identifier, json, lines, pattern, rule }: Omit<Spec, "max">): boolean =>
  identifier !== true && lines !== true && pattern === undefined && rule === undefined && json === undefined

/** The two ways to write an accent (U+00FC, and `u` with U+0308) are one text, except in identifiers. */
const canonicalOf = ({ canonical, identifier, max, pattern }: Spec): Info["canonical"] => {
  const make =
    canonical ?? (identifier === true || pattern !== undefined ? same : (text: string) => text.normalize("NFC"))
  return make === same ? same : (text) => (Characters.isLonger(text, max) ? text : make(text))
}
const asItIs: Translation<string> = { decode: same, encode: same }
const annotation = "@pay/schema/Field"

const checked = (info: Info): Schema.String =>
  Schema.String.check(
    Schema.makeFilter((text: string) => info.flaw(text)?.says, {
      toJsonSchema: () => ({ maxLength: info.maxLength, ...info.json })
    })
  )

/** Decodes a text to its normal form. */
const normalized = (info: Info): Schema.Codec<string> =>
  info.normal === undefined
    ? checked(info)
    : checked(info).pipe(
        Schema.decodeTo(checked(info), SchemaTransformation.transform({ decode: info.normal, encode: same }))
      )

/** Returns what a schema is annotated with to be a field. */
export const described = (info: Info) => ({ description: info.about, [annotation]: info })

/** Makes a field that decodes to its text in normal form. */
export const text = (spec: Spec): Schema.Codec<string> => {
  const info = infoOf(spec, asItIs)
  return normalized(info).annotate(described(info))
}

/** Makes a field for card data or for data of a recipient. It decodes to a `Redacted` that prints its label and nothing else. */
export const secret = (
  label: string,
  spec: Spec & { readonly kind: Kind }
): Schema.RedactedFromValue<Schema.Codec<string>> => {
  const info = infoOf(spec, {
    decode: (value) => Redacted.make(value, { label }),
    encode: (value: Redacted.Redacted<string>) => Redacted.value(value)
  })
  return Schema.RedactedFromValue(normalized(info), { label }).annotate(described(info))
}

/** Makes a field that accepts only the given words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(
  words: Words,
  spec: { readonly about: string; readonly sample: Words[number] }
): Schema.Literals<Words> => {
  const rule = (value: string) => (words.includes(value) ? undefined : `must be one of ${words.join(", ")}`)
  const max = words.reduce((longest, word) => Math.max(longest, word.length), 0)
  const info = infoOf({ ...spec, max, rule, json: { enum: words } }, asItIs)
  return Schema.Literals(words).annotate(described(info))
}

/** Makes a field for a whole number. Without `translation` it is written in decimal digits. */
export const integer = (
  spec: Spec,
  translation: Translation<number> = { decode: Number, encode: String }
): Schema.decodeTo<Schema.Int, Schema.String> => {
  const info = infoOf(spec, translation)
  const decode = (text: string) => translation.decode(info.normal?.(text) ?? text)
  return checked(info)
    .pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ ...translation, decode })))
    .annotate(described(info))
}

/** Makes a field that accepts `true` or `false`, in any case. */
export const boolean = (spec: {
  readonly about: string
  readonly sample: string
}): Schema.decodeTo<Schema.Boolean, Schema.String> => {
  const translation: Translation<boolean> = { decode: (value) => value.toLowerCase() === "true", encode: String }
  const pattern = /^(?:true|false)$/i
  const info = infoOf(
    {
      ...spec,
      max: 5,
      pattern,
      must: "must be true or false",
      canonical: (value) => value.toLowerCase(),
      json: { enum: ["true", "false"] }
    },
    translation
  )
  return checked(info)
    .pipe(Schema.decodeTo(Schema.Boolean, SchemaTransformation.transform(translation)))
    .annotate(described(info))
}

/** A schema that decodes one form field. A function of this module makes it; it may be optional. */
export type Field = Schema.ConstraintCodec<unknown, string>

/** Returns the facts about a schema, or `undefined` if no function of this module made it. */
export const infoIn = ({ ast }: { readonly ast: SchemaAST.AST }): Info | undefined =>
  SchemaAST.resolveAt<Info>(annotation)(ast)

/** Returns the facts about a field. Throws a `TypeError` if no function of this module made the schema. */
export const info = (field: Field): Info => {
  const result = infoIn(field)
  if (result === undefined) throw new TypeError("a request field must be made with Field")
  return result
}

/**
 * Returns the wire text of a value, trimmed and in its normal form. Fails if the value has the wrong type, such as a secret as plain text. Only code
 * that TypeScript has not checked can pass such a value.
 */
export const textOf = ({ normal, translation }: Info, value: unknown): Result.Result<string, Flaw> => {
  const text = encoded(translation, value)
  if (text !== undefined) return Result.succeed(normal?.(text) ?? text)
  const isPlainSecret = typeof value === "string" && encoded(translation, Redacted.make(value)) !== undefined
  return Result.fail(
    invalid(
      isPlainSecret
        ? "must be Redacted, so that no log can show it: Redacted.make(text)"
        : "is not of the type of this field"
    )
  )
}

const encoded = (translation: Translation<unknown>, value: unknown): string | undefined => {
  try {
    const text: unknown = translation.encode(value)
    return typeof text === "string" ? Blanks.trim(text) : undefined
  } catch {
    return undefined
  }
}

/** Whether a request may leave the field out. */
export const isOptional = (field: Field): boolean => SchemaAST.isOptional(field.ast)
