/**
 * Reads the parameters of an operation from the flags and operands of its command, and encodes their values as the contract
 * defines.
 */

import { OperatorParameter } from "@pay/gateway/OperatorApi"
import * as CardInput from "@pay/schema/CardInput"
import type { Given } from "../command/Flags.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"
import type { Operation } from "./OperatorOperations.ts"

export interface OperandFlag {
  readonly name: string
  readonly flag: string
  readonly info: OperatorParameter.Info
  readonly required: boolean
}

export const infoOf = ({ input }: Operation, name: string): OperatorParameter.Info | undefined => {
  const field = input.fields[name]
  return field === undefined ? undefined : OperatorParameter.infoOf(field)
}

/** Returns the flags of an operation. Parameters that the contract does not describe have no flag. */
export const flagsOf = ({ input, operands }: Operation): ReadonlyArray<OperandFlag> =>
  Object.entries(input.fields).flatMap(([name, field]) => {
    const info = OperatorParameter.infoOf(field)
    if (info === undefined || operands.includes(name)) return []
    return [{ name, flag: OperatorParameter.flagOf(name, info), info, required: !OperatorParameter.isOptional(field) }]
  })

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const durationMs = (flag: string, text: string): number => {
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (count === undefined || unitMs === undefined)
    throw new UsageError(`--${flag} is a time like 30m, 24h or 7d (s, m, h, d)`)
  return Number(count) * unitMs
}

/** Reads a card from a file: `4111 1111 1111 1111 12/2030`. The expiry is what follows the last blank. */
const card = async (flag: string, path: string) => {
  const words = (await Files.read(flag, path)).trim().split(/\s+/)
  const expiry = CardInput.expiry(words.pop() ?? "")
  const number = CardInput.number(words.join(" "))
  if (expiry === undefined || !/^\d{12,19}$/.test(number))
    throw new UsageError(`--${flag} holds one line: the number, a space, the expiry as MM/YYYY`)
  return { number, month: String(expiry.month), year: String(expiry.year) }
}

const count = (flag: string, text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${flag} is a number`)
  return Number(text)
}

/** Functions that convert the text of a flag to the value that is sent, by kind of parameter. */
const readers: Record<OperatorParameter.Kind, (flag: string, text: string) => unknown> = {
  text: (_, text) => text,
  number: count,
  duration: durationMs,
  file: Files.read,
  card,
  switch: () => true
}

const orList = (words: ReadonlyArray<string>): string => words.join(", ").replace(/, ([^,]*)$/, " or $1")

/** Reads the parameters of a command line: operands by position, others by flag. */
export const read = async (
  operation: Operation,
  { flags }: Given,
  operands: ReadonlyArray<string>,
  topic: string
): Promise<Readonly<Record<string, unknown>>> => {
  const values: Record<string, unknown> = Object.fromEntries(
    operation.operands.map((name, index) => [name, operands[index] ?? ""])
  )
  const missing: Array<string> = []
  for (const { flag, info, name, required } of flagsOf(operation)) {
    const text = flags.get(flag) ?? info.fallback
    if (text === undefined) {
      if (required) missing.push(`--${flag}`)
      continue
    }
    const field = operation.input.fields[name]
    const words = field === undefined ? undefined : OperatorParameter.wordsOf(field)
    if (words !== undefined && !words.includes(text)) throw new UsageError(`--${flag} is ${orList(words)}`, topic)
    values[name] = await readers[info.kind ?? "text"](flag, text)
  }
  if (missing.length > 0) throw new UsageError(`Give ${missing.join(", ")}`, topic)
  return values
}

/** Returns the flags of paging, for commands that build their request themselves. */
export const pageOf = ({ flags }: Given): { readonly limit?: string; readonly after?: string } => {
  const [limit, after] = [flags.get("limit"), flags.get("after")]
  return { ...(limit !== undefined && { limit: String(count("limit", limit)) }), ...(after !== undefined && { after }) }
}
