/** Mistakes with the hash of a `control`, and with the way in which it is printed. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import { type ControlDraft, correct, KEY, type Part } from "./ControlDraft.ts"
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

const between = (separator: string) => (hex: string) => hex.replace(/..(?=.)/g, `$&${separator}`)

/** Prints a byte as a signed number of 32 bits. */
const signed = (byte: string): string => (byte < "8" ? byte : `ffffff${byte}`)

const inFront = [
  "0x",
  "\\x",
  "sha1=",
  "sha1:",
  "SHA1=",
  "SHA1:",
  "SHA1 ",
  "{SHA}",
  "sha1$",
  "SHA1(stdin)= ",
  "(stdin)= ",
  "SHA1(-)= ",
  "SHA1 (stdin) = ",
  "SHA-1: ",
  "control=",
  "=",
  "#",
  ":",
  " "
]
const behind = ["  -", " -", " *-", ";", ",", ".", "\\n", "%0A", "%0D%0A", "=", "==", "}", "0"]
const around: ReadonlyArray<readonly [string, string]> = [
  ['"', '"'],
  ["'", "'"],
  ["b'", "'"],
  ["[", "]"],
  ["<", ">"],
  ["{", "}"],
  ["(", ")"],
  ['\\"', '\\"'],
  ["“", "”"],
  ["%22", "%22"]
]

/** What stands around the hex digits by mistake, or between them. */
const decorations: ReadonlyArray<readonly [detail: string, change: (hex: string) => string]> = [
  ...["-", ":", " ", ", ", ",", "\\x", "%", " 0x", ", 0x"].flatMap(
    (separator): ReadonlyArray<readonly [string, (hex: string) => string]> => [
      [`${JSON.stringify(separator)} between the bytes`, between(separator)],
      [`${JSON.stringify(separator)} before each byte`, (hex) => hex.replaceAll(/../g, `${separator}$&`)]
    ]
  ),
  ["a blank between groups of eight digits", (hex) => hex.replaceAll(/.{8}(?=.)/g, "$& ")],
  ["the bytes in Python", (hex) => `b'${hex.replaceAll(/../g, "\\x$&")}'`],
  ...inFront.map((text) => [`${text} before them`, (hex: string) => text + hex] as const),
  ...behind.map((text) => [`${text} behind them`, (hex: string) => hex + text] as const),
  ...around.map(
    ([before, after]) => [`${before} and ${after} around them`, (hex: string) => before + hex + after] as const
  ),
  ["ffffff before bytes from 80 on, as Java prints a byte below zero", (hex) => hex.replaceAll(/../g, signed)]
]

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("")
}

const numberOf = (digest: Buffer): bigint => BigInt(`0x${digest.toString("hex")}`)
const signedNumberOf = (digest: Buffer): bigint => BigInt.asIntN(digest.length * 8, numberOf(digest))

const withoutKey: ControlDraft["take"] = (parts) => parts.filter(({ slot }) => slot !== KEY)
const parts = (digest: ControlDraft["digest"], take: ControlDraft["take"] = withoutKey): Partial<ControlDraft> => ({
  take,
  digest
})

const print = (write: (digest: Buffer) => string): Partial<ControlDraft> => ({ print: write })
const hex = (write: (hex: string) => string): Partial<ControlDraft> => print((digest) => write(digest.toString("hex")))

const keyOnly: ControlDraft["take"] = (all: ReadonlyArray<Part>) => all

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
          [`HMAC-${name} of the values`, parts((bytes, key) => crypto.createHmac(name, key).update(bytes).digest())],
          [
            `HMAC-${name} of the values and the key`,
            parts((bytes, key) => crypto.createHmac(name, key).update(bytes).digest(), keyOnly)
          ],
          [
            `HMAC-${name} of the key, with the values as its key`,
            parts((bytes, key) => crypto.createHmac(name, bytes).update(key).digest())
          ],
          [
            `HMAC-${name} of the values without a key`,
            parts((bytes) => crypto.createHmac(name, "").update(bytes).digest()),
            RARE
          ],
          [
            `HMAC-${name} under the key with &`,
            parts((bytes, key) => crypto.createHmac(name, `${key}&`).update(bytes).digest()),
            RARE
          ],
          [
            `HMAC-${name} under the key in hex digits`,
            parts((bytes, key) => crypto.createHmac(name, Buffer.from(key, "hex")).update(bytes).digest()),
            RARE
          ],
          [
            `HMAC-${name} under the hash of the key`,
            parts((bytes, key) => crypto.createHmac(name, crypto.hash("sha1", key)).update(bytes).digest()),
            RARE
          ]
        ]
      )
  },
  {
    id: "hash-twice",
    description: "The hash was hashed again.",
    remedy: "Hash once.",
    weight: RARE,
    variants: () => [
      ["the bytes hashed again", { digest: (bytes) => correct.digest(correct.digest(bytes)) }],
      ...["sha1", "md5", "sha256"].flatMap(
        (inner): Variants =>
          (["sha1", "md5", "sha256"] as const).flatMap(
            (outer): Variants => [
              [
                `the hex digits of ${inner} hashed by ${outer}`,
                { digest: (bytes) => crypto.hash(outer, crypto.hash(inner, bytes), "buffer") }
              ],
              [
                `the capital hex digits of ${inner} hashed by ${outer}`,
                { digest: (bytes) => crypto.hash(outer, crypto.hash(inner, bytes).toUpperCase(), "buffer") }
              ],
              [
                `the Base64 of ${inner} hashed by ${outer}`,
                { digest: (bytes) => crypto.hash(outer, crypto.hash(inner, bytes, "base64"), "buffer") }
              ],
              [
                `the hex digits of ${inner} over the values hashed with the key by ${outer}`,
                parts((bytes, key) => crypto.hash(outer, crypto.hash(inner, bytes) + key, "buffer"))
              ],
              [
                `the key and the hex digits of ${inner} over the values hashed by ${outer}`,
                parts((bytes, key) => crypto.hash(outer, key + crypto.hash(inner, bytes), "buffer"))
              ]
            ]
          )
      )
    ]
  },
  {
    id: "base64",
    description: "The hash was sent in Base64 or Base32.",
    remedy: "Send the hash as 40 hex digits.",
    variants: () => [
      ["Base64", print((digest) => digest.toString("base64"))],
      ["Base64 without = at its end", print((digest) => digest.toString("base64").replaceAll("=", ""))],
      ["Base64 with a line break", print((digest) => `${digest.toString("base64")}\n`)],
      ["Base64url", print((digest) => digest.toString("base64url"))],
      [
        "Base64url with = at its end",
        print((digest) => digest.toString("base64").replaceAll("+", "-").replaceAll("/", "_"))
      ],
      ["Base64 whose + arrived as a blank", print((digest) => digest.toString("base64").replaceAll("+", " "))],
      ["Base64, percent-encoded twice", print((digest) => encodeURIComponent(digest.toString("base64")))],
      ["Base64 of the hex digits", hex((text) => Buffer.from(text).toString("base64"))],
      ["Base64 of the hex digits in capitals", hex((text) => Buffer.from(text.toUpperCase()).toString("base64"))],
      ["Base64 of the hex digits with a line break", hex((text) => Buffer.from(`${text}\n`).toString("base64"))],
      ["Base32", print(base32)]
    ]
  },
  {
    id: "hex-twice",
    description: "The hex digits were turned into hex digits once more.",
    remedy: "Send the 40 hex digits as they are.",
    variants: () => [
      ["of small digits", hex((text) => Buffer.from(text).toString("hex"))],
      ["of capital digits", hex((text) => Buffer.from(text.toUpperCase()).toString("hex"))],
      ["of Base64", print((digest) => Buffer.from(digest.toString("base64")).toString("hex"))]
    ]
  },
  {
    id: "zeros-dropped",
    description: "Leading zeros of the hex digits were dropped, of the whole number or of each byte.",
    remedy: "Print every byte as two hex digits; the control always has 40 of them.",
    variants: () => [
      ["of the whole number", hex((text) => text.replace(/^0+/, ""))],
      ["of each byte", print((digest) => [...digest].map((byte) => byte.toString(16)).join(""))]
    ]
  },
  {
    id: "digest-as-number",
    weight: RARE,
    description: "The hash was printed as a number, or as a list of numbers.",
    remedy: "Print every byte of the hash as two hex digits.",
    variants: () => [
      ["in decimal digits", print((digest) => numberOf(digest).toString())],
      ["in decimal digits with a sign", print((digest) => signedNumberOf(digest).toString())],
      [
        "in hex digits with a sign, as BigInteger of Java prints it",
        print((digest) => signedNumberOf(digest).toString(16))
      ],
      ...(
        [
          ["[", ", ", "]"],
          ["[", " ", "]"],
          ["", ",", ""],
          ["", " ", ""],
          ["[", ",", "]"],
          ["", "", ""]
        ] as const
      ).flatMap(
        ([before, separator, after]): Variants => [
          ["a list of bytes", print((digest) => before + [...digest].join(separator) + after)],
          [
            "a list of bytes with signs",
            print(
              (digest) => before + [...digest].map((byte) => (byte > 127 ? byte - 256 : byte)).join(separator) + after
            )
          ]
        ]
      )
    ]
  },
  {
    id: "hex-decorated",
    description: "Something stands around the hex digits of the hash, or between them.",
    remedy: "Send the 40 hex digits and nothing else.",
    variants: () =>
      decorations.flatMap(
        ([detail, change]): Variants => [
          [detail, hex(change)],
          [`${detail}, in capitals`, hex((text) => change(text.toUpperCase()))]
        ]
      ),
    weight: RARE
  },
  {
    id: "hex-cut",
    description: "Only a part of the hex digits of the hash was sent, or they are in another order.",
    remedy: "Send all 40 hex digits; make the field or column that holds them long enough.",
    weight: RARE,
    variants: () => [
      ...[8, 10, 16, 20, 24, 30, 32, 36, 38, 39, 40].flatMap(
        (length): Variants => [
          [`the first ${length}`, hex((text) => text.slice(0, length))],
          [`the last ${length}`, hex((text) => text.slice(-length))]
        ]
      ),
      ["without the first one", hex((text) => text.slice(1))],
      ["the bytes backwards", print((digest) => Buffer.from(digest).reverse().toString("hex"))],
      ["the digits backwards", hex((text) => [...text].reverse().join(""))],
      ["the digits of each byte exchanged", hex((text) => text.replaceAll(/(.)(.)/g, "$2$1"))]
    ]
  }
]
