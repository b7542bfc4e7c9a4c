/** The forms in which a key is used by mistake: cut, encoded, decoded, with something around it, and words in place of it. */
import * as Markup from "./Markup.ts"

export type Change = readonly [detail: string, key: string, weight?: number]

export const hashes = ["sha1", "md5", "sha256", "sha512"]

/** Returns the parts of a key that a file of settings leaves, if it takes a character of the key for a mark of its own. */
export const cut = (key: string): ReadonlyArray<Change> => [
  ...["#", "$", "%", "=", ";", " ", "&", "\\", "/", ":", ",", "-", "."].flatMap(
    (mark): ReadonlyArray<Change> =>
      key.includes(mark)
        ? [
            [`only what stands before its first ${mark}`, key.slice(0, key.indexOf(mark))],
            [`only what stands before its last ${mark}`, key.slice(0, key.lastIndexOf(mark))],
            [`only what stands after its first ${mark}`, key.slice(key.indexOf(mark) + 1)],
            [`without each ${mark}`, mark === "-" ? key : key.replaceAll(mark, "")]
          ]
        : []
  ),
  ["without its first character", key.slice(1)],
  ["without its last character", key.slice(0, -1)],
  ...[8, 16, 20, 24, 32].map((length) => [`only its first ${length} characters`, key.slice(0, length)] as const)
]

const isText = (text: string): boolean => text !== "" && !/[\uFFFD\p{Cc}]/u.test(text)

/** Returns what a key is if it is taken for an encoded text. */
export const decoded = (key: string): ReadonlyArray<Change> =>
  (["base64", "hex"] as const)
    .map((encoding) => [`decoded from ${encoding}`, Buffer.from(key, encoding).toString()] as const)
    .filter(([, text]) => isText(text))

/** Returns the bytes of a key that is taken for an encoded text or for a UUID, of which a Guid of .NET has the first groups backwards. */
export const bytes = (key: string): ReadonlyArray<readonly [detail: string, bytes: Buffer]> => {
  const hex = Buffer.from(key.replaceAll("-", ""), "hex")
  const guid = Buffer.concat(
    [
      [0, 4],
      [4, 6],
      [6, 8]
    ].map(([from, to]) => Buffer.from(hex.subarray(from, to)).reverse())
  )
  return [
    ["from hex digits", hex],
    ["from base64", Buffer.from(key, "base64")],
    ...(hex.length === 16 ? [["to the bytes of a Guid of .NET", Buffer.concat([guid, hex.subarray(8)])] as const] : [])
  ]
}

export const encoded = (key: string): ReadonlyArray<Change> => [
  ["in Base64", Buffer.from(key).toString("base64")],
  ["in Base64url", Buffer.from(key).toString("base64url")],
  ["in hex digits", Buffer.from(key).toString("hex")],
  ["in hex digits, capitals", Buffer.from(key).toString("hex").toUpperCase()],
  ["percent-encoded", encodeURIComponent(key)],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(key))],
  ["with + for a blank", new URLSearchParams([["", key]]).toString().slice(1)],
  ["escaped for HTML", Markup.escapedSigns(key)],
  ["with backslashes", key.replaceAll(/["'\\/$]/g, "\\$&")]
]

/** What is put around a key by mistake: quotes, brackets, and signs of the file that it is read from. */
export const around: ReadonlyArray<readonly [before: string, after: string]> = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["b'", "'"],
  ["{", "}"],
  ["[", "]"],
  ["<", ">"],
  ["(", ")"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["", '"'],
  ['"', ""],
  ["", ";"],
  ["", ","],
  ["", "."],
  ["", '";'],
  ["", "';"],
  ["", "="],
  ["", "%"],
  ["=", ""],
  [":", ""],
  ["#", ""]
]

/** Names that stand before a key in files of settings and in descriptions. */
export const names = [
  "PAY_CONTROL_KEY",
  "CONTROL_KEY",
  "MERCHANT_CONTROL",
  "control_key",
  "controlKey",
  "merchant_control",
  "merchantControl",
  "key",
  "secret",
  "control"
]

export const invisible: ReadonlyArray<readonly [name: string, character: string]> = [
  ["a space", " "],
  ["a tab", "\t"],
  ["a no-break space", "\u00A0"],
  ["a byte order mark", "\uFEFF"],
  ["a space of no width", "\u200B"],
  ["a joiner of no width", "\u2060"],
  ["a soft hyphen", "\u00AD"],
  ["a zero byte", "\0"],
  ["a mark of the direction of writing", "\u200E"],
  ["a backslash and t", "\\t"]
]

export const words = [
  "undefined",
  "null",
  "None",
  "nil",
  "NULL",
  "NaN",
  "false",
  "true",
  "0",
  "<null>",
  "[object Promise]",
  "[object Object]",
  "Array",
  "YOUR_CONTROL_KEY",
  "your-control-key",
  "xxx",
  "<control key>"
]

/** Returns a name in the forms in which templates and shells write a variable that is not filled in. */
export const placeholders = (name: string): ReadonlyArray<string> => [
  name,
  `{{${name}}}`,
  `{{ ${name} }}`,
  `\${${name}}`,
  `$${name}`,
  `{${name}}`,
  `<${name}>`,
  `%${name}%`,
  `:${name}`,
  `@${name}`,
  `#{${name}}`,
  `\${{ ${name} }}`,
  `[${name}]`
]

/** What programs print for a value that is not there, or that is no text. */
export const unfilled = [
  "undefined",
  "null",
  "None",
  "nil",
  "NULL",
  "NaN",
  "N/A",
  "[object Object]",
  "[object Promise]",
  "Array",
  "System.Object",
  "<nil>",
  "%!s(<nil>)",
  "%!s(MISSING)",
  "%!d(MISSING)",
  "%s",
  "%d",
  "{}",
  "{0}",
  "?"
]
