/** Mistakes with the secret key. They apply to every scheme that has one. */
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

/** Variants that replace the key, without those that leave it as it is. */
const keys =
  <Draft extends WithKey>(make: (key: string) => ReadonlyArray<readonly [detail: string, key: string]>) =>
  (draft: Draft): ReadonlyArray<Variant<Draft>> =>
    make(draft.key)
      .filter(([, key]) => key !== draft.key)
      .map(([detail, key]) => [detail, { ...draft, key }])

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
      ["CR after the key", `${key}\r`]
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
    description: "The quotes around the key in a configuration file were taken for a part of it.",
    remedy: "Remove the quotes, or let the configuration parser do so.",
    aspect: "key",
    variants: keys((key) => [
      ["double quotes", `"${key}"`],
      ["single quotes", `'${key}'`]
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
    variants: keys(() => [["an empty key", ""]])
  }
]
