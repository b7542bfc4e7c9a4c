/** Mistakes with names, lists and maps in the text of a `control`. */
import { type ControlDraft, correct, KEY, type Part } from "./ControlDraft.ts"
import { ALONE, type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"

type Variants = ReadonlyArray<Variant<ControlDraft>>
type Parts = ReadonlyArray<Part>

const isKey = ({ slot }: Part): boolean => slot === KEY
const withoutKey = (parts: Parts): Parts => parts.filter((part) => !isKey(part))
const keyOf = (parts: Parts): string => correct.join(parts.filter(isKey))
const entries = (parts: Parts): Record<string, string> =>
  Object.fromEntries(parts.map(({ slot, value }) => [slot, value]))

/** Writes a value between two marks, or as a number. */
type Quote = (part: Part, mark: string) => string

/** The values that a list prints as numbers, without quotes. */
const quotes: ReadonlyArray<readonly [detail: string, quote: Quote]> = [
  ["", ({ value }, mark) => mark + value + mark],
  [", with a number for the amount", ({ slot, value }, mark) => (slot === "amount" ? value : mark + value + mark)],
  [", with numbers", ({ value }, mark) => (/^(0|[1-9]\d*)$/.test(value) ? value : mark + value + mark)]
]

type Written = (parts: Parts, quote: Quote) => string

/** Lists and maps as languages print them. */
const quoted: ReadonlyArray<readonly [detail: string, write: Written]> = [
  ["as JSON", (parts, quote) => `{${parts.map((part) => `"${part.slot}":${quote(part, '"')}`).join(",")}}`],
  [
    "as JSON with blanks",
    (parts, quote) => `{${parts.map((part) => `"${part.slot}": ${quote(part, '"')}`).join(", ")}}`
  ],
  [
    "as JSON in lines",
    (parts, quote) => `{\n${parts.map((part) => `  "${part.slot}": ${quote(part, '"')}`).join(",\n")}\n}`
  ],
  ["as a list in JSON", (parts, quote) => `[${parts.map((part) => quote(part, '"')).join(",")}]`],
  ["as a list of Python", (parts, quote) => `[${parts.map((part) => quote(part, "'")).join(", ")}]`],
  ["as a list of Ruby", (parts, quote) => `[${parts.map((part) => quote(part, '"')).join(", ")}]`],
  ["as a tuple of Python", (parts, quote) => `(${parts.map((part) => quote(part, "'")).join(", ")})`],
  [
    "as a map of Python",
    (parts, quote) => `{${parts.map((part) => `'${part.slot}': ${quote(part, "'")}`).join(", ")}}`
  ],
  ["as a map of Ruby", (parts, quote) => `{${parts.map((part) => `"${part.slot}"=>${quote(part, '"')}`).join(", ")}}`],
  [
    "as a map of Ruby with names of symbols",
    (parts, quote) => `{:${parts.map((part) => `${part.slot}=>${quote(part, '"')}`).join(", :")}}`
  ]
]

const lists: ReadonlyArray<readonly [detail: string, write: (values: Parts) => string]> = [
  ...quoted.flatMap(([detail, write]) =>
    quotes.map(([more, quote]) => [detail + more, (parts: Parts) => write(parts, quote)] as const)
  ),
  ["as a list of Java", (parts) => `[${parts.map(({ value }) => value).join(", ")}]`],
  ["as a slice of Go", (parts) => `[${parts.map(({ value }) => value).join(" ")}]`],
  ["as a map of Java", (parts) => `{${parts.map(({ slot, value }) => `${slot}=${value}`).join(", ")}}`],
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
  ...[/^$/, /^(0|[1-9]\d*)$/].map(
    (number) =>
      [
        "as serialize of PHP of a list",
        (parts: Parts) =>
          `a:${parts.length}:{${parts.map(({ value }, at) => `i:${at};${number.test(value) ? `i:${value}` : `s:${Buffer.byteLength(value)}:"${value}"`};`).join("")}}`
      ] as const
  ),
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

export const namesSigned: Mistake<ControlDraft> = {
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
