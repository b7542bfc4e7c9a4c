/** Mistakes with the amount of a `control`. */
import { type AmountMistake, formsOf } from "./AmountForms.ts"
import type { ControlDraft } from "./ControlDraft.ts"
import * as LocalNumbers from "./LocalNumbers.ts"
import { ALONE, LAST, type Mistake, type Variant } from "./Mistake.ts"

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

/** Largest amount of another request that is tried, in minor units. */
const MAX_OTHER_AMOUNT = 150_000

const hasAmount = ({ recipe }: ControlDraft): boolean => recipe.includes("amount")

/** Currencies that are tried with the amount of an order of which the request names neither. */
const usualCurrencies = ["USD", "EUR"]

function* otherAmounts(draft: ControlDraft): Generator<Variant<ControlDraft>> {
  if (!hasAmount(draft)) return
  const { amount = "", currency = "" } = draft.values
  const isAbsent = draft.recipe.includes("currency") && amount === "" && currency === ""
  for (const signed of isAbsent ? [currency, ...usualCurrencies] : [currency])
    for (let minor = 0; minor <= MAX_OTHER_AMOUNT; minor += 1)
      yield [
        `the amount ${minor} in minor units${signed === currency ? "" : ` and ${signed}`}`,
        { values: { amount: String(minor), ...(isAbsent && { currency: signed }) } }
      ]
}

export const controlAmountMistakes: ReadonlyArray<Mistake<ControlDraft>> = [
  {
    id: "value-refused",
    description: "The signature is right for a field that the gateway refuses for its form.",
    remedy: "Correct amount or currency; the gateway's own refusal names the field.",
    variants: (draft) =>
      draft.readings.map(({ says, values }) => [
        says,
        { values: Object.fromEntries(draft.recipe.map((slot) => [slot, values[slot] ?? ""])) }
      ])
  },
  ...described.map(
    ([id, description, remedy]): Mistake<ControlDraft> => ({
      id,
      description,
      remedy,
      ...(id === "amount-format" && { weight: ALONE }),
      variants: (draft) =>
        draft.amounts.filter((form) => form.id === id).map(({ detail, text }) => [detail, { values: { amount: text } }])
    })
  ),
  {
    id: "currency-form",
    description: "The currency was signed in another form than its three letters.",
    remedy: "Sign the currency as you send it: USD.",
    variants: ({ recipe, values: { currency = "" } }) =>
      recipe.includes("currency")
        ? [...LocalNumbers.signsOf(currency), LocalNumbers.currencyNumbers[currency] ?? "", ""]
            .filter((text) => text !== "")
            .map((text) => [`signed as ${text}`, { values: { currency: text } }])
        : []
  }
]

/** The amounts of other requests, which are tried if nothing else explains a control. */
export const otherAmount: Mistake<ControlDraft> = {
  id: "request-other",
  description:
    "The signature covers another value than the one that is sent: that of another request, or an older one.",
  remedy: "Sign the values of this very request, after their last change.",
  weight: LAST,
  variants: otherAmounts
}

/** Returns the wrong forms of the signed amount. None if it is not a whole number. */
export const amountsOf = (
  { amount: minor, currency }: Readonly<Record<string, string | undefined>>,
  sent: string | undefined
): ControlDraft["amounts"] => (minor !== undefined && /^\d{1,18}$/.test(minor) ? formsOf(minor, sent, currency) : [])
