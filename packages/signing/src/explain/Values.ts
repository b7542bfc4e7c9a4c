/** Mistakes that change the values of a request on their way into the signed text. They apply to every scheme. */
import type { Mistake, Variant } from "./Mistake.ts"

/** Access to the values of a draft. */
export interface Values<Draft> {
  readonly of: (draft: Draft) => ReadonlyArray<readonly [name: string, value: string]>
  /** Returns the draft with other values, in the order of `of`. */
  readonly replace: (draft: Draft, values: ReadonlyArray<string>) => Draft
}

/** A change of one value, with its description. */
type Change = readonly [detail: string, change: (value: string) => string]

interface ValueMistake extends Omit<Mistake<unknown>, "variants" | "aspect"> {
  /** Whether the mistake is made with one value only. With all of them, it would be a separator of values. */
  readonly isSingle?: true
  readonly changes: ReadonlyArray<Change>
}

/** Returns the text that a percent-encoded text stands for, or the text itself. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const html: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#039;" }

const inAscii = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const unaccented = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "")

const mistakes: ReadonlyArray<ValueMistake> = [
  {
    id: "plus-unescaped",
    description:
      "A + was signed where a space arrived: it was sent without percent-encoding, or a space was signed as a form writes it.",
    remedy: "Percent-encode the body, where + is %2B, and sign the plain values.",
    changes: [["every space a +", (value) => value.replaceAll(" ", "+")]]
  },
  {
    id: "plus-as-blank",
    description: "A + that was sent was signed as a space: the value was decoded once too often before it was signed.",
    remedy: "Sign the value as it was before it was encoded, with its +.",
    changes: [["every + a space", (value) => value.replaceAll("+", " ")]]
  },
  {
    id: "field-encoded-twice",
    description:
      "A field was percent-encoded twice in the body, so that it arrived with escapes, and was signed without.",
    remedy: "Encode each field once: give the HTTP library the plain values.",
    changes: [["decoded once more", decoded]]
  },
  {
    id: "values-untrimmed",
    description: "A value was signed with a blank or a line break around it, which does not count in the request.",
    remedy: "Trim the values before you sign and send them.",
    isSingle: true,
    changes: [
      ["a space after", (value) => `${value} `],
      ["a space before", (value) => ` ${value}`],
      ["a line break after", (value) => `${value}\n`],
      ["CR LF after", (value) => `${value}\r\n`],
      ["a tab after", (value) => `${value}\t`]
    ]
  },
  {
    id: "values-case",
    description: "Letters of a value were changed to upper or lower case before it was signed.",
    remedy: "Sign every value exactly as you send it.",
    changes: [
      ["in lower case", (value) => value.toLowerCase()],
      ["in upper case", (value) => value.toUpperCase()]
    ]
  },
  {
    id: "values-escaped",
    description: "The values were escaped for HTML, JSON or a database before they were signed.",
    remedy: "Sign the plain values.",
    isRare: true,
    changes: [
      ["escaped for HTML", (value) => value.replaceAll(/[&<>"']/g, (character) => html[character] ?? character)],
      [
        "escaped for HTML, without quotes",
        (value) => value.replaceAll(/[&<>]/g, (character) => html[character] ?? character)
      ],
      ["escaped for JSON in ASCII", inAscii],
      ["in quotes", (value) => `"${value}"`],
      ["in single quotes", (value) => `'${value}'`],
      ["with backslashes before quotes", (value) => value.replaceAll(/["'\\]/g, "\\$&")]
    ]
  },
  {
    id: "values-normalized",
    description: "A value was signed in another form of Unicode, without its accents, or without its blanks.",
    remedy: "Sign the very characters that you send.",
    isRare: true,
    changes: [
      ["accents as characters of their own (NFD)", (value) => value.normalize("NFD")],
      ["accents joined (NFC)", (value) => value.normalize("NFC")],
      ["compatible characters (NFKC)", (value) => value.normalize("NFKC")],
      ["no accents", unaccented],
      ["one blank in place of several", (value) => value.replaceAll(/\s+/g, " ")],
      ["no blanks", (value) => value.replaceAll(/\s/g, "")],
      ["only ASCII", (value) => value.replaceAll(/[^\0-\x7f]/g, "")]
    ]
  }
]

/** Returns the variants of one change: of all values together, then of each value that it changes. */
const variantsOf = <Draft>(
  draft: Draft,
  [detail, change]: Change,
  { of, replace }: Values<Draft>,
  isSingle: boolean
): ReadonlyArray<Variant<Draft>> => {
  const entries = of(draft)
  const values = entries.map(([, value]) => value)
  const changed = values.map((value) => (value === "" ? value : change(value)))
  const places = changed.flatMap((value, index) => (value === values[index] ? [] : [index]))
  const single = places.map((place): Variant<Draft> => {
    const replaced = replace(draft, values.with(place, changed[place] ?? ""))
    return [`${entries[place]?.[0]} ${detail}`, replaced]
  })
  return isSingle || places.length < 2 ? single : [[`all values ${detail}`, replace(draft, changed)], ...single]
}

export const valueMistakes = <Draft>(values: Values<Draft>): ReadonlyArray<Mistake<Draft>> =>
  mistakes.map(({ changes, isSingle = false, ...mistake }) => ({
    ...mistake,
    aspect: "text",
    variants: (draft) => changes.flatMap((change) => variantsOf(draft, change, values, isSingle))
  }))
