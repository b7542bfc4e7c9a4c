/** Mistakes with the hash of a `control`, and with the way in which it is printed. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import { type ControlDraft, correct, KEY } from "./ControlDraft.ts"
import * as KeyForms from "./KeyForms.ts"
import { type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

/** Hashes that this build of Node can make, which merchants use in place of SHA-1. */
const otherHashes = [
  "md5",
  "sha256",
  "sha512",
  "sha384",
  "sha224",
  "ripemd160",
  "sha3-256",
  "sha3-512",
  "sha512-256",
  "blake2b512",
  "blake2s256",
  "sm3"
].filter((name) => crypto.getHashes().includes(name))

/** The hash of an empty text. */
const nothing = crypto.hash("sha1", "", "buffer")

/** The steps of a hash that has the key in another way than after the values. */
const apart = (digest: ControlDraft["digest"]): Partial<ControlDraft> => ({
  take: (parts) => parts.filter(({ slot }) => slot !== KEY),
  digest
})

type Bytes = Parameters<ControlDraft["digest"]>[0]
type Keyed = readonly [detail: string, make: (name: string, bytes: Bytes, key: string) => Buffer, weight: number]

const hmac = (name: string, key: string | Buffer, text: Bytes): Buffer =>
  crypto.createHmac(name, key).update(text).digest()

/** HMACs whose text is the values. */
const hmacs: ReadonlyArray<Keyed> = [
  ["of the values", (name, bytes, key) => hmac(name, key, bytes), USUAL],
  ["of the key, with the values as its key", (name, bytes, key) => hmac(name, Buffer.from(bytes), key), USUAL],
  ["of the values without a key", (name, bytes) => hmac(name, "", bytes), RARE],
  ["under the key with &", (name, bytes, key) => hmac(name, `${key}&`, bytes), RARE],
  ["under the key in hex digits", (name, bytes, key) => hmac(name, Buffer.from(key, "hex"), bytes), RARE],
  ["under the key in Base64", (name, bytes, key) => hmac(name, Buffer.from(key, "base64"), bytes), RARE],
  ["under the hash of the key", (name, bytes, key) => hmac(name, crypto.hash("sha1", key), bytes), RARE]
]

/** Hashes that are made of an inner one. */
const inner: ReadonlyArray<readonly [detail: string, make: (name: string, bytes: Bytes) => string]> = [
  ["the hex digits", (name, bytes) => crypto.hash(name, bytes)],
  ["the capital hex digits", (name, bytes) => crypto.hash(name, bytes).toUpperCase()],
  ["the Base64", (name, bytes) => crypto.hash(name, bytes, "base64")]
]

const hashNames = ["sha1", "md5", "sha256"]

const hashedTwice = (first: string, then: string): Variants => [
  ...inner.flatMap(
    ([detail, make]): Variants => [
      [
        `${detail} of ${first} hashed by ${then}`,
        { digest: (bytes) => crypto.hash(then, make(first, bytes), "buffer") }
      ],
      ...["", ":", "|", "&", ";", "."].map(
        (separator): Variant<ControlDraft> => [
          `${detail} of ${first} over the values hashed with ${separator} and the key by ${then}`,
          apart((bytes, key) => crypto.hash(then, make(first, bytes) + separator + key, "buffer"))
        ]
      ),
      [
        `the key and ${detail} of ${first} over the values hashed by ${then}`,
        apart((bytes, key) => crypto.hash(then, key + make(first, bytes), "buffer"))
      ]
    ]
  )
]

export const controlHashMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "hash-other",
    description: "Another hash than SHA-1 was used.",
    remedy: "Use SHA-1.",
    variants: () =>
      otherHashes.map((name, place) => [
        `${name} was used`,
        { digest: (bytes) => crypto.hash(name, bytes, "buffer") },
        place < 5 ? USUAL : RARE
      ])
  },
  {
    id: "hmac",
    description: "An HMAC under the key was made in place of a plain hash.",
    remedy: "Append the key to the values and hash the whole with SHA-1.",
    variants: () =>
      ["sha1", "sha256", "sha512", "md5", "sha384"].flatMap(
        (name): Variants => [
          ...hmacs.map(
            ([detail, make, weight]): Variant<ControlDraft> => [
              `HMAC-${name} ${detail}`,
              apart((bytes, key) => make(name, bytes, key)),
              weight
            ]
          ),
          [`HMAC-${name} of the values and the key`, { digest: (bytes, key) => hmac(name, key, bytes) }, USUAL]
        ]
      )
  },
  {
    id: "key-decoded",
    description: "The key was decoded from Base64 or hex digits before it was used.",
    remedy: "Use the key as text, exactly as it was given to you.",
    weight: RARE,
    variants: ({ values }) =>
      KeyForms.bytes(values[KEY] ?? "").map(([detail, key]) => [
        `decoded ${detail}`,
        apart((bytes) => correct.digest(Buffer.concat([Buffer.from(bytes), key])))
      ])
  },
  {
    id: "hash-twice",
    description: "The hash was hashed again.",
    remedy: "Hash once.",
    weight: RARE,
    variants: () => [
      ["the bytes hashed again", { digest: (bytes) => correct.digest(correct.digest(bytes)) }],
      ...hashNames.flatMap((first) => hashNames.flatMap((then) => hashedTwice(first, then)))
    ]
  },
  {
    id: "hash-missing",
    weight: RARE,
    description: "The text was sent without a hash, in hex digits, in Base64 or as it is. The key is no longer secret.",
    remedy: "Ask for a new control key now, and hash the text: give it to the hash before the hash is read.",
    variants: () => [
      ["the text", { digest: (bytes) => Buffer.from(bytes) }],
      ["the text as it is", { digest: (bytes) => Buffer.from(bytes), print: (bytes) => bytes.toString() }],
      [
        "the text and the hash of nothing, as Sum of Go appends it",
        { digest: (bytes) => Buffer.concat([Buffer.from(bytes), nothing]) }
      ]
    ]
  },
  {
    id: "hash-of-nothing",
    description: "The hash of an empty text was sent: no text reached it, or the hash was read twice.",
    remedy: "Give the text to the hash, and read the hash once.",
    variants: () => [["SHA-1 of nothing", { digest: () => nothing }]]
  }
]
