/** Mistakes with the way in which the hash of a `control` is printed. */
import type { ControlDraft } from "./ControlDraft.ts"
import { type Mistake, RARE, type Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>

const between = (separator: string) => (hex: string) => hex.replace(/..(?=.)/g, `$&${separator}`)

/** Prints a byte as a signed number of 32 bits. */
const signed = (byte: string): string => (byte < "8" ? byte : `ffffff${byte}`)

const inFront = [
  "0x",
  "\\x",
  "*",
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

const print = (write: (digest: Buffer) => string): Partial<ControlDraft> => ({ print: write })
const hex = (write: (hex: string) => string): Partial<ControlDraft> => print((digest) => write(digest.toString("hex")))

/** Changes the printed hash after what was done to it before. */
const again = ({ print: before }: ControlDraft, change: (text: string) => string): Partial<ControlDraft> =>
  print((digest) => change(before(digest)))

export const controlPrintMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "digest-bytes",
    description: "The bytes of the hash were sent as a text.",
    remedy: "Print every byte of the hash as two hex digits.",
    variants: () => [
      ["each byte as a character of Latin-1", print((digest) => digest.toString("latin1").trim())],
      ["as UTF-8, which most bytes are not", print((digest) => digest.toString().trim())]
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
    variants: (draft) =>
      decorations.flatMap(
        ([detail, change]): Variants => [
          [detail, again(draft, change)],
          [`${detail}, in capitals`, again(draft, (text) => change(text.toUpperCase()))]
        ]
      ),
    weight: RARE
  },
  {
    id: "hex-cut",
    description: "Only a part of the hex digits of the hash was sent, or they are in another order.",
    remedy: "Send all 40 hex digits; make the field or column that holds them long enough.",
    weight: RARE,
    variants: (draft) => [
      ...[8, 10, 16, 20, 24, 30, 32, 36, 38, 39, 40].flatMap(
        (length): Variants => [
          [`the first ${length}`, again(draft, (text) => text.slice(0, length))],
          [`the last ${length}`, again(draft, (text) => text.slice(-length))]
        ]
      ),
      ["without the first one", again(draft, (text) => text.slice(1))],
      ["the bytes backwards", print((digest) => Buffer.from(digest).reverse().toString("hex"))],
      ["the digits backwards", hex((text) => [...text].reverse().join(""))],
      ["the digits of each byte exchanged", hex((text) => text.replaceAll(/(.)(.)/g, "$2$1"))]
    ]
  }
]
