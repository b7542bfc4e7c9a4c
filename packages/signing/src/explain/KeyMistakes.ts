/** Mistakes with the secret key. They apply to every scheme that has one. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import {
  around,
  type Change,
  cut,
  decoded,
  encoded,
  hashes,
  invisible,
  names,
  placeholders,
  words
} from "./KeyForms.ts"
import { ALONE, type Mistake, RARE, type Steps, USUAL, type Variant } from "./Mistake.ts"

/** Another key that the merchant might have used by accident. The label is printed, the key never. */
export interface OtherKey {
  readonly label: string
  readonly key: string
}

/** Access to the key of a draft. */
export interface KeyStep<Draft> {
  readonly of: (draft: Draft) => string
  readonly replace: (key: string) => Partial<Draft>
}

interface WithKeys extends Steps {
  readonly otherKeys: ReadonlyArray<OtherKey>
}

/** Returns the mistakes with the key of a draft. */
export const keyMistakes = <Draft extends WithKeys>({ of, replace }: KeyStep<Draft>): ReadonlyArray<Mistake<Draft>> => {
  const keys =
    (make: (key: string) => ReadonlyArray<Change>) =>
    (draft: Draft): ReadonlyArray<Variant<Draft>> => {
      const own = of(draft)
      const made = new Set([own])
      return make(own).flatMap(([detail, key, weight]): ReadonlyArray<Variant<Draft>> => {
        if (made.has(key)) return []
        made.add(key)
        return [weight === undefined ? [detail, replace(key)] : [detail, replace(key), weight]]
      })
    }
  return [
    {
      id: "key-other",
      description: "The signature was made with another key of yours.",
      remedy: "Use the control key of this login and of this installation: sandbox and production keys differ.",
      variants: (draft) => draft.otherKeys.map(({ label, key }) => [label, replace(key)])
    },
    {
      id: "key-line-end",
      description: "The key ends with a line break, as it does when it is read from a file or piped from echo.",
      remedy: "Trim the key when you load it.",
      variants: keys((key) => [
        ["LF after the key", `${key}\n`],
        ["CR LF after the key", `${key}\r\n`],
        ["CR after the key", `${key}\r`],
        ["a backslash and n after the key", `${key}\\n`],
        ["LF before the key", `\n${key}`, RARE],
        ["two LF after the key", `${key}\n\n`, RARE]
      ])
    },
    {
      id: "key-blank",
      description: "The key has a blank or an invisible character before or after it.",
      remedy: "Trim the key when you load it and copy it without what stands around it.",
      variants: keys((key) =>
        invisible.flatMap(
          ([name, character], place): ReadonlyArray<Change> => [
            [`${name} after the key`, key + character, place < 3 ? USUAL : RARE],
            [`${name} before the key`, character + key, place === 0 ? USUAL : RARE],
            [`${name} on both sides of the key`, character + key + character, RARE]
          ]
        )
      )
    },
    {
      id: "key-quoted",
      description: "The quotes, braces or signs around the key were taken for a part of it.",
      remedy: "Remove what stands around the key, or let the configuration parser do so.",
      variants: keys((key) =>
        around.map(([before, after], place) => [
          `${before === "" ? "" : `${before} before the key`}${before !== "" && after !== "" ? ", " : ""}${after === "" ? "" : `${after} after the key`}`,
          before + key + after,
          place < 5 ? USUAL : RARE
        ])
      )
    },
    {
      id: "key-named",
      description: "The name of the setting was taken for a part of the key.",
      remedy: "Use only what stands behind the name of the setting.",
      weight: RARE,
      variants: keys((key) =>
        names.flatMap((name) =>
          ["=", ":", ": ", " = "].map((sign) => [`${name}${sign} before it`, name + sign + key] as const)
        )
      )
    },
    {
      id: "key-case",
      description: "The letters of the key were changed to upper or lower case.",
      remedy: "Use the key exactly as it was given to you.",
      variants: keys((key) => [
        ["lower case", key.toLowerCase()],
        ["upper case", key.toUpperCase()]
      ])
    },
    {
      id: "key-without-hyphens",
      description: "The hyphens of the key were removed, or they are other dashes.",
      remedy: "Use the key as text, with its hyphens; it is not parsed as a UUID.",
      variants: keys((key) => [
        ["no hyphens", key.replaceAll("-", "")],
        ["no hyphens, in lower case", key.replaceAll("-", "").toLowerCase()],
        ["no hyphens, in upper case", key.replaceAll("-", "").toUpperCase()],
        ["dashes in place of hyphens", key.replaceAll("-", "–"), RARE],
        ["underscores in place of hyphens", key.replaceAll("-", "_"), RARE]
      ])
    },
    {
      id: "key-missing",
      description: "The key is empty: it was not configured, or the variable that holds it is not set.",
      remedy: "Check that the key reaches the code that signs.",
      variants: keys(() => [
        ["an empty key", ""],
        ...words.map((word, place) => [`${word} in place of the key`, word, place < 4 ? USUAL : RARE] as const)
      ])
    },
    {
      id: "key-missing",
      description: "The name of a variable was used in place of the key: it was not filled in.",
      remedy: "Check that the key reaches the code that signs.",
      weight: ALONE,
      variants: keys(() => names.flatMap(placeholders).map((word) => [`${word} in place of the key`, word] as const))
    },
    {
      id: "key-hashed",
      description: "The hash of the key was used in place of the key.",
      remedy: "Use the key exactly as it was given to you.",
      variants: keys((key) =>
        hashes.flatMap(
          (name): ReadonlyArray<Change> => [
            [`its ${name}`, crypto.hash(name, key)],
            [`its ${name} in capitals`, crypto.hash(name, key).toUpperCase(), RARE],
            [`its ${name} in Base64`, crypto.hash(name, key, "base64"), RARE]
          ]
        )
      )
    },
    {
      id: "key-twice",
      description: "The key was used twice in a row.",
      remedy: "Append the key once.",
      weight: RARE,
      variants: keys((key) => [["twice", key + key]])
    },
    {
      id: "key-cut",
      description:
        "Only a part of the key was used, as if it had been cut when it was copied or read from a file of settings.",
      remedy: "Compare the key with the one that you were given. Put it in quotes where # or $ has a meaning.",
      weight: RARE,
      variants: keys(cut)
    },
    {
      id: "key-decoded",
      description: "The key was decoded from Base64 or hex digits before it was used.",
      remedy: "Use the key as text, exactly as it was given to you.",
      weight: RARE,
      variants: keys(decoded)
    },
    {
      id: "key-encoded",
      description: "The key was encoded or escaped before it was used.",
      remedy: "Use the key as text, exactly as it was given to you.",
      weight: RARE,
      variants: keys(encoded)
    }
  ]
}
