/** Vectors of `control` for every operation that is signed with it: the recipe of the contract over the sample request. */
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Control from "@pay/signing/Control"
import * as Keys from "./Keys.ts"

type Fields = Readonly<Record<string, string>>

interface Case {
  readonly about: string
  readonly operation: Operation
  readonly endpointId: string
  readonly mode: Canonical.ControlAmount
  readonly fields: Fields
}

const endpointId = "1111"

const recipeOf = ({ signing }: Operation): ReadonlyArray<string> => (signing._tag === "Control" ? signing.recipe : [])

/** The fields that the recipe covers, and the currency, which decides how the amount is written. */
const signedFields = (operation: Operation, changes: Fields): Fields => {
  const all: Fields = { ...Sample.request(operation), ...changes }
  const names = [...recipeOf(operation), "amount", "currency"]
  return Object.fromEntries(Object.entries(all).filter(([name, text]) => names.includes(name) && text !== ""))
}

const make = (about: string, operation: Operation, changes: Fields = {}, more: Partial<Case> = {}): Case => ({
  about,
  operation,
  endpointId,
  mode: "minor",
  fields: signedFields(operation, changes),
  ...more
})

const { CAPTURE, RETURN, SALE, STATUS } = PayApi.operations

const cases: ReadonlyArray<Case> = [
  ...PayApi.all
    .filter(({ signing }) => signing._tag === "Control")
    .map((operation) => make(`the sample of ${operation.command}`, operation)),
  make("a capture of a part", CAPTURE, { amount: "5.00", currency: "USD" }),
  make("a return of a part", RETURN, { amount: "0.07", currency: "USD" }),
  make("status by orderid alone: client_orderid is an empty text", STATUS, { client_orderid: "", orderid: "6768788" }),
  make("an amount without decimals", SALE, { amount: "10" }),
  make("an amount with one decimal", SALE, { amount: "10.5" }),
  make("a currency without decimals, in minor units", SALE, { amount: "1050", currency: "JPY" }),
  make("a currency without decimals, times 100", SALE, { amount: "1050", currency: "JPY" }, { mode: "x100" }),
  make("a currency with three decimals, in minor units", SALE, { amount: "10.125", currency: "KWD" }),
  make("an amount that binary fractions cannot hold", SALE, { amount: "19.99" }),
  make("letters outside ASCII, in UTF-8", SALE, { client_orderid: "Größe-1€", email: "jörg@example.com" }),
  make("an endpoint group", SALE, {}, { endpointId: "2001" })
]

/** All vectors, each with the text that is hashed. */
export const vectors = cases.map(({ about, endpointId, fields, mode, operation }) => {
  const recipe = recipeOf(operation)
  const values = Canonical.controlValues(operation, fields, { endpointId, mode })
  return {
    about,
    operation: operation.command,
    path: `${operation.path}/${endpointId}`,
    recipe,
    controlAmount: mode,
    fields,
    values: recipe.map((slot) => values[slot] ?? ""),
    text: Control.preimage(recipe, values, Keys.controlKey),
    control: Control.sign(recipe, values, Keys.controlKey)
  }
})
