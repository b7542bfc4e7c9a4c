/** Mistakes that change the values of a request on their way into the signed text. They apply to every scheme. */

import { placeholders, unfilled } from "./KeyForms.ts"
import * as Markup from "./Markup.ts"
import { ALONE, type Mistake, RARE, type Steps, USUAL, type Variant } from "./Mistake.ts"
import { exponential, firstAndLast, inGroups, lastOnly, number, words, wrongVerbs } from "./NumberForms.ts"

/** A value that can be signed in another form, under the name of its step. */
export interface Value {
  readonly step: string
  /** The name of the field. */
  readonly name: string
  readonly text: string
}

/** Access to the values of a draft. */
export interface Values<Draft extends Steps> {
  readonly of: (draft: Draft) => ReadonlyArray<Value>
  /** Returns the steps that sign other texts, by the names of the steps. */
  readonly replace: (draft: Draft, texts: ReadonlyArray<readonly [value: Value, text: string]>) => Partial<Draft>
  /** The least weight of a change of one value alone. There are too many for pairs where a text has many values. */
  readonly weightOfOne: number
}

/** A change of one value, with its description. */
type Change = readonly [detail: string, change: (value: string, name: string) => string, weight?: number]

interface ValueMistake extends Omit<Mistake<Steps>, "variants"> {
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

const inAscii = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const unaccented = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "")

const spelt: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  Ä: "Ae",
  Ö: "Oe",
  Ü: "Ue",
  ß: "ss",
  æ: "ae",
  Æ: "Ae",
  ø: "oe",
  Ø: "Oe",
  å: "aa",
  Å: "Aa",
  ł: "l",
  Ł: "L",
  đ: "d",
  ı: "i"
}

/** Characters that editors and text processors put in place of those of ASCII, and the other way round. */
const typography = (text: string): string =>
  text
    .replaceAll(/[‐‑‒–—−]/g, "-")
    .replaceAll(/[‘’ʼ′]/g, "'")
    .replaceAll(/[“”″]/g, '"')
    .replaceAll("…", "...")
    .replaceAll("\u00a0", " ")

/** Returns the part of an email before its @, or the whole value. */
const beforeAt = (value: string): string => value.split("@", 1)[0] ?? value

const withoutTag = (value: string): string => {
  const [name = ""] = beforeAt(value).split("+", 1)
  return name + value.slice(beforeAt(value).length)
}

const wrappers = ["Optional[ ]", 'Optional(" ")', "Some( )", 'Some(" ")', "b' '", "(' ',)", "[' ']", '[" "]']
  .map((marks) => marks.split(" "))
  .map(([before = "", after = ""]) => [before, after] as const)

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
      ["CR after", (value) => `${value}\r`, RARE],
      ["a tab after", (value) => `${value}\t`, RARE],
      ["a no-break space after", (value) => `${value}\u00a0`, RARE],
      ["a byte order mark before", (value) => `\uFEFF${value}`, RARE]
    ]
  },
  {
    id: "values-case",
    description: "Letters of a value were changed to upper or lower case before it was signed.",
    remedy: "Sign every value exactly as you send it.",
    changes: [
      ["in lower case", (value) => value.toLowerCase()],
      ["in upper case", (value) => value.toUpperCase()],
      ["with a capital at the beginning", (value) => value.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())],
      ["with a capital, then lower case", (value) => value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase()]
    ]
  },
  {
    id: "values-escaped",
    description: "The values were escaped for HTML, JSON or a database before they were signed.",
    remedy: "Sign the plain values.",
    weight: RARE,
    changes: [
      ...Markup.apostrophes.map((apostrophe) => ["escaped for HTML", Markup.escaped(apostrophe)] as const),
      ["escaped for HTML, without quotes", Markup.escapedSigns],
      ["without tags of HTML", (value) => value.replaceAll(/<[^<>]*>/g, "")],
      ["escaped for JSON in ASCII", inAscii],
      ["escaped for JSON", (value) => JSON.stringify(value).slice(1, -1)],
      ["escaped for JSON in PHP", (value) => inAscii(JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"))],
      [
        "escaped for JSON in Go",
        (value) => value.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e")
      ],
      ["in quotes", (value) => `"${value}"`],
      ["in single quotes", (value) => `'${value}'`],
      ["with backslashes before quotes", (value) => value.replaceAll(/["'\\]/g, "\\$&")],
      ["with doubled quotes", (value) => value.replaceAll("'", "''")],
      ["without quotes", (value) => value.replaceAll(/["'`]/g, "")],
      ["without backslashes", (value) => value.replaceAll("\\", "")]
    ]
  },
  {
    id: "value-wrapped",
    description: "A value was signed with what a language prints around it: an optional value, bytes or a tuple.",
    remedy: "Take the text out of its wrapper before you sign it.",
    weight: RARE,
    isSingle: true,
    changes: wrappers.map(([before, after]) => [`between ${before} and ${after}`, (value) => before + value + after])
  },
  {
    id: "values-normalized",
    description: "A value was signed in another form of Unicode, without its accents, or without its blanks or signs.",
    remedy: "Sign the very characters that you send.",
    weight: RARE,
    changes: [
      ["accents as characters of their own (NFD)", (value) => value.normalize("NFD")],
      ["accents joined (NFC)", (value) => value.normalize("NFC")],
      ["compatible characters (NFKC)", (value) => value.normalize("NFKC")],
      ["no accents", unaccented],
      ["umlauts spelt out", (value) => value.replaceAll(/[äöüÄÖÜßæÆøØåÅłŁđı]/g, (letter) => spelt[letter] ?? letter)],
      ["plain quotes and hyphens", typography],
      ["one blank in place of several", (value) => value.replaceAll(/\s+/g, " ")],
      ["no blanks", (value) => value.replaceAll(/\s/g, "")],
      ["hyphens in place of blanks", (value) => value.replaceAll(" ", "-")],
      ["underscores in place of blanks", (value) => value.replaceAll(" ", "_")],
      ["only ASCII", (value) => value.replaceAll(/[^\0-\x7f]/g, "")],
      ["only letters and digits", (value) => value.replaceAll(/[^A-Za-z0-9]/g, "")],
      ["only digits", (value) => (/\d/.test(value) ? value.replaceAll(/\D/g, "") : value)],
      ["no hyphens", (value) => value.replaceAll("-", "")],
      ["an email without its tag", withoutTag],
      [
        "an email without points before its @",
        (value) => beforeAt(value).replaceAll(".", "") + value.slice(beforeAt(value).length)
      ],
      ["only what stands before @", (value) => beforeAt(value)],
      ["groups of four digits", inGroups(" ")],
      ["groups of four digits with hyphens", inGroups("-")],
      ["characters outside of the basic plane left out", (value) => value.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "")],
      ["characters outside of the basic plane as ?", (value) => value.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")]
    ]
  },
  {
    id: "values-number",
    description: "A value was signed as a number or a truth value prints it, not as the text that is sent.",
    remedy: "Keep order numbers, months and words as text, and sign the text that you send.",
    weight: RARE,
    changes: [
      ["without leading zeros", number((value) => value.replace(/^0+(?=\d)/, ""))],
      ["with one digit", number((value) => value.replace(/^0(?=\d$)/, ""))],
      ["with two digits", number((value) => value.padStart(2, "0"))],
      ["the year with two digits", (value) => (/^20\d\d$/.test(value) ? value.slice(2) : value)],
      ["the year with four digits", (value) => (/^\d\d$/.test(value) ? `20${value}` : value)],
      ["as a number of JavaScript", number((value) => String(Number(value)))],
      ["as a long number that lost its last digits", number((value) => BigInt(Math.trunc(Number(value))).toString())],
      ...[".0", ".00", ",00", ","].map((end) => [`with ${end}`, number((value) => value + end)] as const),
      ["as a power of ten", number((value) => exponential(value).replace("e+", "E"))],
      ["as a power of ten in small letters", number(exponential)],
      ["as a power of ten with two digits", number((value) => exponential(value).replace(/e\+(\d)$/, "E+0$1"))],
      ...[",", " ", ".", "'", "_", "\u00a0", "\u202f"].map(
        (separator) =>
          [
            `with ${JSON.stringify(separator)} between thousands`,
            number((value) => value.replaceAll(/\B(?=(\d{3})+(?!\d))/g, separator))
          ] as const
      ),
      ...words.map(
        ([own, other]) => [`${own} as ${other}`, (value: string) => (value === own ? other : value)] as const
      )
    ]
  },
  {
    id: "values-masked",
    description: "A card number was signed as it is masked for printing.",
    remedy: "Sign the value that you send. Mask it only for logs and pages.",
    weight: RARE,
    changes: ["*", "X", "x", "•", "#"].flatMap(
      (mark): ReadonlyArray<Change> => [
        [`with ${mark} between its ends`, firstAndLast(mark)],
        [`with ${mark} up to its last four digits`, lastOnly(mark)],
        [`with one ${mark} between its ends`, firstAndLast(mark, 1)],
        [`with four ${mark} between its ends`, firstAndLast(mark, 4)],
        [
          `with ${mark} between its ends, in groups`,
          (value) =>
            inGroups(" ")(firstAndLast("0")(value)) === value
              ? value
              : firstAndLast(mark)(value).replaceAll(/.{4}(?=.)/g, "$& ")
        ]
      ]
    )
  },
  {
    id: "placeholder-signed",
    description: "A word or the name of a variable was signed in place of a value: the variable was not filled in.",
    remedy: "Check that every variable has its value when you sign.",
    weight: ALONE,
    changes: [
      ...unfilled.map((word) => [`as ${word}`, () => word] as const),
      ...wrongVerbs("").map(
        (_, index) => ["as fmt of Go prints a wrong verb", (value: string) => wrongVerbs(value)[index] ?? ""] as const
      ),
      ...placeholders("").map(
        (_, index) =>
          ["as the name of a variable", (_: string, name: string) => placeholders(name)[index] ?? ""] as const
      )
    ]
  }
]

/** Returns the variants of one change: of all values together, then of each value that it changes. */
const variantsOf = <Draft extends Steps>(
  draft: Draft,
  [detail, change, weight]: readonly [detail: string, change: Change[1], weight: number],
  { of, replace, weightOfOne }: Values<Draft>,
  isSingle: boolean
): ReadonlyArray<Variant<Draft>> => {
  const changed = of(draft)
    .map((value) => [value, value.text === "" ? "" : change(value.text, value.name)] as const)
    .filter(([value, text]) => value.text !== text)
  const single = changed.map(
    (pair): Variant<Draft> => [`${pair[0].name} ${detail}`, replace(draft, [pair]), Math.max(weight, weightOfOne)]
  )
  return isSingle || changed.length < 2
    ? single
    : [[`all values ${detail}`, replace(draft, changed), weight], ...single]
}

export const valueMistakes = <Draft extends Steps>(values: Values<Draft>): ReadonlyArray<Mistake<Draft>> =>
  mistakes.map(({ changes, isSingle = false, ...mistake }) => ({
    ...mistake,
    variants: (draft) =>
      changes.flatMap(([detail, change, weight = mistake.weight ?? USUAL]) =>
        variantsOf(draft, [detail, change, weight], values, isSingle)
      )
  }))
