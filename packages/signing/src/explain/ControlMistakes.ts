/** The catalogue of mistakes with `control`. If two mistakes are combined, the one that comes first in the list is made first. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import * as BodyTexts from "./BodyTexts.ts"
import * as CharacterSets from "./CharacterSets.ts"
import { type ControlDraft, correct, type Part } from "./ControlDraft.ts"
import { controlValueMistakes } from "./ControlValueMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import type { Mistake, Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

const separators = [..." +&,;:|-_./#*~$@\n\t", "\r\n", "||", "::"]

const entries = (parts: ReadonlyArray<Part>): Record<string, string> =>
  Object.fromEntries(parts.map(({ slot, value }) => [slot, value]))

/** Hashes that this build of Node can make, which merchants use in place of SHA-1. */
const otherHashes = ["md5", "sha224", "sha256", "sha384", "sha512", "ripemd160", "sha3-256", "sha512-256"].filter(
  (name) => crypto.getHashes().includes(name)
)

const between = (separator: string) => (hex: string) => hex.replace(/..(?=.)/g, `$&${separator}`)

/** Prints a byte as a signed number of 32 bits. */
const signed = (byte: string): string => (byte < "8" ? byte : `ffffff${byte}`)

/** What stands around the hex digits by mistake. Their case does not matter. */
const decorations: ReadonlyArray<readonly [detail: string, change: (hex: string) => string]> = [
  ["a hyphen between the bytes", between("-")],
  ["a hyphen between the bytes, in capitals", (hex) => between("-")(hex.toUpperCase())],
  ["a colon between the bytes", between(":")],
  ["a colon between the bytes, in capitals", (hex) => between(":")(hex.toUpperCase())],
  ["a blank between the bytes", between(" ")],
  ["a blank between the bytes, in capitals", (hex) => between(" ")(hex.toUpperCase())],
  ["0x before them", (hex) => `0x${hex}`],
  ["0x before them, in capitals", (hex) => `0x${hex.toUpperCase()}`],
  ["\\x before them", (hex) => `\\x${hex}`],
  ...["sha1=", "sha1:", "SHA1=", "SHA1 ", "{SHA}"].map(
    (name) => [`${name} before them`, (hex: string) => name + hex] as const
  ),
  ["double quotes", (hex) => `"${hex}"`],
  ["single quotes", (hex) => `'${hex}'`],
  ["ffffff before bytes from 80 on, as Java prints a byte below zero", (hex) => hex.replace(/../g, signed)],
  ["the mark of bytes in Python", (hex) => `b'${hex}'`],
  ["a file name behind them, as sha1sum prints", (hex) => `${hex}  -`]
]

export const controlMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  ...controlValueMistakes,
  ...keyMistakes<ControlDraft>(),
  {
    id: "key-replaced",
    description: "A field or a setting was used in place of the key.",
    remedy: "Use the control key that the gateway's operator gave you; it is none of the fields.",
    aspect: "key",
    isRare: true,
    variants: (draft) =>
      Object.entries(draft.fields).flatMap(
        ([name, value = ""]): Variants => (value === "" ? [] : [[`${name} as the key`, { ...draft, key: value }]])
      )
  },
  {
    id: "key-first",
    description: "The key was put before, between or on both sides of the values.",
    remedy: "The key comes last.",
    aspect: "join",
    variants: (draft) => [
      ["the key first", { ...draft, join: (parts, key) => key + correct.join(parts, "") }],
      ["the key first and last", { ...draft, join: (parts, key) => key + correct.join(parts, key) }],
      ...Array.from(
        { length: Math.max(draft.parts.length - 1, 0) },
        (_, index): Variant<ControlDraft> => [
          `the key at place ${index + 2}`,
          {
            ...draft,
            join: (parts, key) =>
              correct.join(parts.slice(0, index + 1), key) + correct.join(parts.slice(index + 1), "")
          }
        ]
      )
    ]
  },
  {
    id: "separator",
    description: "The values were joined with a character between them.",
    remedy: "Join the values with nothing between them; a + in a description of the recipe only means 'then'.",
    aspect: "join",
    variants: (draft) =>
      separators.flatMap((separator): Variants => {
        const joined = (parts: ReadonlyArray<Part>) => parts.map(({ value }) => value).join(separator)
        const name = JSON.stringify(separator)
        return [
          [`${name} also before the key`, { ...draft, join: (parts, key) => joined(parts) + separator + key }],
          [`${name} between the values`, { ...draft, join: (parts, key) => joined(parts) + key }],
          [`${name} before the key`, { ...draft, join: (parts, key) => correct.join(parts, separator + key) }],
          [
            `${name} after each value and the key`,
            { ...draft, join: (parts, key) => [joined(parts), key, ""].join(separator) }
          ]
        ]
      })
  },
  {
    id: "names-signed",
    description: "The names of the fields were signed with their values.",
    remedy: "Only the values are joined.",
    aspect: "join",
    variants: (draft) => [
      ["as JSON", { ...draft, join: (parts, key) => JSON.stringify(entries(parts)) + key }],
      ["as a list in JSON", { ...draft, join: (parts, key) => JSON.stringify(parts.map(({ value }) => value)) + key }],
      ["as an encoded form", { ...draft, join: (parts, key) => `${new URLSearchParams(entries(parts))}${key}` }],
      ...["&", "", "\n", ";", ","].flatMap((separator): Variants => {
        const joined = (parts: ReadonlyArray<Part>) =>
          parts.map(({ slot, value }) => `${slot}=${value}`).join(separator)
        return [
          ["name=value pairs, then the key", { ...draft, join: (parts, key) => joined(parts) + key }],
          ["name=value pairs, & and the key", { ...draft, join: (parts, key) => `${joined(parts)}&${key}` }]
        ]
      })
    ]
  },
  {
    id: "body-signed",
    description: "The whole body was signed, or all its values.",
    remedy: "Sign only the values of the operation's recipe, without their names.",
    aspect: "join",
    isRare: true,
    variants: (draft) => {
      const { body } = draft
      if (body === undefined) return []
      const values = BodyTexts.valuesOf(body)
      const listed = values.map(
        ([detail, text]): Variant<ControlDraft> => [detail, { ...draft, join: (_, key) => text + key }]
      )
      const whole = [...new Set([body, ...BodyTexts.rewritten(body)])].flatMap(
        (text): Variants =>
          ["", "&", "&control=", "&key="].map((end) => [
            `the body${end === "" ? "" : `, ${end}`} and the key`,
            { ...draft, join: (_, key) => text + end + key }
          ])
      )
      return [...whole, ...listed]
    }
  },
  {
    id: "text-line-end",
    description: "A line break was hashed with the text, as `echo` adds one.",
    remedy: "Hash exactly the text: use printf '%s', or echo -n.",
    aspect: "join",
    variants: (draft) => [
      ["LF at the end", { ...draft, join: (parts, key) => `${correct.join(parts, key)}\n` }],
      ["CR LF at the end", { ...draft, join: (parts, key) => `${correct.join(parts, key)}\r\n` }]
    ]
  },
  {
    id: "character-set",
    description: "The text was hashed in another character set than UTF-8.",
    remedy: "Encode the text in UTF-8 before hashing.",
    aspect: "bytes",
    variants: (draft) => [
      ...(CharacterSets.isAscii(draft.join(draft.parts, draft.key)) ? [] : CharacterSets.encoders).map(
        ([name, bytes]): Variant<ControlDraft> => [name, { ...draft, bytes }]
      ),
      ["UTF-8 with a byte order mark", { ...draft, bytes: (text) => Buffer.from(`\uFEFF${text}`) }],
      ["UTF-16", { ...draft, bytes: (text) => Buffer.from(text, "utf16le") }],
      ["UTF-16, big-endian", { ...draft, bytes: (text) => Buffer.from(text, "utf16le").swap16() }]
    ]
  },
  {
    id: "hash-other",
    description: "Another hash than SHA-1 was used.",
    remedy: "Use SHA-1.",
    aspect: "digest",
    variants: (draft) =>
      otherHashes.map((name) => [
        `${name} was used`,
        { ...draft, digest: (bytes) => crypto.hash(name, bytes, "buffer") }
      ])
  },
  {
    id: "hmac",
    description: "An HMAC under the key was made in place of a plain hash.",
    remedy: "Append the key to the values and hash the whole with SHA-1.",
    aspect: "digest",
    variants: (draft) =>
      ["sha1", "sha256", "sha512", "md5"].flatMap((name): Variants => {
        const digest: ControlDraft["digest"] = (bytes, key) => crypto.createHmac(name, key).update(bytes).digest()
        const exchanged: ControlDraft["digest"] = (bytes, key) => crypto.createHmac(name, bytes).update(key).digest()
        const join = (parts: ReadonlyArray<Part>) => correct.join(parts, "")
        return [
          [`HMAC-${name} of the values`, { ...draft, join, digest }],
          [`HMAC-${name} of the values and the key`, { ...draft, digest }],
          [`HMAC-${name} of the key, with the values as its key`, { ...draft, join, digest: exchanged }]
        ]
      })
  },
  {
    id: "hash-twice",
    description: "The hash was hashed again.",
    remedy: "Hash once.",
    aspect: "digest",
    isRare: true,
    variants: (draft) => [
      ["the bytes hashed again", { ...draft, digest: (bytes) => correct.digest(correct.digest(bytes)) }],
      ...["sha1", "md5", "sha256"].flatMap((inner): Variants => {
        const own: ControlDraft["digest"] = (bytes, key) =>
          crypto.hash("sha1", crypto.hash(inner, bytes) + key, "buffer")
        return [
          [
            `the hex digits of ${inner} hashed again`,
            { ...draft, digest: (bytes) => crypto.hash("sha1", crypto.hash(inner, bytes), "buffer") }
          ],
          [
            `the hex digits of ${inner} over the values hashed with the key`,
            { ...draft, join: (parts) => correct.join(parts, ""), digest: own }
          ]
        ]
      }),
      [
        "the hex digits hashed again by md5",
        { ...draft, digest: (bytes) => crypto.hash("md5", crypto.hash("sha1", bytes), "buffer") }
      ]
    ]
  },
  {
    id: "base64",
    description: "The hash was sent in Base64.",
    remedy: "Send the hash as 40 hex digits.",
    aspect: "print",
    variants: (draft) => [
      ["Base64", { ...draft, print: (digest) => digest.toString("base64") }],
      ["Base64url", { ...draft, print: (digest) => digest.toString("base64url") }],
      [
        "Base64 of the hex digits",
        { ...draft, print: (digest) => Buffer.from(digest.toString("hex")).toString("base64") }
      ],
      [
        "Base64 of the hex digits in capitals",
        { ...draft, print: (digest) => Buffer.from(digest.toString("hex").toUpperCase()).toString("base64") }
      ]
    ]
  },
  {
    id: "zeros-dropped",
    description: "Leading zeros of the hex digits were dropped, of the whole number or of each byte.",
    remedy: "Print every byte as two hex digits; the control always has 40 of them.",
    aspect: "print",
    variants: (draft) => [
      ["of the whole number", { ...draft, print: (digest) => digest.toString("hex").replace(/^0+/, "") }],
      ["of each byte", { ...draft, print: (digest) => [...digest].map((byte) => byte.toString(16)).join("") }]
    ]
  },
  {
    id: "hex-decorated",
    description: "Something stands around the hex digits of the hash, or between them.",
    remedy: "Send the 40 hex digits and nothing else.",
    aspect: "print",
    variants: (draft) =>
      decorations.map(([detail, change]) => [detail, { ...draft, print: (digest) => change(digest.toString("hex")) }])
  },
  {
    id: "hex-cut",
    description: "Only a part of the hex digits of the hash was sent.",
    remedy: "Send all 40 hex digits; make the field or column that holds them long enough.",
    aspect: "print",
    isRare: true,
    variants: (draft) => [
      ...[8, 10, 16, 20, 24, 30, 32, 36, 38, 39].map(
        (length): Variant<ControlDraft> => [
          `the first ${length}`,
          { ...draft, print: (digest) => digest.toString("hex").slice(0, length) }
        ]
      ),
      [
        "the first 40 of sha256",
        {
          ...draft,
          digest: (bytes) => crypto.hash("sha256", bytes, "buffer"),
          print: (digest) => digest.toString("hex").slice(0, 40)
        }
      ],
      ...[32, 39].map(
        (length): Variant<ControlDraft> => [
          `the last ${length}`,
          { ...draft, print: (digest) => digest.toString("hex").slice(-length) }
        ]
      )
    ]
  }
]
