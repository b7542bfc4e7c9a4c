/** The fields of an answer as the contract names and spells them, from the text that came over the wire. */
import * as Dialect from "@pay/schema/Dialect"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import * as Pairs from "@pay/schema/Pairs"
import { type Differences, specification } from "./Profile.ts"

/** The fields; undefined where the text is no answer of the profile. */
export const parse = (text: string, profile: GatewayProfile, differences: Differences): unknown => {
  const isPairs = differences.answers === "pairs" && !text.trimStart().startsWith("{")
  const fields = isPairs ? pairs(text) : json(text, profile)
  return isRecord(fields) ? contractual(fields, differences) : fields
}

/** What a gateway says only because its clients refuse an empty field is left out. */
const pairs = (text: string): Readonly<Record<string, string>> | undefined => {
  const fields = Pairs.read(text)
  if (fields === undefined) return undefined
  const fallbacks = Dialect.fallbacks[fields.type ?? ""] ?? {}
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== Dialect.noValue || fallbacks[name] !== value)
  )
}

/** More digits than a JavaScript number holds. */
const longNumber = /[:[,]\s*-?\d{16}/

const json = (text: string, { numericIdentifiers }: GatewayProfile): unknown => {
  try {
    return numericIdentifiers && longNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A whole number that would lose digits is the text it stands for. */
const exactly = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? "")
    ? context?.source
    : value

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** With the contract's names and the specification's statuses. A field that has the contract's name already stays. */
const contractual = (
  fields: Readonly<Record<string, unknown>>,
  { names, statuses }: Differences
): Readonly<Record<string, unknown>> => {
  if (names === specification.names && statuses === specification.statuses) return fields
  const renamed: Record<string, unknown> = { ...fields }
  for (const [spelling, name] of Object.entries(names)) {
    if (Object.hasOwn(fields, spelling) && !Object.hasOwn(fields, name)) renamed[name] = fields[spelling]
  }
  const { status } = renamed
  if (typeof status === "string" && Object.hasOwn(statuses, status)) renamed.status = statuses[status]
  return renamed
}
