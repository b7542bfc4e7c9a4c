/**
 * One value per operation of the specification. Client method, signature, server route, decoding, command line and
 * documents are derived from it; nothing repeats a path, a field name or a recipe.
 */
import { Result, Schema } from "effect"
import type { Acts } from "./Acts.ts"
import * as CardText from "./CardText.ts"
import * as Characters from "./Characters.ts"
import type { Dialect } from "./Dialect.ts"
import * as Field from "./Field.ts"
import type { FieldProblem, FieldTexts, Rule } from "./Rule.ts"
import * as Rules from "./Rule.ts"
import type { Scheme } from "./Scheme.ts"

export type { FieldProblem, FieldTexts } from "./Rule.ts"

/** The fields of a request by primary wire name. */
export type Fields = { readonly [wireName: string]: Field.Field }

/** The source of an operation: the specification, or public clients of its protocol family. */
export type Origin = "specification" | "family"

/** The schema of a decoded JSON answer. */
export type Response = Schema.ConstraintCodec<unknown, unknown>

/** One operation of the contract, with everything that client, server and documents need. */
export interface Operation<Name extends string = string, F extends Fields = Fields, R extends Response = Response> {
  /** The specification's operation name: `CAPTURE`. */
  readonly name: Name
  /** The path without the endpoint id: `/api/v2/capture`. */
  readonly path: string
  /** The shortest unambiguous public name, for the command line and documents: `capture`, `v4/payout`. */
  readonly command: string
  /** The specification's name of the request schema: `CaptureRequest`. */
  readonly requestName: string
  readonly summary: string
  readonly origin: Origin
  readonly signing: Scheme
  readonly acts: Acts
  /** The form of the answer to a request of the older dialect. Version 4 answers in JSON whatever the request accepts. */
  readonly olderAnswer: Dialect
  /** Primary wire names and their schemas, without `control` and `oauth_*`. */
  readonly fields: F
  readonly request: Schema.Struct<F>
  readonly response: R
  /** Other accepted spellings and the primary name each stands for. */
  readonly aliases: Readonly<Record<string, string>>
  readonly rules: ReadonlyArray<Rule>
  /** Every accepted spelling and its primary name. */
  readonly spellings: ReadonlyMap<string, string>
  /** Names of the plain fields, sorted. */
  readonly plainNames: ReadonlyArray<string>
  /** Names of the fields with a card number, an expiry or a recipient, sorted. */
  readonly cardNames: ReadonlyArray<string>
  /** Facts of every field by primary name. */
  readonly infos: ReadonlyMap<string, Field.Info>
  /** Returns the fields in their normal forms (see `normal` of `Field.Info`). */
  normalFields(fields: FieldTexts): FieldTexts
  /** See {@link decode} of this module. The default dialect is `json`. */
  decodeFields(
    fields: FieldTexts,
    dialect?: Dialect
  ): Result.Result<this["request"]["Type"], ReadonlyArray<FieldProblem>>
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
  /** Set only if the path without its version is ambiguous. */
  readonly command?: string
  /** Set only if the specification's name does not follow from the path. */
  readonly requestName?: string
  readonly summary: string
  /** Set only for operations that the specification does not name. */
  readonly origin?: Origin
  readonly signing: Scheme<NoInfer<Slot<F>>>
  readonly acts: Acts
  /** Set only if the answer differs from those of the other operations of the version. */
  readonly olderAnswer?: Dialect
  readonly request: F
  readonly response: R
  readonly aliases?: Readonly<Record<string, NoInfer<Extract<keyof F, string>>>>
  readonly rules?: ReadonlyArray<Rule>
}

/** Returns the name of the request schema: `SaleFormRequest` for `sale-form`. */
const requestNameOf = (path: string): string =>
  `${path.replaceAll(/(?:^|[-/])(.)/g, (_, letter: string) => letter.toUpperCase())}Request`

const version = /^\/api\/(?:3ds\/)?v\d+\//

/**
 * The three spellings of the merchant's order id in the specification and on public pages. Every operation accepts all of them.
 */
export const clientOrderNames = ["client_orderid", "client-order-id", "client-orderid"] as const
export type ClientOrderName = (typeof clientOrderNames)[number]

/**
 * Returns the merchant's order id of a canonical request with the field that contains it. `undefined` if the request has none.
 */
export const clientOrder = (
  fields: {
    readonly [Name in ClientOrderName]?: string | undefined
  }
): { readonly field: ClientOrderName; readonly id: string } | undefined => {
  for (const field of clientOrderNames) {
    const id = fields[field]
    if (id !== undefined) return { field, id }
  }
  return undefined
}

const orderIdAliases = (fields: Fields): Record<string, string> => {
  const primary = clientOrderNames.find((name) => name in fields)
  return primary === undefined
    ? {}
    : Object.fromEntries(clientOrderNames.filter((name) => name !== primary).map((name) => [name, primary]))
}

/** Declares an operation. The slots of a control recipe must be fields of the request, `login` or `endpointId`. */
export const make = <const Name extends string, const F extends Fields, R extends Response>(
  name: Name,
  options: Options<F, R>
): Operation<Name, F, R> => {
  const { path, request: fields } = options
  const aliases = { ...orderIdAliases(fields), ...options.aliases }
  const request = Schema.Struct(fields)
  const infos = new Map(Object.entries(fields).map(([field, schema]) => [field, Field.info(schema)]))
  const namesOf = (kind: Field.Kind) => [...infos].flatMap(([field, info]) => (info.kind === kind ? field : [])).sort()
  const numbers = namesOf("card").filter((field) => (infos.get(field)?.maxLength ?? 0) >= CardText.shortest)
  const rules = [...(options.rules ?? []), ...(numbers.length > 0 ? [Rules.noCardData(numbers, namesOf("cvv"))] : [])]
  return {
    name,
    path,
    command: options.command ?? path.replace(version, ""),
    requestName: options.requestName ?? requestNameOf(path.replace(version, "")),
    summary: options.summary,
    origin: options.origin ?? "specification",
    signing: options.signing,
    acts: options.acts,
    olderAnswer: options.olderAnswer ?? (path.startsWith("/api/v4/") ? "json" : "pairs"),
    fields,
    request,
    response: options.response,
    aliases,
    rules,
    spellings: new Map([...Object.keys(fields).map((field) => [field, field] as const), ...Object.entries(aliases)]),
    infos,
    plainNames: namesOf("plain"),
    cardNames: [...namesOf("card"), ...namesOf("recipient")].sort(),
    ...translators(fields, infos, rules)
  }
}

/**
 * Decodes and encodes with the same results as `Schema.decode` and `Schema.encode` of the request, in one loop over prepared
 * fields. The loop is several times faster and reports error codes. A test compares both.
 */
const translators = <F extends Fields>(
  fields: F,
  infos: ReadonlyMap<string, Field.Info>,
  rules: ReadonlyArray<Rule>
): Pick<Operation<string, F>, "normalFields" | "decodeFields" | "encodeRequest"> => {
  const parts = Object.entries(fields).map(([name, schema]) => ({
    name,
    info: Field.info(schema),
    optional: Field.isOptional(schema)
  }))
  const normals = parts.flatMap(({ info: { normal }, name }) => (normal === undefined ? [] : [{ name, normal }]))
  const normalFields = (texts: FieldTexts): FieldTexts => {
    let changed: Record<string, string> | undefined
    for (const { name, normal } of normals) {
      const text = texts[name]
      if (text === undefined) continue
      const form = normal(text, texts)
      if (form === text) continue
      changed ??= { ...texts }
      changed[name] = form
    }
    return changed ?? texts
  }
  return {
    normalFields,
    decodeFields: (sent, dialect = "json") => {
      const texts = normalFields(sent)
      const request: Record<string, unknown> = {}
      const problems: Array<FieldProblem> = []
      /**
       * The texts, with an empty text for each value that is too long. Rules see that the field is present and never read a long
       * value.
       */
      let short = texts
      for (const { info, name, optional } of parts) {
        const text = texts[name]
        if (text === undefined) {
          if (!optional) problems.push(Rules.required(name))
          continue
        }
        if (Characters.isLonger(text, info.maxLength)) short = { ...short, [name]: "" }
        const flaw = info.flaw(text)
        if (flaw === undefined) {
          const value = info.translation.decode(text)
          // A fact that the text does not have counts as absent.
          if (value !== undefined) request[name] = value
          // Rules read a long fact as it is stored.
          if (short[name] !== text)
            short = { ...short, [name]: value === undefined ? "" : info.translation.encode(value) }
        } else if (info.hint === undefined || dialect === "json")
          problems.push({ field: name, code: flaw.code, message: `Parameter ${name} ${flaw.says}` })
      }
      for (const rule of rules) {
        if (rule.dialect !== undefined && rule.dialect !== dialect) continue
        for (const problem of rule.problems(short)) {
          if (short[problem.field] !== "") problems.push(problem)
        }
      }
      return isWhole<F>(request, problems) ? Result.succeed(request) : Result.fail(problems)
    },
    encodeRequest: (request) => {
      const texts: Record<string, string> = {}
      for (const name in request) {
        const info = infos.get(name)
        const value: unknown = request[name]
        if (info !== undefined && value !== undefined) texts[name] = info.translation.encode(value)
      }
      return texts
    }
  }
}

/** A request without problems has every required field, each decoded by its own schema's translation. */
const isWhole = <F extends Fields>(
  _request: unknown,
  problems: ReadonlyArray<FieldProblem>
): _request is Schema.Struct.Type<F> => problems.length === 0

/**
 * Decodes canonical fields. The decoder is prepared once per operation. It reports all problems at once: missing fields,
 * malformed ones and broken rules.
 *
 * @example Operation.decode(PayApi.operations.CAPTURE)({ login: "m", client_orderid: "1", orderid: "2" })
 */
export const decode =
  <O extends Operation>(operation: O) =>
  (fields: FieldTexts): Result.Result<Request<O>, ReadonlyArray<FieldProblem>> =>
    operation.decodeFields(fields)

/**
 * Encodes a request to its wire text. Lengths and rules are not checked; {@link prepare} checks them. Throws on a value of a type
 * that the request does not have, which TypeScript refuses.
 */
export const encode =
  <O extends Operation>(operation: O) =>
  (request: Request<O>): FieldTexts =>
    operation.encodeRequest(request)

/** Encodes a request to its wire text and checks its fields and rules as the gateway does. Fails with all problems at once. */
export const prepare =
  <O extends Operation>(operation: O) =>
  (request: Request<O>): Result.Result<FieldTexts, ReadonlyArray<FieldProblem>> => {
    const texts = operation.encodeRequest(request)
    return Result.map(operation.decodeFields(texts), () => texts)
  }
