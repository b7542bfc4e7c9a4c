/**
 * The fields of a request in their normal forms (docs/assumptions.md#fields). They are made after the signature was verified over
 * the text that was sent. Everything after that reads only them: replay, rules, bank, rail, answers. The hosted pages read their
 * entries in the same way.
 */
import type { Dialect } from "@pay/schema/Dialect"
import type { FieldProblem, FieldTexts, Operation } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import { Result } from "effect"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Country from "../recipients/Country.ts"
import * as Destination from "../recipients/Destination.ts"
import * as Phone from "../recipients/Phone.ts"

export interface NormalFields {
  readonly fields: FieldTexts
  /** Problems that only the gateway can find, because their rules need lists of countries. */
  readonly problems: ReadonlyArray<FieldProblem>
}

const phoneNames = ["phone", "cell_phone"] as const

/** Whether the field is the number to which the money goes. */
const isPaid = (operation: Operation, name: string, fields: FieldTexts): boolean =>
  operation.infos.get(name)?.kind === "recipient" && Destination.kindOf(fields) === "phone"

/**
 * Returns the normal forms. An IP address gets the notation in which rules compare it. A phone number becomes E.164. One that cannot
 * be read is a problem only if money goes to it; the number of a customer stays as it was written, because a payment does not depend
 * on it.
 */
export const of = (operation: Operation, sent: FieldTexts): NormalFields => {
  const normal = operation.normalFields(sent)
  const changed: Record<string, string> = {}
  const problems: Array<FieldProblem> = []
  const { ipaddress } = normal
  const address = ipaddress === undefined ? undefined : CustomerAddress.parse(ipaddress)
  if (address !== undefined && address !== ipaddress) changed.ipaddress = address
  for (const name of phoneNames) {
    const text = normal[name]
    if (text === undefined) continue
    const phone = Phone.read(text, normal.country)
    const paid = isPaid(operation, name, normal)
    if (phone !== undefined && !(paid && phone.extension !== undefined)) changed[name] = phone.number
    else if (paid) problems.push(Rule.invalid(name, "is not a phone number of its country, without extension"))
  }
  return { fields: Object.keys(changed).length === 0 ? normal : { ...normal, ...changed }, problems }
}

/** Returns what is wrong with the country and the state. Modules of the older dialect send states as customers write them. */
const placeProblems = ({ country, state }: FieldTexts, dialect: Dialect): ReadonlyArray<FieldProblem> => {
  const flaw = country === undefined || country.length > Country.longestName ? undefined : Country.flaw(country)
  if (flaw !== undefined) return [Rule.invalid("country", flaw)]
  const stateFlaw = state === undefined || dialect !== "json" ? undefined : Country.stateFlaw(state, country ?? "")
  return stateFlaw === undefined ? [] : [Rule.invalid("state", stateFlaw)]
}

/**
 * Returns all problems of a request that has one outside the rules of its operation: `others`, those of the operation, and
 * those of the normal forms. Returns none if there is none outside, because the handler then decodes the request.
 */
export const allProblems = (
  others: ReadonlyArray<FieldProblem>,
  { fields, problems }: NormalFields,
  operation: Operation,
  dialect: Dialect
): ReadonlyArray<FieldProblem> => {
  const places = placeProblems(fields, dialect)
  if (others.length + places.length + problems.length === 0) return []
  const decoded = operation.decodeFields(fields, dialect)
  const failures = Result.isFailure(decoded) ? decoded.failure : []
  // The list of countries knows what is meant by a word that is no code.
  const countries = places.filter(({ field }) => field === "country")
  const all = [...others, ...countries, ...failures, ...places, ...problems]
  return all.filter(({ field }, index) => all.findIndex((other) => other.field === field) === index)
}
