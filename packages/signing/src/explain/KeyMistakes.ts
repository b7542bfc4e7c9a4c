/** Mistakes with the secret key. They apply to every scheme that has one. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import type { Mistake, Variant } from "./Mistake.ts"

/** Another key that the merchant might have used by accident. The label is printed, the key never. */
export interface OtherKey {
  readonly label: string
  readonly key: string
}

interface WithKey {
  readonly key: string
  readonly otherKeys: ReadonlyArray<OtherKey>
}

const hashes = ["sha1", "md5", "sha256"]

/** Returns the parts of a key that a file of settings leaves, if it takes a character of the key for a mark of its own. */
const cut = (key: string): ReadonlyArray<readonly [string, string]> => [
  ...["#", "$", "%", "=", ";", " ", "&", "\\", "/", ":", ","].flatMap(
    (mark): ReadonlyArray<readonly [string, string]> =>
      key.includes(mark)
        ? [
            [`only what stands before its first ${mark}`, key.slice(0, key.indexOf(mark))],
            [`only what stands after its first ${mark}`, key.slice(key.indexOf(mark) + 1)]
          ]
        : []
  ),
  ["without its first character", key.slice(1)],
  ["without its last character", key.slice(0, -1)],
  ...[16, 32].map((length) => [`only its first ${length} characters`, key.slice(0, length)] as const)
]

const isText = (text: string): boolean => text !== "" && !/[\uFFFD\p{Cc}]/u.test(text)

/** Returns what a key is if it is taken for an encoded text. */
const decoded = (key: string): ReadonlyArray<readonly [string, string]> =>
  (["base64", "hex"] as const)
    .map((encoding) => [`decoded from ${encoding}`, Buffer.from(key, encoding).toString()] as const)
    .filter(([, text]) => isText(text))

/** Variants that replace the key, without those that leave it as it is. */
const keys =
  <Draft extends WithKey>(make: (key: string) => ReadonlyArray<readonly [detail: string, key: string]>) =>
  (draft: Draft): ReadonlyArray<Variant<Draft>> =>
    make(draft.key)
      .filter(([, key]) => key !== draft.key)
      .map(([detail, key]) => [detail, { ...draft, key }])

/** Returns the mistakes with the key of a draft. */
export const keyMistakes = <Draft extends WithKey>(): ReadonlyArray<Mistake<Draft>> => [
  {
    id: "key-other",
    description: "The signature was made with another key of yours.",
    remedy: "Use the control key of this login and of this installation: sandbox and production keys differ.",
    aspect: "key",
    variants: (draft) => draft.otherKeys.map(({ label, key }) => [label, { ...draft, key }])
  },
  {
    id: "key-line-end",
    description: "The key ends with a line break, as it does when it is read from a file or piped from echo.",
    remedy: "Trim the key when you load it.",
    aspect: "key",
    variants: keys((key) => [
      ["LF after the key", `${key}\n`],
      ["CR LF after the key", `${key}\r\n`],
      ["CR after the key", `${key}\r`],
      ["a backslash and n after the key", `${key}\\n`]
    ])
  },
  {
    id: "key-blank",
    description: "The key has a blank or an invisible character before or after it.",
    remedy: "Trim the key when you load it and copy it without what stands around it.",
    aspect: "key",
    variants: keys((key) => [
      ["a space after the key", `${key} `],
      ["a space before the key", ` ${key}`],
      ["a space on both sides of the key", ` ${key} `],
      ["a tab after the key", `${key}\t`],
      ["a byte order mark before the key", `\uFEFF${key}`],
      ["a no-break space after the key", `${key}\u00A0`]
    ])
  },
  {
    id: "key-quoted",
    description: "The quotes or braces around the key were taken for a part of it.",
    remedy: "Remove the quotes, or let the configuration parser do so.",
    aspect: "key",
    variants: keys((key) => [
      ["double quotes", `"${key}"`],
      ["single quotes", `'${key}'`],
      ["the mark of bytes in Python", `b'${key}'`],
      ["braces", `{${key}}`]
    ])
  },
  {
    id: "key-case",
    description: "The letters of the key were changed to upper or lower case.",
    remedy: "Use the key exactly as it was given to you.",
    aspect: "key",
    variants: keys((key) => [
      ["lower case", key.toLowerCase()],
      ["upper case", key.toUpperCase()]
    ])
  },
  {
    id: "key-without-hyphens",
    description: "The hyphens of the key were removed.",
    remedy: "Use the key as text, with its hyphens; it is not parsed as a UUID.",
    aspect: "key",
    variants: keys((key) => [["no hyphens", key.replaceAll("-", "")]])
  },
  {
    id: "key-missing",
    description: "The key is empty: it was not configured, or the variable that holds it is not set.",
    remedy: "Check that the key reaches the code that signs.",
    aspect: "key",
    variants: keys(() => [
      ["an empty key", ""],
      ...["undefined", "null", "None", "nil", "false", "PAY_CONTROL_KEY", "[object Promise]", "[object Object]"].map(
        (word) => [`${word} in place of the key`, word] as const
      )
    ])
  },
  {
    id: "key-hashed",
    description: "The hash of the key was used in place of the key.",
    remedy: "Use the key exactly as it was given to you.",
    aspect: "key",
    variants: keys((key) =>
      hashes.flatMap((name) => [
        [`its ${name}`, crypto.hash(name, key)],
        [`its ${name} in capitals`, crypto.hash(name, key).toUpperCase()]
      ])
    )
  },
  {
    id: "key-twice",
    description: "The key was used twice in a row.",
    remedy: "Append the key once.",
    aspect: "key",
    isRare: true,
    variants: keys((key) => [["twice", key + key]])
  },
  {
    id: "key-cut",
    description:
      "Only a part of the key was used, as if it had been cut when it was copied or read from a file of settings.",
    remedy: "Compare the key with the one that you were given. Put it in quotes where # or $ has a meaning.",
    aspect: "key",
    isRare: true,
    variants: keys(cut)
  },
  {
    id: "key-decoded",
    description: "The key was decoded from Base64 or hex digits, or encoded before it was used.",
    remedy: "Use the key as text, exactly as it was given to you.",
    aspect: "key",
    isRare: true,
    variants: keys((key) => [
      ...decoded(key),
      ["encoded in Base64", Buffer.from(key).toString("base64")],
      ["in hex digits", Buffer.from(key).toString("hex")],
      ["percent-encoded", encodeURIComponent(key)]
    ])
  }
]
