/** Reads the fields of an answer from its text, with the names and statuses of the contract. */
import * as Dialect from "@pay/schema/Dialect"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import * as Pairs from "@pay/schema/Pairs"
import { type Differences, specification } from "./Profile.ts"

/** Returns the fields of an answer, or `undefined` if the text is not an answer in the form of the profile. */
export const parse = (text: string, profile: GatewayProfile, differences: Differences): unknown => {
  const isPairs = differences.answers === "pairs" && !text.trimStart().startsWith("{")
  const fields = isPairs ? pairs(text) : json(text, profile)
  return isRecord(fields) ? contractual(fields, differences) : fields
}

/**
 * Reads the fields of an answer in the older dialect. A placeholder that a gateway sends only because its clients refuse an empty
 * field is left out.
 */
const pairs = (text: string): Readonly<Record<string, string>> | undefined => {
  const fields = Pairs.read(text)
  if (fields === undefined) return undefined
  const fallbacks = Dialect.fallbacks[fields.type ?? ""] ?? {}
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== Dialect.noValue || fallbacks[name] !== value)
  )
}

/** Matches a number that may have more digits than a JavaScript number can store. */
const longNumber = /[:[,]\s*-?\d{16}/

const json = (text: string, { numericIdentifiers }: GatewayProfile): unknown => {
  try {
    return numericIdentifiers && longNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps a whole number as text if a JavaScript number would lose digits. */
const exactly = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? "")
    ? context?.source
    : value

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Renames fields and statuses as the contract names them. A field that already has the name of the contract is not replaced. */
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
