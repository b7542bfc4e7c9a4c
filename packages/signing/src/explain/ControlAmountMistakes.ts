/** Mistakes with the amount of a `control`. */
import { type AmountMistake, formsOf } from "./AmountForms.ts"
import type { ControlDraft } from "./ControlDraft.ts"
import type { Mistake } from "./Mistake.ts"

type Described = readonly [id: AmountMistake, description: string, remedy: string]

const described: ReadonlyArray<Described> = [
  [
    "amount-major",
    "The amount was signed in major units, as it stands in the request.",
    "Sign the amount in minor units, without a point: 10.42 becomes 1042."
  ],
  [
    "amount-decimals",
    "The amount was signed in minor units as a decimal fraction, as a float is printed.",
    "Print the minor units as a whole number: 1042, not 1042.0."
  ],
  [
    "amount-exponent",
    "The amount was turned into minor units with another number of decimals than its currency has here.",
    "Use the ISO 4217 decimals of the currency, or ask to set this endpoint to amounts times 100."
  ],
  [
    "amount-whole",
    "The cents were cut off or rounded before the amount was turned into minor units.",
    "Multiply the whole amount, with its decimals: 8.20 becomes 820, not 800 and not 8."
  ],
  [
    "amount-float",
    "The amount was multiplied as a binary fraction, which is not exact, and then cut, rounded up or signed as it is.",
    "Round the product to a whole number, or move the decimal point in the text: 8.20 becomes 820, not 819."
  ],
  [
    "amount-format",
    "The amount was signed with a currency, a sign, leading zeros or a separator of thousands.",
    "Sign the digits of the minor units alone: 1042."
  ]
]

export const controlAmountMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "value-refused",
    description: "The signature is right for a field that the gateway refuses for its form.",
    remedy: "Correct amount or currency; the gateway's own refusal names the field.",
    aspect: "amount",
    variants: (draft) =>
      draft.readings.map(({ says, values }) => [
        says,
        { ...draft, parts: draft.parts.map(({ slot }) => ({ slot, value: values[slot] ?? "" })) }
      ])
  },
  ...described.map(
    ([id, description, remedy]): Mistake<ControlDraft> => ({
      id,
      description,
      remedy,
      aspect: "amount",
      ...(id === "amount-format" && { isRare: true }),
      variants: (draft) =>
        draft.amounts
          .filter((form) => form.id === id)
          .map(({ detail, text }) => [
            detail,
            {
              ...draft,
              parts: draft.parts.map((part) => (part.slot === "amount" ? { slot: part.slot, value: text } : part))
            }
          ])
    })
  )
]

/** Returns the wrong forms of the signed amount. None if it is not a whole number. */
export const amountsOf = ({ fields, parts }: Pick<ControlDraft, "fields" | "parts">): ControlDraft["amounts"] => {
  const minor = parts.find(({ slot }) => slot === "amount")?.value
  return minor !== undefined && /^\d{1,18}$/.test(minor) ? formsOf(minor, fields.amount, fields.currency) : []
}
