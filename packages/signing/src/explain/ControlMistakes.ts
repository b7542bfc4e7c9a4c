/** The catalogue of mistakes with `control`. If two mistakes are made together, the one that comes first in the list is named first. */
import * as BodyTexts from "./BodyTexts.ts"
import * as CharacterSets from "./CharacterSets.ts"
import { type ControlDraft, correct, KEY, type Part, textOf } from "./ControlDraft.ts"
import { controlHashMistakes } from "./ControlHashMistakes.ts"
import { namesSigned } from "./ControlListMistakes.ts"
import { controlPartMistakes, unlikelyParts } from "./ControlPartMistakes.ts"
import { controlPrintMistakes } from "./ControlPrintMistakes.ts"
import { controlValueMistakes } from "./ControlValueMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import { ALONE, type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"
import * as WholeTexts from "./WholeTexts.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>
type Parts = ReadonlyArray<Part>

/** The first of them are usual. */
const separators = [
  ...";+&,:|-_./#* \n~$@=^!?%\\\t\0",
  "\r\n",
  "||",
  "::",
  ", ",
  "; ",
  " + ",
  " | ",
  " - ",
  "--",
  "<br>",
  "\\n"
]

/** Changes the text after what was done to it before. */
const wholes = (whole: ControlDraft["whole"], changes: ReadonlyArray<WholeTexts.Change>): Variants =>
  changes.map(([detail, change, weight]) => [detail, { whole: (text) => change(whole(text)) }, weight])

/** Joins the parts, with a text between two neighbours. */
const joined =
  (between: (left: Part, right: Part) => string) =>
  (parts: Parts): string =>
    parts.reduce((text, part, index) => {
      const left = parts[index - 1]
      return text + (left === undefined ? "" : between(left, part)) + part.value
    }, "")

const isKey = ({ slot }: Part): boolean => slot === KEY
const keyOf = (parts: Parts): string => correct.join(parts.filter(isKey))
const separated: Mistake<ControlDraft> = {
  id: "separator",
  description: "The values were joined with a character between them.",
  remedy: "Join the values with nothing between them; a + in a description of the recipe only means 'then'.",
  variants: () =>
    separators.flatMap((separator, place): Variants => {
      const name = JSON.stringify(separator)
      const weight = place < 14 ? USUAL : RARE
      return [
        [`${name} also before the key`, { join: joined(() => separator) }, weight],
        [
          `${name} between the values`,
          { join: joined((left, right) => (isKey(left) || isKey(right) ? "" : separator)) },
          weight
        ],
        [
          `${name} before the key`,
          { join: joined((left, right) => (isKey(left) || isKey(right) ? separator : "")) },
          weight + 1
        ],
        [
          `${name} after each value and the key`,
          { join: (parts) => parts.map(({ value }) => value + separator).join("") },
          weight + 1
        ],
        [
          `${name} before each value and the key`,
          { join: (parts) => parts.map(({ value }) => separator + value).join("") },
          ALONE
        ]
      ]
    })
}

const bodySigned: Mistake<ControlDraft> = {
  id: "body-signed",
  description: "The whole body was signed, or all its values.",
  remedy: "Sign only the values of the operation's recipe, without their names.",
  weight: ALONE,
  variants: ({ body }) => {
    if (body === undefined) return []
    const listed = BodyTexts.valuesOf(body).map(
      ([detail, text]): Variant<ControlDraft> => [detail, { join: (parts) => text + keyOf(parts) }]
    )
    const whole = [...new Set([body, ...BodyTexts.rewritten(body)])].flatMap(
      (text): Variants =>
        ["", "&", "&control=", "&key=", "&secret="].flatMap(
          (end): Variants => [
            [`the body${end === "" ? "" : `, ${end}`} and the key`, { join: (parts) => text + end + keyOf(parts) }],
            [`the key${end === "" ? "" : `, ${end}`} and the body`, { join: (parts) => keyOf(parts) + end + text }]
          ]
        )
    )
    return [...whole, ...listed]
  }
}

const wholeText: Mistake<ControlDraft> = {
  id: "text-line-end",
  description: "A line break or a sign of the shell was hashed with the text, as `echo` adds one.",
  remedy: "Hash exactly the text: use printf '%s', or echo -n.",
  variants: ({ whole }) => wholes(whole, WholeTexts.ends)
}

const textChanged: Mistake<ControlDraft> = {
  id: "text-changed",
  description: "The whole text with the key was changed before it was hashed.",
  remedy: "Hash exactly the text, with the letters and signs of its values and the key.",
  variants: ({ whole }) => wholes(whole, WholeTexts.changes)
}

const characterSet: Mistake<ControlDraft> = {
  id: "character-set",
  description: "The text was hashed in another character set than UTF-8.",
  remedy: "Encode the text in UTF-8 before hashing.",
  variants: (draft) => [
    ...(CharacterSets.isAscii(textOf(draft)) ? [] : CharacterSets.encoders).map(
      ([name, bytes], place): Variant<ControlDraft> => [name, { bytes }, place < 5 ? USUAL : RARE]
    ),
    ["UTF-8 with a byte order mark", { bytes: (text) => Buffer.from(`\uFEFF${text}`) }],
    ["UTF-16", { bytes: (text) => Buffer.from(text, "utf16le") }],
    ["UTF-16 with a byte order mark", { bytes: (text) => Buffer.from(`\uFEFF${text}`, "utf16le") }],
    ["UTF-16, big-endian", { bytes: (text) => Buffer.from(text, "utf16le").swap16() }],
    [
      "UTF-16, big-endian, with a byte order mark",
      { bytes: (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16() }
    ],
    ["UTF-32", { bytes: (text) => Buffer.concat([...text].map((each) => utf32(each.codePointAt(0) ?? 0))) }]
  ]
}

const utf32 = (code: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(code)
  return bytes
}

export const controlMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  ...controlValueMistakes,
  ...controlPartMistakes,
  ...keyMistakes<ControlDraft>({
    of: ({ values }) => values[KEY] ?? "",
    replace: (key) => ({ values: { [KEY]: key } })
  }),
  {
    id: "key-replaced",
    description: "A field or a setting was used in place of the key.",
    remedy: "Use the control key that the gateway's operator gave you; it is none of the fields.",
    weight: RARE,
    variants: ({ values }) =>
      Object.entries(values).flatMap(
        ([name, value]): Variants =>
          value === "" || name === KEY || name === "zero" ? [] : [[`${name} as the key`, { values: { [KEY]: value } }]]
      )
  },
  separated,
  namesSigned,
  bodySigned,
  wholeText,
  textChanged,
  characterSet,
  ...controlHashMistakes,
  ...controlPrintMistakes,
  ...unlikelyParts
]
