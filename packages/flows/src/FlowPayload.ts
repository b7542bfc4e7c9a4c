/** What a flow is asked for: read from what somebody typed, or checked before it is written down. All problems at once. */
import { codes } from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import type { FieldProblem } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import { Redacted, Result, Schema, SchemaAST } from "effect"
import * as FieldNames from "./FieldNames.ts"
import type { Fields, Flow, Written } from "./Flow.ts"

type PayloadFlow<P extends Fields> = Pick<Flow<string, P, Written, Written, unknown>, "name" | "operation" | "payload">

/** What one field holds: its wire text where it has one, and its value. */
interface Payload {
  readonly text?: string
  readonly value: unknown
}

type Read = (schema: Fields[string], value: unknown) => Result.Result<Payload, Field.Flaw>

/** A field without wire text of its own counts for the rules between fields by the text that it holds. */
const plain = (value: unknown): Payload => (typeof value === "string" ? { text: value, value } : { value })

const wrong = (says: string): Field.Flaw => ({ code: codes.parameterInvalid.code, says })
const ofAnotherType = wrong("is not of the type of this field")

/** Problems of single fields, of names that are none of its fields, and of the rules of its operation. */
const readAll = <P extends Fields>(
  { name: flow, operation, payload }: PayloadFlow<P>,
  given: object,
  read: Read,
  { names, wireNames }: FieldNames.Names
) => {
  const values: Record<string, unknown> = {}
  const texts: Record<string, string> = {}
  const problems: Array<FieldProblem> = []
  const fields: Fields = payload.fields
  for (const [name, value] of Object.entries(given)) {
    const field = names.get(name) ?? name
    const schema = fields[field]
    if (schema === undefined) problems.push(Rule.invalid(name, unknownField(flow, fields, name)))
    else if (values[field] !== undefined)
      problems.push(Rule.invalid(field, "is given twice, also by the name of the specification"))
    else if (value !== undefined && !(value === "" && Field.infoIn(schema) !== undefined)) {
      const decoded = read(schema, value)
      if (Result.isFailure(decoded)) {
        const { code, says } = decoded.failure
        problems.push({ field, code, message: `Parameter ${field} ${says}` })
        continue
      }
      values[field] = decoded.success.value
      if (decoded.success.text !== undefined) texts[wireNames.get(field) ?? field] = decoded.success.text
    }
  }
  const flawed = new Set(problems.map(({ field }) => field))
  for (const [field, { ast }] of Object.entries(fields)) {
    if (values[field] === undefined && !flawed.has(field) && !SchemaAST.isOptional(ast))
      problems.push(Rule.required(field))
  }
  const whole = new Set(problems.map(({ field }) => field))
  if (operation !== undefined) {
    const broken = operation.rules.flatMap((rule) => rule.problems(texts))
    problems.push(
      ...broken.map((problem) => FieldNames.inProblem(operation, problem)).filter(({ field }) => !whole.has(field))
    )
  }
  return { values, problems }
}

const unknownField = (flow: string, fields: Fields, name: string): string => {
  const field = FieldNames.of(name)
  return fields[field] === undefined ? `is no field of ${flow}` : `is no field of ${flow}: write ${field}`
}

/** Text as it is typed; a secret may be `Redacted` already. */
const typed: Read = (schema, given) => {
  const info = Field.infoIn(schema)
  if (info === undefined) return decodeOther(schema, given)
  const text = Redacted.isRedacted(given) ? Redacted.value(given) : given
  if (typeof text !== "string") return Result.fail(wrong("must be text"))
  const trimmed = text.trim()
  const flaw = info.flaw(trimmed)
  return flaw === undefined
    ? Result.succeed({ text: trimmed, value: info.translation.decode(trimmed) })
    : Result.fail(flaw)
}

const decodeOther: Read = ({ ast }, given) =>
  Result.mapBoth(Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(ast))(given), {
    onSuccess: plain,
    onFailure: () => ofAnotherType
  })

/** A value as TypeScript would have it. */
const decoded: Read = (schema, value) => {
  const info = Field.infoIn(schema)
  if (info === undefined) {
    const { ast } = schema
    const isOne = Schema.is(Schema.make<Schema.Codec<unknown, unknown>>(ast))
    return isOne(value) ? Result.succeed(plain(value)) : Result.fail(ofAnotherType)
  }
  return Result.flatMap(Field.textOf(info, value), (text) => {
    const flaw = info.flaw(text)
    return flaw === undefined ? Result.succeed({ text, value }) : Result.fail(flaw)
  })
}

/**
 * Reads the payload from text, by the names of its fields or by the specification's. Other names are refused.
 *
 * @example FlowPayload.decode(CardSale, { clientOrderId: "902B4FF5", amount: "10.42", … })
 */
export const decode = <P extends Fields>(
  flow: PayloadFlow<P>,
  given: Readonly<Record<string, unknown>>
): Result.Result<Schema.Struct.Type<P>, ReadonlyArray<FieldProblem>> => {
  const { problems, values } = readAll(flow, given, typed, FieldNames.namesOf(flow.payload.fields))
  if (problems.length > 0) return Result.fail(problems)
  const isPayload = Schema.is(flow.payload)
  return isPayload(values)
    ? Result.succeed(values)
    : Result.fail([Rule.invalid("payload", `is not one of ${flow.name}`)])
}

/** What is wrong with a payload, which TypeScript may not have seen or cannot see. None where it may be written down. */
export const problemsOf = <P extends Fields>(flow: PayloadFlow<P>, payload: object): ReadonlyArray<FieldProblem> =>
  readAll(flow, payload, decoded, { ...FieldNames.namesOf(flow.payload.fields), names: new Map() }).problems
