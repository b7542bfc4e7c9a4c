/**
 * Defines one value per operation of the gateway's operators. Route, typed client, command of the command line and documents are
 * derived from it, so no other place repeats a path, a field name or a flag.
 */
import { Result, Schema, SchemaIssue } from "effect"
import type { Role } from "../signin/decide/OperatorAccount.ts"

export { type Role, roles } from "../signin/decide/OperatorAccount.ts"

export type Method = "GET" | "POST"

/** Parameters are structs that need no services. */
export type Fields = { readonly [name: string]: Schema.ConstraintCodec<unknown, unknown> & Schema.Constraint }

/** Answers are objects that need no services. Keys in code may differ from the names of the fields on the wire. */
export type AnswerSchema = Schema.Codec<object, Readonly<Record<string, unknown>>>

export interface Rows<Field extends string = string, Column extends string = string> {
  /** The field of the answer that is the list. */
  readonly field: Field
  /** The columns of the table, in this order; programs get every field. */
  readonly columns: ReadonlyArray<Column>
}

/** The tables that can show an answer, with the names of the fields on the wire. */
type RowsOf<Answer> = {
  readonly [F in keyof Answer & string]: Answer[F] extends ReadonlyArray<infer Row>
    ? Rows<F, keyof Row & string>
    : never
}[keyof Answer & string]

export interface Changes {
  /** The `action` of the audit entry. */
  readonly audit: string
  /** The role that an operator needs. Undefined: everyone may, because it changes only what is their own. */
  readonly role: Role | undefined
  /**
   * `proposes`: nothing changes before a second person confirms. `confirms`: only a second person may call the operation.
   * `configurable`: the configuration may require a second person. `always`: the call is a proposal, which a second person confirms.
   */
  readonly secondPerson?: "proposes" | "confirms" | "configurable" | "always"
  /** True: it moves or ends an order, so it is refused while the gate is closed (`OrderGate`). */
  readonly movesOrders?: true
}

export interface OperatorOperation<
  Path extends string = string,
  In extends Fields = Fields,
  Out extends AnswerSchema = AnswerSchema
> {
  /** Unique name of the operation, such as `searchOrders`. */
  readonly name: string
  readonly method: Method
  /** `/operator/orders/:order`: a part after a colon is a parameter. */
  readonly path: Path
  /** How the parameters that are not in the path are sent. */
  readonly carrier: "query" | "body" | "form"
  readonly input: Schema.Struct<In>
  readonly answer: Out
  /** `csv`: the answer consists of the rows of `lines`, and `next` is the header `x-next`. */
  readonly format: "json" | "csv"
  /** The columns of CSV. */
  readonly columns: ReadonlyArray<string>
  /** The statuses that carry the answer, the usual one first. */
  readonly statuses: readonly [number, ...ReadonlyArray<number>]
  /** `undefined`: the operation only reads. */
  readonly changes: Changes | undefined
  /** The words of the command: `orders search`. */
  readonly command: string
  /** Parameters that the command takes without a flag, in this order. */
  readonly operands: ReadonlyArray<string>
  /** One sentence for documents. */
  readonly about: string
  /** The list that the command prints as a table. `undefined`: the command prints every field. */
  readonly rows: Rows | undefined
  /** The columns of lists that are printed beside the other fields. A list without an entry has all its columns. */
  readonly tables: ReadonlyArray<Rows>
  /** Name of the answer in the command's JSON. `undefined`: the fields of the answer are at the top level. */
  readonly jsonName: string | undefined
  /** Returns the line that the command prints before the fields. */
  headline(answer: this["answer"]["Encoded"]): string | undefined
  /** Returns the text that the command prints instead of the fields. */
  message(answer: this["answer"]["Encoded"]): string | undefined
}

export type Input<O extends OperatorOperation> = O["input"]["Type"]
export type Answer<O extends OperatorOperation> = O["answer"]["Type"]

type Optional =
  | "carrier"
  | "format"
  | "columns"
  | "statuses"
  | "changes"
  | "operands"
  | "rows"
  | "tables"
  | "headline"
  | "message"
  | "jsonName"

type Options<Path extends string, In extends Fields, Out extends AnswerSchema> = Omit<
  OperatorOperation<Path, In, Out>,
  "name" | Optional
> & {
  readonly [K in Exclude<Optional, "rows" | "tables" | "headline" | "message">]?: NonNullable<
    OperatorOperation<Path, In, Out>[K]
  >
} & {
  readonly rows?: RowsOf<NoInfer<Out["Encoded"]>>
  readonly tables?: ReadonlyArray<RowsOf<NoInfer<Out["Encoded"]>>>
  readonly headline?: (answer: NoInfer<Out["Encoded"]>) => string
  readonly message?: (answer: NoInfer<Out["Encoded"]>) => string
}

export const make = <const Path extends string, In extends Fields, Out extends AnswerSchema>(
  name: string,
  options: Options<Path, In, Out>
): OperatorOperation<Path, In, Out> => ({
  carrier: options.method === "GET" ? "query" : "body",
  format: "json",
  columns: [],
  statuses: [200],
  changes: undefined,
  operands: [],
  rows: undefined,
  tables: [],
  headline: () => undefined,
  message: () => undefined,
  jsonName: undefined,
  ...options,
  name
})

const pathParameter = /:(\w+)/g

/** Returns the names of the parameters in the path. */
export const pathNames = ({ path }: Pick<OperatorOperation, "path">): ReadonlyArray<string> =>
  [...path.matchAll(pathParameter)].flatMap(([, name]) => name ?? [])

/** Returns the path with values in place of its parameters. */
export const pathOf = ({ path }: Pick<OperatorOperation, "path">, values: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(pathParameter, (_, name: string) => encodeURIComponent(String(values[name])))

/** A request of an operation as it is sent: address and body, each parameter where the contract defines it. */
export interface SentRequest {
  readonly path: string
  /** The query without its `?`; empty without one. */
  readonly query: string
  /** `undefined`: the request has no body. */
  readonly body: { readonly type: string; readonly text: string } | undefined
}

export const requestOf = (operation: OperatorOperation, input: Readonly<Record<string, unknown>>): SentRequest => {
  const inPath = new Set(pathNames(operation))
  const names = Object.keys(operation.input.fields).filter((name) => !inPath.has(name))
  const rest = names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]))
  const path = pathOf(operation, input)
  const form = new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString()
  switch (operation.carrier) {
    case "query":
      return { path, query: form, body: undefined }
    case "form":
      return { path, query: "", body: { type: "application/x-www-form-urlencoded", text: form } }
    case "body": {
      const text = JSON.stringify(Object.fromEntries(rest))
      return { path, query: "", body: names.length === 0 ? undefined : { type: "application/json", text } }
    }
  }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a function that matches the method and path of a request. It returns the parameters in the path, or `undefined` for a
 * request of another operation.
 */
export const matcher = (route: Pick<OperatorOperation, "method" | "path">) => {
  const pattern = new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(pathParameter, "([^/]{1,600})")}$`)
  const names = pathNames(route)
  return (request: { readonly method: string; readonly path: string }): Record<string, string> | undefined => {
    const match = request.method === route.method ? pattern.exec(request.path) : null
    if (match === null) return undefined
    const values = match.slice(1).map(decoded)
    return values.includes(undefined)
      ? undefined
      : Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))
  }
}

const problem = (issue: { readonly message: string; readonly path?: ReadonlyArray<unknown> | undefined }): string => {
  const name = (issue.path ?? []).map((part) => (typeof part === "number" ? part + 1 : String(part))).join(".")
  const message =
    issue.message === "Missing key"
      ? "is needed"
      : issue.message === "Expected no excess property"
        ? "is not a parameter of this operation"
        : issue.message.replace(/^Expected /, "must be ").replaceAll(" | ", " or ")
  return name === "" ? message : `${name} ${message}`
}

/** Decodes the parameters of a request. The failure names each wrong parameter and contains no value. */
export const decode =
  <O extends OperatorOperation>({ input }: O) =>
  (values: Readonly<Record<string, unknown>>): Result.Result<Input<O>, string> => {
    // A struct without fields takes any object.
    const [surplus] = Object.keys(input.fields).length === 0 ? Object.keys(values) : []
    if (surplus !== undefined) return Result.fail(`${surplus} is not a parameter of this operation`)
    return Result.mapError(
      Schema.decodeUnknownResult(input, { errors: "all", onExcessProperty: "error" })(values),
      ({ issue }) => SchemaIssue.makeFormatterStandardSchemaV1()(issue).issues.map(problem).join("; ")
    )
  }
