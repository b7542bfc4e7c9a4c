/**
 * A request field: a schema that decodes the text of one form field, with the facts about it that documents, command
 * line and tests need. Length and rules follow the public pages of the protocol (the specification shows none).
 */
import { Redacted, Result, Schema, SchemaAST, SchemaTransformation } from "effect"
import { codes } from "./ErrorCode.ts"

/** What is wrong with a value, as the end of the sentence `Parameter X …`. */
export interface Flaw {
  readonly code: number
  readonly says: string
}

/**
 * `plain`: may be logged and hashed. `card`: number or expiry. `recipient`: names whoever gets money, as an account number
 * does. `cvv`: must be gone after the authorisation.
 */
export type Kind = "plain" | "card" | "recipient" | "cvv"

export interface Translation<A> {
  decode(text: string): A
  encode(value: A): string
}

export interface Info {
  /** One sentence for documents and help. */
  readonly about: string
  /** In UTF-16 code units. */
  readonly maxLength: number
  /** A plausible value. */
  readonly sample: string
  readonly kind: Kind
  /** What is wrong with this text, already trimmed and not empty. */
  readonly flaw: (text: string) => Flaw | undefined
  /** One text for values that mean the same (`10.0` and `10`), for comparing requests. A value that is too long stays as it is. */
  readonly canonical: (text: string) => string
  /** Text to value and back, without checks: what the schema does, for prepared decoders. */
  readonly translation: Translation<unknown>
  /** The rule as JSON Schema, as far as it can be written there. */
  readonly json: { readonly pattern?: string; readonly enum?: ReadonlyArray<string>; readonly format?: string }
  /** Nothing depends on the value: in the older dialect, a wrong one counts as left out. */
  readonly isHint: boolean
}

export interface Spec {
  readonly about: string
  readonly max: number
  readonly sample: string
  /** The whole value, anchored. Without it: any text but control characters. */
  readonly pattern?: RegExp
  /** What a value that does not match is told. */
  readonly must?: string
  /** Whether line breaks and tabs belong in the value. */
  readonly lines?: boolean
  /** Whether the value names something: two that look alike must be alike, so nothing invisible is in it. */
  readonly identifier?: boolean
  /** A rule that no pattern can hold; the answer ends the sentence `Parameter X …`. */
  readonly rule?: (text: string) => Flaw | string | undefined
  readonly kind?: Kind
  readonly canonical?: (text: string) => string
  readonly json?: Info["json"]
  /** See {@link Info}. Only for fields that are optional wherever they are. */
  readonly hint?: boolean
}

const controlCharacter = /\p{Cc}/u
const controlCharacterButLines = /[^\P{Cc}\t\r\n]/u

/** Also what turns the writing round (U+202E), joins or hides. */
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
    if (text.length > limit) return tooLong
    if (pattern === undefined) {
      if (forbidden.test(text) || !text.isWellFormed()) return unprintable
    } else if (!pattern.test(text)) return mismatch
    return rule === undefined ? undefined : wrong(rule(text))
  }
}

const infoOf = (spec: Spec, translation: Translation<unknown>): Info => ({
  about: spec.about,
  maxLength: spec.max,
  sample: spec.sample,
  kind: spec.kind ?? "plain",
  flaw: makeFlaw(spec),
  canonical: canonicalOf(spec),
  translation,
  json: spec.json ?? (spec.pattern === undefined ? {} : { pattern: spec.pattern.source }),
  isHint: spec.hint === true
})

const same = (text: string): string => text

const canonicalOf = ({ canonical, max }: Spec): Info["canonical"] =>
  canonical === undefined ? same : (text) => (text.length > max ? text : canonical(text))
const asItIs: Translation<string> = { decode: same, encode: same }

const annotation = "@pay/schema/Field"

const checked = (info: Info): Schema.String =>
  Schema.String.check(
    Schema.makeFilter((text: string) => info.flaw(text)?.says, {
      toJsonSchema: () => ({ maxLength: info.maxLength, ...info.json })
    })
  )

const described = (info: Info) => ({ description: info.about, [annotation]: info })

/** A field that stays text. */
export const text = (spec: Spec): Schema.String => {
  const info = infoOf(spec, asItIs)
  return checked(info).annotate(described(info))
}

/** Card data, or a recipient's: decodes to a `Redacted` that prints its label and nothing else. */
export const secret = (
  label: string,
  spec: Spec & { readonly kind: Kind }
): Schema.RedactedFromValue<Schema.String> => {
  const info = infoOf(spec, {
    decode: (value) => Redacted.make(value, { label }),
    encode: (value: Redacted.Redacted<string>) => Redacted.value(value)
  })
  return Schema.RedactedFromValue(checked(info), { label }).annotate(described(info))
}

/** A field of a few known words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(
  words: Words,
  spec: { readonly about: string; readonly sample: Words[number] }
): Schema.Literals<Words> => {
  const rule = (value: string) => (words.includes(value) ? undefined : `must be one of ${words.join(", ")}`)
  const max = words.reduce((longest, word) => Math.max(longest, word.length), 0)
  const info = infoOf({ ...spec, max, rule, json: { enum: words } }, asItIs)
  return Schema.Literals(words).annotate(described(info))
}

/** A whole number in digits, unless read and written otherwise. */
export const integer = (
  spec: Spec,
  translation: Translation<number> = { decode: Number, encode: String }
): Schema.decodeTo<Schema.Int, Schema.String> => {
  const info = infoOf(spec, translation)
  return checked(info)
    .pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.transform(translation)))
    .annotate(described(info))
}

/** `true` or `false`, in any case. */
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

/** A schema that decodes one form field: made by a function of this module, optional or not. */
export type Field = Schema.ConstraintCodec<unknown, string>

/** The facts about a schema; `undefined` for one that was not made here. */
export const infoIn = ({ ast }: { readonly ast: SchemaAST.AST }): Info | undefined =>
  SchemaAST.resolveAt<Info>(annotation)(ast)

/** The facts about a field. Dies on a schema that was not made here. */
export const info = (field: Field): Info => {
  const result = infoIn(field)
  if (result === undefined) throw new TypeError("a request field must be made with Field")
  return result
}

/** Returns the kind of a schema, or `undefined` if the schema was not made here. */
export const kindOf = (schema: { readonly ast: SchemaAST.AST }): Kind | undefined => infoIn(schema)?.kind

/** Returns the kinds of a schema and of everything inside it, such as the parts of a struct, a list or a union. */
export const kindsWithin = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlySet<Kind> => {
  const kinds = new Set<Kind>()
  const visited = new Set<SchemaAST.AST>()
  const look = (at: SchemaAST.AST): void => {
    if (visited.has(at)) return
    visited.add(at)
    const kind = kindOf({ ast: at })
    if (kind !== undefined) kinds.add(kind)
    else partsOf(at).forEach(look)
  }
  look(ast)
  return kinds
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Union":
      return ast.types
    case "Declaration":
      return ast.typeParameters
    case "Suspend":
      return [ast.thunk()]
    default:
      return []
  }
}

/**
 * The wire text of a value, trimmed, or what is wrong with its type, which only code that TypeScript has not checked can bring
 * about: a secret as plain text, for one.
 */
export const textOf = ({ translation }: Info, value: unknown): Result.Result<string, Flaw> => {
  const text = encoded(translation, value)
  if (text !== undefined) return Result.succeed(text)
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
    return typeof text === "string" ? text.trim() : undefined
  } catch {
    return undefined
  }
}

/** The value as the field itself decodes it: one that was made by hand gets the label that schemas look for. */
export const asDecoded = (schema: { readonly ast: SchemaAST.AST }, value: unknown): unknown => {
  const translation = infoIn(schema)?.translation
  return translation !== undefined && Redacted.isRedacted(value) ? translation.decode(translation.encode(value)) : value
}

/** Whether a request may leave the field out. */
export const isOptional = (field: Field): boolean => SchemaAST.isOptional(field.ast)
