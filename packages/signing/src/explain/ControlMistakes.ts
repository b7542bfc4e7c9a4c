/** The catalogue of mistakes with `control`. If two mistakes are made together, the one that comes first in the list is named first. */
import * as BodyTexts from "./BodyTexts.ts"
import * as CharacterSets from "./CharacterSets.ts"
import { type ControlDraft, correct, KEY, type Part, textOf } from "./ControlDraft.ts"
import { controlHashMistakes } from "./ControlHashMistakes.ts"
import { controlPartMistakes, unlikelyParts } from "./ControlPartMistakes.ts"
import { controlValueMistakes } from "./ControlValueMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import { ALONE, type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"

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

const textOfParts = correct.join

/** Joins the parts, with a text between two neighbours. */
const joined =
  (between: (left: Part, right: Part) => string) =>
  (parts: Parts): string =>
    parts.reduce((text, part, index) => {
      const left = parts[index - 1]
      return text + (left === undefined ? "" : between(left, part)) + part.value
    }, "")

const isKey = ({ slot }: Part): boolean => slot === KEY
const withoutKey = (parts: Parts): Parts => parts.filter((part) => !isKey(part))
const keyOf = (parts: Parts): string => textOfParts(parts.filter(isKey))
const entries = (parts: Parts): Record<string, string> =>
  Object.fromEntries(parts.map(({ slot, value }) => [slot, value]))

const lists: ReadonlyArray<readonly [detail: string, write: (values: Parts) => string]> = [
  ["as JSON", (parts) => JSON.stringify(entries(parts))],
  [
    "as JSON with blanks",
    (parts) => JSON.stringify(entries(parts)).replaceAll('","', '", "').replaceAll('":"', '": "')
  ],
  ["as JSON in lines", (parts) => JSON.stringify(entries(parts), undefined, 2)],
  ["as a list in JSON", (parts) => JSON.stringify(parts.map(({ value }) => value))],
  ["as a list of Python or Ruby", (parts) => `[${parts.map(({ value }) => `'${value}'`).join(", ")}]`],
  ["as a list of Ruby", (parts) => `[${parts.map(({ value }) => `"${value}"`).join(", ")}]`],
  ["as a tuple of Python", (parts) => `(${parts.map(({ value }) => `'${value}'`).join(", ")})`],
  ["as a list of Java", (parts) => `[${parts.map(({ value }) => value).join(", ")}]`],
  ["as a slice of Go", (parts) => `[${parts.map(({ value }) => value).join(" ")}]`],
  ["as a map of Java", (parts) => `{${parts.map(({ slot, value }) => `${slot}=${value}`).join(", ")}}`],
  ["as a map of Python", (parts) => `{${parts.map(({ slot, value }) => `'${slot}': '${value}'`).join(", ")}}`],
  ["as a map of Ruby", (parts) => `{${parts.map(({ slot, value }) => `"${slot}"=>"${value}"`).join(", ")}}`],
  [
    "as a map of Go",
    (parts) =>
      `map[${parts
        .map(({ slot, value }) => `${slot}:${value}`)
        .toSorted()
        .join(" ")}]`
  ],
  [
    "as print_r of a list",
    (parts) => `Array\n(\n${parts.map(({ value }, at) => `    [${at}] => ${value}\n`).join("")})\n`
  ],
  [
    "as print_r of fields",
    (parts) => `Array\n(\n${parts.map(({ slot, value }) => `    [${slot}] => ${value}\n`).join("")})\n`
  ],
  [
    "as serialize of PHP",
    (parts) =>
      `a:${parts.length}:{${parts.map(({ slot, value }) => `s:${slot.length}:"${slot}";s:${Buffer.byteLength(value)}:"${value}";`).join("")}}`
  ],
  ["as an encoded form", (parts) => new URLSearchParams(entries(parts)).toString()],
  ["as an encoded form with %20", (parts) => new URLSearchParams(entries(parts)).toString().replaceAll("+", "%20")],
  ["as the word Array", () => "Array"],
  ["as the name of a type", () => "System.String[]"]
]

/** Names with which the key stands in a text of names and values. */
const keyNames = [
  "key",
  "control",
  "secret",
  "controlKey",
  "control_key",
  "merchant_control",
  "controlkey",
  "merchantControl"
]

const namesSigned: Mistake<ControlDraft> = {
  id: "names-signed",
  description: "The names of the fields were signed with their values, or the marks of a list.",
  remedy: "Only the values are joined.",
  variants: () => [
    ...lists.map(
      ([detail, write]): Variant<ControlDraft> => [detail, { join: (parts) => write(withoutKey(parts)) + keyOf(parts) }]
    ),
    ...["=", ":", "", ": ", "=>", " = "].flatMap((sign) =>
      ["&", "", "\n", ";", ",", "|", ", ", " "].flatMap((separator): Variants => {
        const pairs = (parts: Parts) => parts.map(({ slot, value }) => slot + sign + value).join(separator)
        const weight = sign === "=" ? USUAL : sign.trim() === ":" || sign === "" ? RARE : ALONE
        return [
          ["names and values, then the key", { join: (parts) => pairs(withoutKey(parts)) + keyOf(parts) }, weight],
          ...(separator === ""
            ? []
            : [
                [
                  "names and values, a separator and the key",
                  { join: (parts: Parts) => pairs(withoutKey(parts)) + separator + keyOf(parts) },
                  weight
                ] as const
              ]),
          ...keyNames.map(
            (name) =>
              [
                `names and values, and the key as ${name}`,
                { join: (parts: Parts) => pairs(parts.map((part) => (isKey(part) ? { ...part, slot: name } : part))) },
                weight + 1
              ] as const
          )
        ]
      })
    )
  ]
}

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
  variants: () => [
    ["LF at the end", { whole: (text) => `${text}\n` }],
    ["CR LF at the end", { whole: (text) => `${text}\r\n` }],
    ["CR at the end", { whole: (text) => `${text}\r` }],
    ["a space and CR LF at the end, as echo of cmd prints them", { whole: (text) => `${text} \r\n` }],
    ["-n at the beginning and LF at the end, as echo of sh prints them", { whole: (text) => `-n ${text}\n` }],
    ["-n at the beginning", { whole: (text) => `-n ${text}` }],
    ["-e at the beginning and LF at the end", { whole: (text) => `-e ${text}\n` }],
    ["double quotes around the text", { whole: (text) => `"${text}"` }],
    ["double quotes and CR LF", { whole: (text) => `"${text}"\r\n` }],
    ["double quotes, a space and CR LF", { whole: (text) => `"${text}" \r\n` }],
    ["single quotes around the text", { whole: (text) => `'${text}'` }],
    ["a zero byte at the end", { whole: (text) => `${text}\0` }],
    ["two LF at the end", { whole: (text) => `${text}\n\n` }, RARE]
  ]
}

const textChanged: Mistake<ControlDraft> = {
  id: "text-changed",
  description: "The whole text with the key was changed before it was hashed.",
  remedy: "Hash exactly the text, with the letters and signs of its values and the key.",
  weight: RARE,
  variants: () => [
    ["in small letters", { whole: (text) => text.toLowerCase() }],
    ["in capitals", { whole: (text) => text.toUpperCase() }],
    ["backwards", { whole: (text) => [...text].reverse().join("") }],
    ["in Base64", { whole: (text) => Buffer.from(text).toString("base64") }],
    ["in hex digits", { whole: (text) => Buffer.from(text).toString("hex") }],
    ["only its letters and digits", { whole: (text) => text.replaceAll(/[^A-Za-z0-9]/g, "") }],
    ["without hyphens", { whole: (text) => text.replaceAll("-", "") }]
  ]
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
  ...unlikelyParts
]
