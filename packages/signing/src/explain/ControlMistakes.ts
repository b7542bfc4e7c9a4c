/** The catalogue of mistakes with `control`. If two mistakes are combined, the one that comes first in the list is made first. */
import { createHmac, hash } from "node:crypto"
import { type ControlDraft, correct, type Part } from "./ControlDraft.ts"
import { controlValueMistakes } from "./ControlValueMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import type { Mistake, Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

const separators = [" ", "+", "&", ",", ";", ":", "|", "-", "_", ".", "/", "\n"]

export const controlMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  ...controlValueMistakes,
  ...keyMistakes<ControlDraft>(),
  {
    id: "key-first",
    description: "The key was put before the values, or on both sides of them.",
    remedy: "The key comes last.",
    aspect: "join",
    variants: (draft) => [
      ["the key first", { ...draft, join: (parts, key) => key + correct.join(parts, "") }],
      ["the key first and last", { ...draft, join: (parts, key) => key + correct.join(parts, key) }]
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
          [`${name} between the values`, { ...draft, join: (parts, key) => joined(parts) + key }]
        ]
      })
  },
  {
    id: "names-signed",
    description: "The names of the fields were signed with their values.",
    remedy: "Only the values are joined.",
    aspect: "join",
    variants: (draft) =>
      ["&", ""].flatMap((separator): Variants => {
        const joined = (parts: ReadonlyArray<Part>) =>
          parts.map(({ slot, value }) => `${slot}=${value}`).join(separator)
        return [
          ["name=value pairs, then the key", { ...draft, join: (parts, key) => joined(parts) + key }],
          ["name=value pairs, & and the key", { ...draft, join: (parts, key) => `${joined(parts)}&${key}` }]
        ]
      })
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
      ["Latin-1", { ...draft, bytes: (text) => Buffer.from(text, "latin1") }],
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
      ["md5", "sha224", "sha256", "sha384", "sha512"].map((name) => [
        `${name} was used`,
        { ...draft, digest: (bytes) => hash(name, bytes, "buffer") }
      ])
  },
  {
    id: "hmac",
    description: "An HMAC under the key was made in place of a plain hash.",
    remedy: "Append the key to the values and hash the whole with SHA-1.",
    aspect: "digest",
    variants: (draft) =>
      ["sha1", "sha256"].flatMap((name): Variants => {
        const digest: ControlDraft["digest"] = (bytes, key) => createHmac(name, key).update(bytes).digest()
        return [
          [`HMAC-${name} of the values`, { ...draft, join: (parts) => correct.join(parts, ""), digest }],
          [`HMAC-${name} of the values and the key`, { ...draft, digest }]
        ]
      })
  },
  {
    id: "hash-twice",
    description: "The hash was hashed again.",
    remedy: "Hash once.",
    aspect: "digest",
    variants: (draft) => [
      ["the hex digits hashed again", { ...draft, digest: (bytes) => hash("sha1", hash("sha1", bytes), "buffer") }],
      ["the bytes hashed again", { ...draft, digest: (bytes) => correct.digest(correct.digest(bytes)) }]
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
  }
]
