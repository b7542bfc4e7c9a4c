/** What a received form means before it is validated: once for the signature, the replay check and the decoder. */
import * as Result from "effect/Result"
import { codes } from "./ErrorCode.ts"
import type { Flaw } from "./Field.ts"
import * as Money from "./Money.ts"
import type { Operation } from "./Operation.ts"
import type { FieldProblem, FieldTexts } from "./Rule.ts"

/** Which form of an amount a `control` covers: the currency's minor units, or × 100 for every currency. */
export type ControlAmount = "minor" | "x100"

/** What a `control` covers beside the fields. */
export interface Context {
  readonly endpointId: string
  readonly mode: ControlAmount
}

/**
 * The fields an operation knows, by primary name: values trimmed, empty ones left out (an empty value means absent),
 * unknown fields dropped. Two spellings or repeats of one field that differ are a problem; the first one stands.
 */
export const fields = (
  operation: Pick<Operation, "spellings">,
  parameters: ReadonlyArray<readonly [name: string, value: string]>
): { readonly fields: Record<string, string>; readonly problems: ReadonlyArray<FieldProblem> } => {
  const present: Record<string, string> = Object.create(null)
  const problems: Array<FieldProblem> = []
  for (const [spelling, raw] of parameters) {
    const name = operation.spellings.get(spelling)
    if (name === undefined) continue
    const value = raw.trim()
    if (value === "") continue
    const earlier = present[name]
    if (earlier === undefined) present[name] = value
    else if (earlier !== value && !problems.some(({ field }) => field === name)) problems.push(conflict(name))
  }
  return { fields: present, problems }
}

const conflict = (field: string): FieldProblem => ({
  field,
  code: codes.parameterConflict.code,
  message: `Parameter ${field} is given twice with different values`
})

/**
 * One text for requests with the same content, to tell a repetition from another request: operation and fields in the
 * order of their names, numbers normalised. Card number, expiry and recipient are in {@link card}, the security code nowhere.
 * Injective: every part is preceded by its length.
 */
export const content = (operation: Operation, texts: FieldTexts): string =>
  joined(`${operation.name.length}:${operation.name}`, operation.plainNames, operation, texts)

/**
 * Returns one text for card numbers, expiry and recipients, as {@link content} does for the other fields. It is secret: store it
 * only as a keyed hash. It is empty if the request has none of these fields.
 */
export const card = (operation: Operation, texts: FieldTexts): string =>
  joined("", operation.cardNames, operation, texts)

const joined = (start: string, names: ReadonlyArray<string>, operation: Operation, texts: FieldTexts): string => {
  let text = start
  for (const name of names) {
    const value = texts[name]
    if (value === undefined) continue
    const canonical = operation.infos.get(name)?.canonical(value) ?? value
    text += `${name.length}:${name}${canonical.length}:${canonical}`
  }
  return text
}

/**
 * The values of the control recipe's slots as they are signed. The amount is converted; one that cannot be converted
 * stands as it was sent, so that the signature is judged before the amount is refused. Absent values are left out.
 */
export const controlValues = (
  operation: Pick<Operation, "signing">,
  texts: FieldTexts,
  context: Context
): Record<string, string> => {
  const values: Record<string, string> = Object.create(null)
  if (operation.signing._tag !== "Control") return values
  for (const slot of operation.signing.recipe) {
    const value = slot === "endpointId" ? context.endpointId : texts[slot]
    if (value !== undefined) values[slot] = slot === "amount" ? signedAmount(value, texts, context.mode) : value
  }
  return values
}

const signedAmount = (amount: string, texts: FieldTexts, mode: ControlAmount): string => {
  const converted = convert(amount, texts, mode)
  return Result.isSuccess(converted) ? String(converted.success) : amount
}

/** An amount as a control covers it; fails where the rules refuse the amount or its currency. */
export const convert = (
  amount: string,
  { currency = "" }: FieldTexts,
  mode: ControlAmount
): Result.Result<number, Flaw> => (mode === "x100" ? Money.toHundredths(amount) : Money.toMinor(amount, currency))
