/** Mistakes with the way in which an OAuth signature is printed. */
import * as PercentEncoding from "../PercentEncoding.ts"
import { type Mistake, RARE, type Variant } from "./Mistake.ts"
import type { OAuthDraft } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

const printed = (print: (base64: string, signature: Buffer) => string): Partial<OAuthDraft> => ({
  print: (signature) => print(signature.toString("base64"), signature)
})

const lines = (text: string, width: number, end: string): string =>
  text.replaceAll(new RegExp(`.{${width}}(?=.)`, "g"), (line) => line + end)

const lowerHex = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())

/** What stands before and after a signature by mistake. */
const around: ReadonlyArray<readonly [before: string, after: string]> = [
  ['"', '"'],
  ["'", "'"],
  ["b'", "'"],
  ['b"', '"'],
  ["[", "]"],
  ["<", ">"],
  ["(", ")"],
  ["{", "}"],
  ['\\"', '\\"'],
  ["", "&"],
  ["", ";"],
  ["", ","],
  ["", " "],
  ["", "="],
  ["=", ""],
  [" ", ""],
  [":", ""],
  ["0x", ""],
  ["\\x", ""],
  ...[
    "HMAC-SHA1",
    "RSA-SHA256",
    "HMAC-SHA256",
    "sha1",
    "sha256",
    "SHA1",
    "SHA256",
    "Signature",
    "signature",
    "oauth_signature"
  ].flatMap((name) => [" ", "=", ":", ": "].map((sign) => [name + sign, ""] as const))
]

export const printMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "hex",
    description: "The signature was sent in hex digits.",
    remedy: "Send the bytes of the signature in Base64.",
    variants: () => [
      ["lower case", printed((_, signature) => signature.toString("hex"))],
      ["upper case", printed((_, signature) => signature.toString("hex").toUpperCase())]
    ]
  },
  {
    id: "base64-of-hex",
    description: "The hex digits or the Base64 text of the signature were put in Base64, not its bytes.",
    remedy: "Ask the HMAC function for raw bytes and put those in Base64.",
    variants: () => [
      ["Base64 of the hex digits", printed((_, bytes) => Buffer.from(bytes.toString("hex")).toString("base64"))],
      ["Base64 of Base64", printed((base64) => Buffer.from(base64).toString("base64"))]
    ]
  },
  {
    id: "base64url",
    description: "The signature was sent in Base64url, or without the = at its end.",
    remedy: "Use standard Base64 with + and / and its padding.",
    variants: () => [
      ["Base64url", printed((_, signature) => signature.toString("base64url"))],
      ["Base64url with padding", printed((base64) => base64.replaceAll("+", "-").replaceAll("/", "_"))],
      ["no padding", printed((base64) => base64.replaceAll("=", ""))]
    ]
  },
  {
    id: "base64-lines",
    description: "The Base64 text of the signature has line breaks or blanks in it.",
    remedy: "Write the Base64 text in one line and trim it.",
    variants: () =>
      ["\n", "\r\n"].flatMap(
        (end): Variants => [
          ["a line break at the end", printed((base64) => base64 + end)],
          ["lines of 64 characters", printed((base64) => lines(base64, 64, end))],
          ["lines of 76 characters", printed((base64) => lines(base64, 76, end))],
          ["lines of 64 characters, also at the end", printed((base64) => lines(base64, 64, end) + end)],
          ["lines of 76 characters, also at the end", printed((base64) => lines(base64, 76, end) + end)]
        ]
      )
  },
  {
    id: "signature-encoding",
    description: "The signature was percent-encoded twice in the header, or its + arrived as a space.",
    remedy: "Percent-encode the Base64 text exactly once when you write the header.",
    variants: () => [
      ["encoded twice", printed((base64) => PercentEncoding.encode(base64))],
      ["encoded twice, with small digits", printed((base64) => lowerHex(PercentEncoding.encode(base64)))],
      ["encoded three times", printed((base64) => PercentEncoding.encode(PercentEncoding.encode(base64)))],
      ["its = encoded twice", printed((base64) => base64.replaceAll("=", "%3D"))],
      ["+ became a space", printed((base64) => base64.replaceAll("+", " "))]
    ]
  },
  {
    id: "signature-decorated",
    weight: RARE,
    description: "Something stands around the signature.",
    remedy: "Send the Base64 text of the signature and nothing else.",
    variants: () => [
      ...around.map(
        ([before, after]): Variant<OAuthDraft> => [
          `${before === "" ? "" : `${before} before it`}${before !== "" && after !== "" ? ", " : ""}${after === "" ? "" : `${after} after it`}`,
          printed((base64) => before + base64 + after)
        ]
      )
    ]
  },
  {
    id: "signature-case",
    description: "The letters of the signature were changed to lower or upper case.",
    remedy: "Send the Base64 text as it is: its letters are case-sensitive.",
    variants: () => [
      ["lower case", printed((base64) => base64.toLowerCase())],
      ["upper case", printed((base64) => base64.toUpperCase())]
    ]
  },
  {
    id: "signature-cut",
    description: "A part of the signature is missing.",
    remedy: "Send the whole Base64 text; make the field or column that holds it long enough.",
    weight: RARE,
    variants: () => [
      ...[8, 16, 20, 24, 27].map(
        (length): Variant<OAuthDraft> => [
          `its first ${length} characters`,
          printed((base64) => base64.slice(0, length))
        ]
      ),
      ["without its first character", printed((base64) => base64.slice(1))],
      ["without its last character", printed((base64) => base64.slice(0, -1))],
      ["without its last two characters", printed((base64) => base64.slice(0, -2))],
      ["without +", printed((base64) => base64.replaceAll("+", ""))],
      ["without + and /", printed((base64) => base64.replaceAll(/[+/]/g, ""))]
    ]
  }
]
