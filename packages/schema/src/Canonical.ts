/**
 * The canonical fields of a received form before its validation. The check of the signature, the check for repetitions and the
 * decoder all use them.
 */
import * as Result from "effect/Result"
import * as Blanks from "./Blanks.ts"
import { codes } from "./ErrorCode.ts"
import type { Flaw } from "./Field.ts"
import * as Money from "./Money.ts"
import type { Operation } from "./Operation.ts"
import type { FieldProblem, FieldTexts } from "./Rule.ts"
import * as Rule from "./Rule.ts"

/**
 * The form of an amount in a `control`: whole minor units of the currency (`minor`), or the amount × 100 for every currency
 * (`x100`).
 */
export type ControlAmount = "minor" | "x100"

/** What {@link controlValues} needs beside the fields of the request. */
export interface Context {
  readonly endpointId: string
  readonly mode: ControlAmount
}

/**
 * Returns the fields that the operation defines, by primary name. Values are trimmed. Empty values are left out, because an empty
 * value means absent; unknown fields are left out, too. If a field occurs twice with different values, under one spelling or two,
 * the first value is kept and a problem is reported. An unknown field or a parameter of the `query` that means an amount or a
 * currency ({@link moneyField}) is a problem, too, unless the field itself has this value.
 */
export const fields = (
  operation: Pick<Operation, "spellings">,
  parameters: Parameters,
  query: Parameters = []
): { readonly fields: Record<string, string>; readonly problems: ReadonlyArray<FieldProblem> } => {
  const present: Record<string, string> = Object.create(null)
  const problems: Array<FieldProblem> = []
  const ignored = [...query]
  for (const parameter of parameters) {
    const [spelling, raw] = parameter
    const name = operation.spellings.get(spelling)
    if (name === undefined) {
      ignored.push(parameter)
      continue
    }
    const value = Blanks.trim(raw)
    if (value === "") continue
    const earlier = present[name]
    if (earlier === undefined) present[name] = value
    else if (earlier !== value && !problems.some(({ field }) => field === name)) problems.push(conflict(name))
  }
  if (!hasMoney(operation)) return { fields: present, problems }
  for (const [spelling, raw] of ignored) {
    const name = moneyField(operation, spelling)
    const isMeant = name !== undefined && raw.trim() !== "" && raw.trim() !== present[name]
    if (isMeant && !problems.some(({ field }) => field === name)) problems.push(misnamed(name))
  }
  return { fields: present, problems }
}

type Parameters = ReadonlyArray<readonly [name: string, value: string]>

const misnamed = (field: string): FieldProblem =>
  Rule.invalid(field, "must be in the body, under exactly this name: it would be ignored")

const letters = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

const moneyNames = ["amount", "currency", "enumerate_amounts"]
const moneyFields = new Map(moneyNames.map((name) => [letters(name), name]))

const hasMoney = ({ spellings }: Pick<Operation, "spellings">): boolean =>
  moneyNames.some((name) => spellings.has(name))

/** Longest spelling that is compared, in characters. */
const longestSpelling = 64

/**
 * Returns the field for an amount or a currency that a spelling means: `amount` for `Amount`, `amount[]`, `refund[amount]` and
 * `amp;amount`. Without it, a capture, return or change would move other money than was requested. `undefined` for other names.
 */
export const moneyField = ({ spellings }: Pick<Operation, "spellings">, spelling: string): string | undefined => {
  if (spelling.length > longestSpelling) return undefined
  for (const part of spelling.split(/[.;[\]]/)) {
    const name = moneyFields.get(letters(part))
    if (name !== undefined && spellings.has(name)) return name
  }
  return undefined
}

/**
 * Returns the fields with the blanks that were sent around their values, as a sender signs that signs before anything is trimmed.
 * Amount and currency have none, because they are converted for the signature. Returns `trimmed` if no value had blanks.
 */
export const asSent = (
  operation: Pick<Operation, "spellings">,
  parameters: ReadonlyArray<readonly [name: string, value: string]>,
  trimmed: FieldTexts
): FieldTexts => {
  let sent = trimmed
  for (const [spelling, raw] of parameters) {
    const name = operation.spellings.get(spelling)
    const isPadded =
      name !== undefined && raw !== "" && raw !== trimmed[name] && Blanks.trim(raw) === (trimmed[name] ?? "")
    if (isPadded && name !== "amount" && name !== "currency") sent = { ...sent, [name]: raw }
  }
  return sent
}

const conflict = (field: string): FieldProblem => ({
  field,
  code: codes.parameterConflict.code,
  message: `Parameter ${field} is given twice with different values`
})

/**
 * Returns a text that is equal for requests with equal content, so that a repetition can be recognised. It consists of the
 * operation and its plain fields in the order of their names, in canonical form (`10.0` as `10`). A value that counts as absent is
 * left out. Card number, expiry and
 * recipient are in {@link card}; the security code is in neither. Different contents have different texts, because the length of
 * every part precedes it.
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
    if (canonical === "") continue
    text += `${name.length}:${name}${canonical.length}:${canonical}`
  }
  return text
}

/**
 * Returns the values of the slots of the control recipe, as they are signed. The amount is converted by {@link convert}. An
 * amount that cannot be converted stays as it was sent, so that the signature is checked before the amount is refused. Absent
 * values are left out. Returns no values for an operation that is signed with OAuth.
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

/** Converts an amount to the whole number that a control contains. Fails if the amount or its currency is not valid. */
export const convert = (
  amount: string,
  { currency = "" }: FieldTexts,
  mode: ControlAmount
): Result.Result<number, Flaw> => (mode === "x100" ? Money.toHundredths(amount) : Money.toMinor(amount, currency))
