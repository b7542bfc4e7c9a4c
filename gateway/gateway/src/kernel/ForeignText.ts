/**
 * Text that another system sent: a bank, a payout rail, a 3-D Secure server, a receiver of callbacks. NUL and lone surrogates are
 * characters that a store refuses or changes, so they are written as escapes (`\u0000`).
 */
import * as CardText from "@pay/schema/CardText"
import { Schema, SchemaTransformation } from "effect"
import * as LogText from "./LogText.ts"

/** A pair of surrogates is one character here, and does not match. */
const unstorable = /[\0\p{Surrogate}]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Returns the text with escapes for the characters that no store keeps. */
export const storable = (text: string): string => text.replaceAll(unstorable, escaped)

/** Free text: one line, short, without anything that may be a card number. */
export const line = (text: string): string => storable(LogText.of(text))

/** Free text of a person, as it was written except for card numbers and escapes. */
export const prose = (text: string): string => storable(CardText.mask(text))

const decoding = (text: Schema.String, decode: (text: string) => string) =>
  text.pipe(Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode, encode: (same) => same })))

const sized = (shortest: number, longest: number) =>
  Schema.String.check(
    Schema.makeFilter((text) => text.trim().length >= shortest && text.length <= longest, {
      message: `Expected text of ${shortest} to ${longest} characters`
    })
  )

/** Text that may be absent ("") and is stored as it was sent, except for its escapes. */
export const Text = (longest: number) => decoding(sized(0, longest), storable)

/** Text that must not be blank, and is otherwise like {@link Text}. */
export const Name = (longest: number) => decoding(sized(1, longest), storable)

/** Free text of any length, which is shortened. */
export const Line = decoding(Schema.String, line)

/** An identifier that is sent back to the system that made it. An escape would change it, so it must be storable as it is. */
export const Token = (longest: number) =>
  sized(1, longest).check(
    Schema.makeFilter((text) => text === storable(text), { message: "Expected text without NUL and lone surrogates" })
  )

/** An address to which a browser is sent. */
export const WebAddress = Token(4096).check(
  Schema.makeFilter((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
    message: "Expected an address with http or https"
  })
)
