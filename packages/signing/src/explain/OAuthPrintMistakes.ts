/** Mistakes with the way in which an OAuth signature is printed. */
import * as PercentEncoding from "../PercentEncoding.ts"
import { type Mistake, RARE, type Variant } from "./Mistake.ts"
import type { OAuthDraft } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

const printed = (print: (base64: string, signature: Buffer) => string): Partial<OAuthDraft> => ({
  print: (signature) => print(signature.toString("base64"), signature)
})

/** Changes the printed signature after what was done to it before. */
const again = ({ print: before }: OAuthDraft, change: (text: string) => string): Partial<OAuthDraft> => ({
  print: (signature) => change(before(signature))
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
    variants: (draft) => [
      ["Base64url", printed((_, signature) => signature.toString("base64url"))],
      ["Base64url with padding", again(draft, (base64) => base64.replaceAll("+", "-").replaceAll("/", "_"))],
      ["no padding", again(draft, (base64) => base64.replaceAll("=", ""))]
    ]
  },
  {
    id: "base64-lines",
    description: "The Base64 text of the signature has line breaks or blanks in it.",
    remedy: "Write the Base64 text in one line and trim it.",
    variants: (draft) =>
      ["\n", "\r\n"].flatMap(
        (end): Variants => [
          ["a line break at the end", again(draft, (base64) => base64 + end)],
          ["lines of 64 characters", again(draft, (base64) => lines(base64, 64, end))],
          ["lines of 76 characters", again(draft, (base64) => lines(base64, 76, end))],
          ["lines of 64 characters, also at the end", again(draft, (base64) => lines(base64, 64, end) + end)],
          ["lines of 76 characters, also at the end", again(draft, (base64) => lines(base64, 76, end) + end)]
        ]
      )
  },
  {
    id: "signature-encoding",
    description: "The signature was percent-encoded twice in the header, or its + arrived as a space.",
    remedy: "Percent-encode the Base64 text exactly once when you write the header.",
    variants: (draft) => [
      ["encoded twice", again(draft, (base64) => PercentEncoding.encode(base64))],
      ["encoded twice, with small digits", again(draft, (base64) => lowerHex(PercentEncoding.encode(base64)))],
      ["encoded three times", again(draft, (base64) => PercentEncoding.encode(PercentEncoding.encode(base64)))],
      ["its = encoded twice", again(draft, (base64) => base64.replaceAll("=", "%3D"))],
      ["+ became a space", again(draft, (base64) => base64.replaceAll("+", " "))]
    ]
  },
  {
    id: "signature-decorated",
    weight: RARE,
    description: "Something stands around the signature.",
    remedy: "Send the Base64 text of the signature and nothing else.",
    variants: (draft) => [
      ...around.map(
        ([before, after]): Variant<OAuthDraft> => [
          `${before === "" ? "" : `${before} before it`}${before !== "" && after !== "" ? ", " : ""}${after === "" ? "" : `${after} after it`}`,
          again(draft, (base64) => before + base64 + after)
        ]
      )
    ]
  },
  {
    id: "signature-case",
    description: "The letters of the signature were changed to lower or upper case.",
    remedy: "Send the Base64 text as it is: its letters are case-sensitive.",
    variants: (draft) => [
      ["lower case", again(draft, (base64) => base64.toLowerCase())],
      ["upper case", again(draft, (base64) => base64.toUpperCase())]
    ]
  },
  {
    id: "signature-cut",
    description: "A part of the signature is missing.",
    remedy: "Send the whole Base64 text; make the field or column that holds it long enough.",
    weight: RARE,
    variants: (draft) => [
      ...[8, 16, 20, 24, 27].map(
        (length): Variant<OAuthDraft> => [
          `its first ${length} characters`,
          again(draft, (base64) => base64.slice(0, length))
        ]
      ),
      ["without its first character", again(draft, (base64) => base64.slice(1))],
      ["without its last character", again(draft, (base64) => base64.slice(0, -1))],
      ["without its last two characters", again(draft, (base64) => base64.slice(0, -2))],
      ["without +", again(draft, (base64) => base64.replaceAll("+", ""))],
      ["without + and /", again(draft, (base64) => base64.replaceAll(/[+/]/g, ""))]
    ]
  }
]
