/** Checks a profile that a program without types may have written. */
import * as Dialect from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import * as Profile from "./Profile.ts"

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : typeof value)

const kinds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...Profile.specification, ...GatewayProfile.specification }).map(([name, value]) => [
    name,
    kindOf(value)
  ])
)

const operations: ReadonlyMap<string, Operation> = new Map(PayApi.all.map((operation) => [operation.name, operation]))

/** Describes what is wrong with the recipe of an operation. `undefined` if all its slots exist. */
const unknownSlot = (name: string, recipe: unknown): string | undefined => {
  const { fields = {}, signing } = operations.get(name) ?? {}
  if (signing?._tag !== "Control" || !Array.isArray(recipe))
    return `recipes of ${name}, which has no recipe that can be changed`
  const slot = recipe.find((each) => each !== "login" && each !== "endpointId" && !Object.hasOwn(fields, String(each)))
  return slot === undefined ? undefined : `recipes of ${name} with ${String(slot)}, which is not a field of ${name}`
}

/** Describes what is wrong with a profile. `undefined` if nothing is wrong. */
export const problem = (profile: Profile.Profile): string | undefined => {
  const given = Object.entries(profile)
  const other = given.find(([name, value]) => kinds[name] !== kindOf(value))?.[0]
  if (other !== undefined)
    return kinds[other] === undefined ? `has the unknown setting ${other}` : `has an invalid ${other}`
  const { answers, lacks, names, recipes, statuses } = Profile.parts(profile).differences
  if (!Dialect.all.includes(answers)) return `has answers of an unknown dialect: ${String(answers)}`
  const status = Object.values(statuses).find((each) => !Status.isKnown(each))
  if (status !== undefined)
    return `has statuses that lead to ${String(status)}, which is not a status of the specification`
  const unnamed = Object.entries(names).find(([, name]) => kindOf(name) !== "string")?.[0]
  if (unnamed !== undefined) return `has names with a value of ${unnamed} that is not text`
  const lacking = lacks.find((name) => !operations.has(name))
  if (lacking !== undefined) return `lacks ${String(lacking)}, which is not an operation of the contract`
  for (const [name, recipe] of Object.entries(recipes)) {
    const unknown = unknownSlot(name, recipe)
    if (unknown !== undefined) return `has ${unknown}`
  }
  return undefined
}
