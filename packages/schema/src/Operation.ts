/**
 * One value per operation of the specification. Client method, signature, server route, decoding, command line and
 * documents are derived from it; nothing repeats a path, a field name or a recipe.
 */
import { Result, Schema } from "effect"
import type { Acts } from "./Acts.ts"
import * as Field from "./Field.ts"
import type { FieldProblem, FieldTexts, Rule } from "./Rule.ts"
import * as Rules from "./Rule.ts"
import type { Scheme } from "./Scheme.ts"

export type { FieldProblem, FieldTexts } from "./Rule.ts"

export type Fields = { readonly [wireName: string]: Field.Field }

/** The schema of a decoded JSON answer. */
export type Response = Schema.ConstraintCodec<unknown, unknown>

export interface Operation<Name extends string = string, F extends Fields = Fields, R extends Response = Response> {
  /** The specification's operation name: `CAPTURE`. */
  readonly name: Name
  /** Without the endpoint id: `/api/v2/capture`. */
  readonly path: string
  /** The shortest unambiguous public name, for the command line and documents: `capture`, `v4/payout`. */
  readonly command: string
  readonly summary: string
  readonly signing: Scheme
  readonly acts: Acts
  /** Primary wire names and their schemas, without `control` and `oauth_*`. */
  readonly fields: F
  readonly request: Schema.Struct<F>
  readonly response: R
  /** Other accepted spellings and the primary name each stands for. */
  readonly aliases: Readonly<Record<string, string>>
  readonly rules: ReadonlyArray<Rule>
  /** Every accepted spelling and its primary name. */
  readonly spellings: ReadonlyMap<string, string>
  /** Names of the plain fields in order, and of those with card number or expiry. */
  readonly plainNames: ReadonlyArray<string>
  readonly cardNames: ReadonlyArray<string>
  /** Facts of every field by primary name. */
  readonly infos: ReadonlyMap<string, Field.Info>
  /** See {@link decode} of this module. */
  decodeFields(fields: FieldTexts): Result.Result<this["request"]["Type"], ReadonlyArray<FieldProblem>>
  /** See {@link encode} of this module. */
  encodeRequest(request: this["request"]["Type"]): FieldTexts
}

/** A decoded request. */
export type Request<O extends Operation> = O["request"]["Type"]
/** A decoded answer. */
export type Answer<O extends Operation> = O["response"]["Type"]

type Slot<F extends Fields> = Extract<keyof F, string> | "login" | "endpointId"

interface Options<F extends Fields, R extends Response> {
  readonly path: string
  /** Only where the path without its version is ambiguous. */
  readonly command?: string
  readonly summary: string
  readonly signing: Scheme<NoInfer<Slot<F>>>
  readonly acts: Acts
  readonly request: F
  readonly response: R
  readonly aliases?: Readonly<Record<string, NoInfer<Extract<keyof F, string>>>>
  readonly rules?: ReadonlyArray<Rule>
}

const version = /^\/api\/(?:3ds\/)?v\d+\//

/** Declares an operation. The slots of a control recipe must be fields of the request, `login` or `endpointId`. */
export const make = <const Name extends string, const F extends Fields, R extends Response>(
  name: Name,
  options: Options<F, R>
): Operation<Name, F, R> => {
  const { aliases = {}, path, request: fields, rules = [] } = options
  const request = Schema.Struct(fields)
  const infos = new Map(Object.entries(fields).map(([field, schema]) => [field, Field.info(schema)]))
  const namesOf = (kind: Field.Kind) => [...infos].flatMap(([field, info]) => (info.kind === kind ? field : [])).sort()
  const decodeStruct = Schema.decodeUnknownResult(request)
  const encodeStruct = Schema.encodeSync(request, { disableChecks: true })
  return {
    name,
    path,
    command: options.command ?? path.replace(version, ""),
    summary: options.summary,
    signing: options.signing,
    acts: options.acts,
    fields,
    request,
    response: options.response,
    aliases,
    rules,
    spellings: new Map([...Object.keys(fields).map((field) => [field, field] as const), ...Object.entries(aliases)]),
    infos,
    plainNames: namesOf("plain"),
    cardNames: namesOf("card"),
    decodeFields: (texts) => {
      const problems = rules.flatMap((rule) => rule.problems(texts))
      const decoded = decodeStruct(texts)
      if (Result.isSuccess(decoded) && problems.length === 0) return Result.succeed(decoded.success)
      return Result.fail([...flaws(fields, infos, texts), ...problems])
    },
    encodeRequest: encodeStruct
  }
}

const flaws = (fields: Fields, infos: ReadonlyMap<string, Field.Info>, texts: FieldTexts): Array<FieldProblem> => {
  const problems: Array<FieldProblem> = []
  for (const [field, info] of infos) {
    const schema = fields[field]
    const text = texts[field]
    if (text === undefined) {
      if (schema !== undefined && !Field.isOptional(schema)) problems.push(Rules.required(field))
    } else {
      const flaw = info.flaw(text)
      if (flaw !== undefined) problems.push({ field, code: flaw.code, message: `Parameter ${field} ${flaw.says}` })
    }
  }
  return problems
}

/**
 * Decodes canonical fields, prepared once per operation. Reports all problems at once: missing fields, malformed ones
 * and broken rules.
 *
 * @example Operation.decode(PayApi.operations.CAPTURE)({ login: "m", client_orderid: "1", orderid: "2" })
 */
export const decode =
  <O extends Operation>(operation: O) =>
  (fields: FieldTexts): Result.Result<Request<O>, ReadonlyArray<FieldProblem>> =>
    operation.decodeFields(fields)

/**
 * The wire text of a request, without checking lengths and rules: {@link prepare} does. Throws on a value of a type
 * that the request does not have, which TypeScript refuses.
 */
export const encode =
  <O extends Operation>(operation: O) =>
  (request: Request<O>): FieldTexts =>
    operation.encodeRequest(request)

/** The wire text of a request that the gateway will not refuse for its form; else all its problems. */
export const prepare =
  <O extends Operation>(operation: O) =>
  (request: Request<O>): Result.Result<FieldTexts, ReadonlyArray<FieldProblem>> => {
    const texts = operation.encodeRequest(request)
    return Result.map(operation.decodeFields(texts), () => texts)
  }
