/** Decodes the payload of a flow from text, and validates a payload before it is stored. All problems are reported at once. */
import * as Blanks from "@pay/schema/Blanks"
import { codes } from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import * as FieldParts from "@pay/schema/FieldParts"
import type { FieldProblem } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import { Redacted, Result, Schema, SchemaAST, Struct } from "effect"
import type { Definition, Fields, Written } from "./Definition.ts"
import * as FieldNames from "./FieldNames.ts"

type PayloadFlow<P extends Fields> = Pick<
  Definition<string, P, Written, Written, unknown>,
  "name" | "operation" | "payload"
>

/** The value of one field, with its wire text if it has one. */
interface Payload {
  readonly text?: string
  readonly value: unknown
}

type Read = (schema: Fields[string], value: unknown) => Result.Result<Payload, Field.Flaw>

/** Returns a value without a wire form. If it is a string, the rules between fields use it as its text. */
const plain = (value: unknown): Payload => (typeof value === "string" ? { text: value, value } : { value })

const wrong = (says: string): Field.Flaw => ({ code: codes.parameterInvalid.code, says })
const ofAnotherType = wrong("is not of the type of this field")

/** Reads all fields. Reports problems of single fields, unknown names, missing fields, and violated rules of the operation. */
const readAll = <P extends Fields>(
  { name: flow, operation, payload }: PayloadFlow<P>,
  input: object,
  read: Read,
  fieldOf: (name: string) => string
) => {
  const values: Record<string, unknown> = {}
  const texts: Record<string, string> = {}
  const problems: Array<FieldProblem> = []
  const fields: Fields = payload.fields
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(fields, name) ? name : fieldOf(name)
    const schema = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (schema === undefined) problems.push(Rule.invalid(name, unknownField(flow, fields, name)))
    else if (values[field] !== undefined)
      problems.push(Rule.invalid(field, "is given twice, also by the name of the specification"))
    else if (value !== undefined && !(value === "" && Field.infoIn(schema) !== undefined)) {
      const decoded = read(schema, value)
      if (Result.isFailure(decoded)) {
        const { code, says } = decoded.failure
        problems.push({ field, code, message: `Parameter ${field} ${says}` })
        // Rules see that the field is present, and never read a wrong value.
        texts[field] = ""
        continue
      }
      values[field] = decoded.success.value
      if (decoded.success.text !== undefined) texts[field] = decoded.success.text
    }
  }
  const flawed = new Set(problems.map(({ field }) => field))
  for (const [field, { ast }] of Object.entries(fields)) {
    if (values[field] === undefined && !flawed.has(field) && !SchemaAST.isOptional(ast))
      problems.push(Rule.required(field))
  }
  const whole = new Set(problems.map(({ field }) => field))
  if (operation !== undefined) {
    const request = operation.normalFields(FieldNames.requestOf(operation, texts))
    const broken = operation.rules.flatMap((rule) => rule.problems(request))
    problems.push(
      ...broken.map((problem) => FieldNames.inProblem(operation, problem)).filter(({ field }) => !whole.has(field))
    )
  }
  return { values, problems }
}

const unknownField = (flow: string, fields: Fields, name: string): string => {
  const field = FieldNames.of(name)
  return Object.hasOwn(fields, field) ? `is not a field of ${flow}: write ${field}` : `is not a field of ${flow}`
}

/** Decodes a field from text. A secret may be `Redacted` already. */
const typed: Read = (schema, input) => {
  const info = Field.infoIn(schema)
  if (info === undefined) return decodeOther(schema, input)
  const text = Redacted.isRedacted(input) ? Redacted.value(input) : input
  if (typeof text !== "string") return Result.fail(wrong("must be text"))
  const trimmed = Blanks.trim(text)
  const flaw = info.flaw(trimmed)
  return flaw === undefined
    ? Result.succeed({ text: trimmed, value: info.translation.decode(trimmed) })
    : Result.fail(flaw)
}

const decodeOther: Read = ({ ast }, input) =>
  Result.mapBoth(Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(ast))(input), {
    onSuccess: plain,
    onFailure: () => ofAnotherType
  })

/** Validates the decoded value of a field. */
const decoded: Read = (schema, value) => {
  const info = Field.infoIn(schema)
  if (info === undefined) {
    const { ast } = schema
    const isOne = Schema.is(Schema.make<Schema.Codec<unknown, unknown>>(ast))
    const whole = FieldParts.asDecoded(schema, value)
    return isOne(whole) ? Result.succeed(plain(whole)) : Result.fail(ofAnotherType)
  }
  return Result.flatMap(Field.textOf(info, value), (text) => {
    const flaw = info.flaw(text)
    return flaw === undefined ? Result.succeed({ text, value: FieldParts.asDecoded(schema, value) }) : Result.fail(flaw)
  })
}

/**
 * Decodes the payload of a flow from text. The names may be those of flows or those of the specification. Other names are refused.
 *
 * @example FlowPayload.decode(CardSale, { clientOrderId: "902B4FF5", amount: "10.42", … })
 */
export const decode = <P extends Fields>(
  flow: PayloadFlow<P>,
  input: object
): Result.Result<Schema.Struct.Type<P>, ReadonlyArray<FieldProblem>> =>
  whole(flow, readAll(flow, input, typed, FieldNames.of))

/**
 * Decodes some fields of a flow's payload from a form. Other fields of the form are ignored, so that the program adds them as typed
 * values.
 *
 * @example FlowPayload.decodeFields(CardSale, ["email", "address1", "city", "zipCode", "country"], form)
 */
export const decodeFields = <P extends Fields, const Name extends keyof P & string>(
  { name, operation, payload }: PayloadFlow<P>,
  names: ReadonlyArray<Name>,
  form: Readonly<Record<string, unknown>>
): Result.Result<Schema.Struct.Type<Pick<P, Name>>, ReadonlyArray<FieldProblem>> => {
  const part = { name, payload: Schema.Struct(Struct.pick(payload.fields, names)), ...(operation && { operation }) }
  const isOwn = (field: string): boolean => Object.hasOwn(part.payload.fields, field)
  const { problems, values } = readAll(part, form, typed, (field) => field)
  // Other fields belong to the page, or are added by the program.
  return whole(part, { values, problems: problems.filter(({ field }) => isOwn(field)) })
}

/**
 * Validates a decoded payload, because types cannot express all rules, and returns it without the fields that are `undefined`.
 */
export const fit = <P extends Fields>(
  flow: PayloadFlow<P>,
  payload: object
): Result.Result<Schema.Struct.Type<P>, ReadonlyArray<FieldProblem>> =>
  whole(
    flow,
    readAll(flow, payload, decoded, (name) => name)
  )

const whole = <P extends Fields>(
  flow: PayloadFlow<P>,
  { problems, values }: ReturnType<typeof readAll>
): Result.Result<Schema.Struct.Type<P>, ReadonlyArray<FieldProblem>> => {
  if (problems.length > 0) return Result.fail(problems)
  const isPayload = Schema.is(flow.payload)
  return isPayload(values)
    ? Result.succeed(values)
    : Result.fail([Rule.invalid("payload", `is not one of ${flow.name}`)])
}
