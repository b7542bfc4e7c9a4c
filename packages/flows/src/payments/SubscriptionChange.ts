/** The kind of a change of a recurring payment. It decides which other fields the request may contain. */
import * as Field from "@pay/schema/Field"
import type { FieldProblem } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"

export const Change = Field.oneOf(["pause", "resume", "cancel", "amount", "card"], {
  about: "What to change: `amount` with amount and currency, `card` with a stored card or a new one, the others alone.",
  sample: "pause"
})
type Change = typeof Change.Type

type Fields = Readonly<Record<string, unknown>> & { readonly change: Change }

/** The fields that belong to a change of the amount, and to a change of the card. */
const parts: Readonly<Record<"amount" | "card", ReadonlyArray<string>>> = {
  amount: ["amount", "currency"],
  card: ["cardRefId", "creditCardNumber", "cardPrintedName", "expireMonth", "expireYear", "cvv2"]
}

/** Returns a problem for each field that belongs to another kind of change, and one if the fields of this kind are missing. */
export const problems = (fields: Fields): ReadonlyArray<FieldProblem> => {
  const { change } = fields
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

/**
 * Returns the fields of the request. `change` is sent only for pause, resume and cancel. The gateway derives a change of amount
 * or card from the fields.
 */
export const requestOf = ({ change, ...fields }: Fields): Readonly<Record<string, unknown>> =>
  change === "amount" || change === "card" ? fields : { ...fields, change }
