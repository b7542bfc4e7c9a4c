/**
 * The parameters of operator operations: schemas of their wire form, with the facts that the command line and the documents need.
 */
import * as Currencies from "@pay/schema/Currency"
import * as Money from "@pay/schema/Money"
import { Effect, Option, Schema, SchemaAST, SchemaTransformation } from "effect"
import * as DateTime from "effect/DateTime"
import * as ForeignText from "../kernel/ForeignText.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"

/** The type of a flag on the command line. The values of `card` and `file` name a file; `duration` is `30m`, `24h` or `7d`. */
export type Kind = "text" | "number" | "duration" | "file" | "card" | "switch"

export interface Info {
  /** One sentence for help and documents. */
  readonly about: string
  /** Placeholder of the value in help; a switch has none. */
  readonly value?: string
  /** Name of the flag, if it is not the parameter's name in lower case with hyphens. */
  readonly flag?: string
  readonly kind?: Kind
  /** The value that the command line sends if the flag is not given. */
  readonly fallback?: string
}

const annotation = "@pay/gateway/OperatorParameter"

/** Makes the annotation that contains the facts about a parameter. */
export const info = (info: Info) => ({ [annotation]: info })

export const infoOf = ({ ast }: { readonly ast: SchemaAST.AST }): Info | undefined =>
  SchemaAST.resolveAt<Info>(annotation)(ast)

/** Returns the name of a parameter's flag on the command line, without its hyphens. */
export const flagOf = (name: string, { flag }: Info): string =>
  flag ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Whether a request may leave the parameter out. */
export const isOptional = ({ ast }: { readonly ast: SchemaAST.AST }): boolean =>
  SchemaAST.isOptional(SchemaAST.toEncoded(ast))

/** Returns the permitted words of a parameter that takes one of a few; `undefined` for any other parameter. */
export const wordsOf = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<string> | undefined => {
  const encoded = SchemaAST.toEncoded(ast)
  if (SchemaAST.isLiteral(encoded)) return [String(encoded.literal)]
  if (!SchemaAST.isUnion(encoded)) return undefined
  const words = encoded.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
  return words.length === encoded.types.length ? words : undefined
}

const parsed = (text: string): number | undefined =>
  Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis))

/** A time in ISO 8601, decoded to Unix time in milliseconds. */
export const Time = Schema.String.check(
  Schema.makeFilter((text) => parsed(text) !== undefined || "is not a time (2026-11-21T00:00:00Z)")
).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({
      decode: (text) => parsed(text) ?? 0,
      encode: (ms) => DateTime.formatIso(DateTime.makeUnsafe(ms))
    })
  )
)

const limits = { minimum: 1, maximum: 1000 }
const limitAbout = {
  value: "COUNT",
  about: "The largest number of rows, from 1 to 1000; 100 by default.",
  kind: "number"
} as const
const LimitNumber = Schema.Int.check(Schema.isBetween(limits))

/** The `limit` parameter in a query. */
const Limit = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,2}$|^1000$/, { message: "is a number from 1 to 1000" }))
  .pipe(Schema.decodeTo(LimitNumber, SchemaTransformation.transform({ decode: Number, encode: String })))
  .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(100)))
  .annotate(info(limitAbout))

/** The `limit` parameter in a body. */
const BodyLimit = LimitNumber.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(100))).annotate(info(limitAbout))

/** The `next` of a page, which is the `after` of the following page. */
const Cursor = Schema.String.check(
  Schema.makeFilter((text) => KeysetPage.read(text) !== undefined || "is not the next of a page")
).pipe(
  Schema.decodeTo(
    Schema.Struct({ atMs: Schema.Int, key: Schema.String }),
    SchemaTransformation.transform({
      decode: (text) => KeysetPage.read(text) ?? { atMs: 0, key: "" },
      encode: KeysetPage.format
    })
  )
)

const afterAbout = { value: "CURSOR", about: "The `next` of the previous page; the list continues after it." }

/** The parameters of a page of a list that starts with the newest row. */
export const page = { limit: Limit, after: Schema.optionalKey(Cursor.annotate(info(afterAbout))) }

/** The parameters of a page of a list whose cursor is an identifier. */
export const pageById = { limit: Limit, after: Schema.optionalKey(Schema.String.annotate(info(afterAbout))) }

/** The parameters of a page in a body. */
export const bodyPage = { ...page, limit: BodyLimit }

export const period = {
  from: Schema.optionalKey(
    Time.annotate(info({ value: "TIME", about: "The earliest time: 2026-11-21 or 2026-11-21T08:00:00Z." }))
  ),
  to: Schema.optionalKey(Time.annotate(info({ value: "TIME", about: "The latest time." })))
}

/** An amount in major units, as answers print it: also the 0.00 of a verification. */
export const Amount = Schema.String.check(Schema.makeFilter(Money.isAmountOrZero, { message: "is an amount: 10.42" }))

/** A currency by its code. The code of none would find nothing, without a word. */
export const Currency = Schema.String.check(
  Schema.makeFilter((text) => Currencies.digits(text) !== undefined, { message: "is a currency of ISO 4217: USD" })
)

/** The longest address that mail has (RFC 5321). */
const longestEmail = 254

export const Email = Schema.String.check(
  Schema.makeFilter((text) => {
    const at = text.lastIndexOf("@")
    return (at > 0 && at < text.length - 1 && text.length <= longestEmail) || "is an e-mail address"
  })
)

export const Merchant = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).annotate(
  info({ value: "LOGIN", about: "The merchant's login." })
)

export const Order = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64)).annotate(
  info({ value: "ORDER", about: "The gateway's identifier of the order." })
)

/** A parameter with any text. */
export const text = (facts: Info) => Schema.String.annotate(info(facts))

/** A parameter in a path that identifies something. */
export const id = (facts: Info) =>
  Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/, { message: "is an identifier" })).annotate(info(facts))

/** A parameter for a reason in words, which is stored. Card numbers in it are masked, and what no store keeps is escaped. */
export const note = (about: string, longest = 2000) =>
  Schema.String.check(
    Schema.makeFilter((text) => text.trim() !== "" && text.length <= longest, {
      message: `is a reason in words, of at most ${longest} characters`
    })
  )
    .pipe(
      Schema.decodeTo(
        Schema.String,
        SchemaTransformation.transform({ decode: ForeignText.prose, encode: (same) => same })
      )
    )
    .annotate(info({ value: "TEXT", about }))

/** A code or identifier that a bank named, if it did. */
export const bankCode = (facts: Info) =>
  Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[\w-]{1,64}$/)).annotate(info(facts)))

/** The cursor of the next page; absent on the last page. */
export const Next = Schema.optional(Cursor)
