/** Mistakes with the percent-encoding of the parameters of a base string. */
import * as PercentEncoding from "../PercentEncoding.ts"
import * as CharacterSets from "./CharacterSets.ts"
import { ALONE, type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"
import { correct, type OAuthDraft, sentOf } from "./OAuthDraft.ts"
import * as Writings from "./Writings.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Percent-encodes bytes, of whatever character set they are. */
const encodeBytes = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte < 0x80 ? PercentEncoding.encode(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`
    )
    .join("")

/** Escapes as the function `escape` of JavaScript does: Latin-1 as bytes, other characters with %u. */
const escapeOfScript = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9@*_+\-./]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase()
    return code.length > 2 ? `%u${code.padStart(4, "0")}` : `%${code.padStart(2, "0")}`
  })

const lower = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())

const writing = (steps: Writings.Writing): Partial<OAuthDraft> => ({
  ...(steps.space !== "%20" && { space: steps.space }),
  ...(steps.hex !== "upper" && { hex: steps.hex }),
  ...(steps.kept !== "" && { kept: steps.kept }),
  ...(steps.escaped !== "" && { escaped: steps.escaped })
})

/** The writings that differ first by this: the space, the digits, the signs. */
const firstBy = {
  space: ({ space }: Writings.Writing) => space === "+",
  hex: ({ hex, space }: Writings.Writing) => space === "%20" && hex === "lower",
  signs: ({ escaped, hex, kept, space }: Writings.Writing) =>
    space === "%20" && hex === "upper" && kept + escaped !== ""
}

const signsOf = ({ escaped, hex, kept, space }: Writings.Writing): string =>
  [
    ...(space === "+" ? ["+ for a space"] : []),
    ...(hex === "lower" ? ["small digits"] : []),
    ...(kept === "" ? [] : [`${kept} left`]),
    ...(escaped === "" ? [] : [`${escaped} escaped`])
  ].join(", ")

/** The writings of languages, in the parameters alone and also where the base string is joined, and all others. */
const writings = (draft: OAuthDraft, is: (writing: Writings.Writing) => boolean): Variants => {
  const text = sentOf(draft)
    .map(({ name, value }) => name + value)
    .join("")
  return [
    ...Writings.ofLanguages
      .filter(([, way]) => is(way))
      .flatMap(([name, way]): Variants => {
        const detail = `as ${name}: ${signsOf(way)}`
        const everywhere = Writings.writer(correct.encode, way)
        return [
          [detail, writing(way), USUAL],
          [
            `${detail}, also in the base string`,
            { ...writing(way), join: (...parts) => parts.map(everywhere).join("&") },
            USUAL
          ]
        ]
      }),
    ...Writings.others(text)
      .filter(is)
      .map((way): Variant<OAuthDraft> => [signsOf(way), writing(way), ALONE])
  ]
}

export const encodingMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "encoding-missing",
    description: "The values were not percent-encoded in the parameter string.",
    remedy: "Percent-encode each name and value, then the whole parameter string once more.",
    variants: () => [["names and values as they are", { encode: (text) => text }]]
  },
  {
    id: "encoding-double",
    description: "The values were percent-encoded twice in the parameter string.",
    remedy: "Sign the decoded values: encode each once, then the whole parameter string once more.",
    variants: () => [
      ["names and values encoded twice", { encode: (text) => correct.encode(correct.encode(text)) }],
      ...Writings.ofLanguages
        .slice(1)
        .map(
          ([name, way]): Variant<OAuthDraft> => [
            `encoded twice, first as ${name}`,
            { encode: (text) => correct.encode(Writings.writer(correct.encode, way)(text)) },
            RARE
          ]
        )
    ]
  },
  {
    id: "space-as-plus",
    description: "A space was encoded as + in the base string.",
    remedy: "Encode a space as %20 in the base string, also where the body has +.",
    variants: (draft) => writings(draft, firstBy.space)
  },
  {
    id: "reserved-unescaped",
    description: "Characters such as ! ' ( ) * were left as they are, or ~ was encoded.",
    remedy: "Encode everything except letters, digits and - . _ ~ (RFC 3986); encodeURIComponent does not.",
    variants: (draft) => writings(draft, firstBy.signs)
  },
  {
    id: "hex-lower",
    description: "The escapes of the percent-encoding have lower-case hex digits.",
    remedy: "Write escapes in upper case: %2F, not %2f.",
    variants: (draft) => [
      ...writings(draft, firstBy.hex),
      ["in the whole base string", { join: (...parts) => lower(correct.join(...parts)) }]
    ]
  },
  {
    id: "character-set",
    description:
      "Values were percent-encoded in another character set than UTF-8, or the base string was signed in one.",
    remedy: "Percent-encode the bytes of UTF-8.",
    variants: (draft) => [
      ...(sentOf(draft).every(({ name, value }) => CharacterSets.isAscii(name + value))
        ? []
        : CharacterSets.encoders.map(
            ([name, bytes], place): Variant<OAuthDraft> => [
              name,
              { encode: (text) => encodeBytes(bytes(text)) },
              place < 5 ? USUAL : RARE
            ]
          )),
      ["escape of JavaScript", { encode: escapeOfScript }],
      ["the base string in UTF-16", { bytes: (text) => Buffer.from(text, "utf16le") }],
      ["the base string in UTF-16, big-endian", { bytes: (text) => Buffer.from(text, "utf16le").swap16() }]
    ]
  }
]
