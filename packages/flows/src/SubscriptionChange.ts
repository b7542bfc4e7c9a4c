/** One change of a recurring payment, said in words: what the fields beside it are for, and no other field is there. */
import * as Field from "@pay/schema/Field"
import type { FieldProblem } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"

export const Change = Field.oneOf(["pause", "resume", "cancel", "amount", "card"], {
  about: "What to change: `amount` with amount and currency, `card` with a stored card or a new one, the others alone.",
  sample: "pause"
})
type Change = typeof Change.Type

type Fields = Readonly<Record<string, unknown>> & { readonly change?: Change }

/** What is charged, and with what. */
const parts: Readonly<Record<"amount" | "card", ReadonlyArray<string>>> = {
  amount: ["amount", "currency"],
  card: ["cardRefId", "creditCardNumber", "cardPrintedName", "expireMonth", "expireYear", "cvv2"]
}

/** All fields of the other parts are one too many: nobody changes a card who says that the amount changes. */
export const problems = (fields: Fields): ReadonlyArray<FieldProblem> => {
  const { change } = fields
  if (change === undefined) return [Rule.required("change")]
  const isThere = (name: string) => fields[name] !== undefined
  const own = change === "amount" || change === "card" ? parts[change] : []
  const strange = Object.values(parts)
    .flat()
    .filter((name) => isThere(name) && !own.includes(name))
  const lacks = own.length > 0 && !own.some(isThere)
  return [
    ...strange.map((name) => Rule.combination(name, `cannot be used with change ${change}`)),
    ...(lacks ? [Rule.required(own[0] ?? "")] : [])
  ]
}

/** What the gateway is asked: it reads from the fields what is changed where nothing is paused, resumed or cancelled. */
export const requestOf = ({ change, ...fields }: Fields): Readonly<Record<string, unknown>> =>
  change === undefined || change === "amount" || change === "card" ? fields : { ...fields, change }
