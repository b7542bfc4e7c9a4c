/**
 * Names of the fields that flows take. One rule makes them from the specification's names: `order_desc` is `orderDesc`, and
 * `recurring-payment-id` is `recurringPaymentId`. Requests to the gateway and stored payloads keep the specification's names.
 */
import type { Fields, Operation } from "@pay/schema/Operation"
import type { FieldProblem } from "@pay/schema/Rule"
import { type Schema, SchemaAST } from "effect"

/** Names that the rule cannot split into words. */
const irregular = {
  client_orderid: "clientOrderId",
  orderid: "orderId",
  cardrefid: "cardRefId",
  ipaddress: "ipAddress"
} as const

type Irregular = typeof irregular

/** The name of a field in flows, from its name in the specification. */
export type FieldName<Wire> = Wire extends keyof Irregular
  ? Irregular[Wire]
  : Wire extends `${infer Head}${"_" | "-"}${infer Tail}`
    ? `${Head}${Capitalize<FieldName<Tail>>}`
    : Wire extends string
      ? Wire
      : never

/** An object of the specification's names, with the names that flows use. */
export type Renamed<T> = { [Wire in keyof T as FieldName<Wire>]: T[Wire] }

const isIrregular = (wire: string): wire is keyof Irregular => wire in irregular

/**
 * Returns the name that flows use for a field of the specification. Other names stay as they are.
 *
 * @example FieldNames.of("server_callback_url") // "serverCallbackUrl"
 */
export const of = (wire: string): string =>
  isIrregular(wire) ? irregular[wire] : wire.replace(/[_-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Whether the result contains each value under its new name, and no two values have the same name. */
const isRenamed = <T extends object>(wire: T, result: object): result is Renamed<T> => {
  const names = Object.keys(wire)
  return names.length === Object.keys(result).length && names.every((name) => Object.hasOwn(result, of(name)))
}

const rename = <T extends object>(wire: T, change: (name: string, value: unknown) => unknown): Renamed<T> => {
  const result = Object.fromEntries(Object.entries(wire).map(([name, value]) => [of(name), change(name, value)]))
  if (isRenamed(wire, result)) return result
  throw new TypeError(`two of these fields have the same name: ${Object.keys(wire).join(", ")}`)
}

/** Returns the values of a decoded request under the names that flows use, which is the payload of a flow. */
export const renamed = <T extends object>(wire: T): Renamed<T> => rename(wire, (_, value) => value)

const annotation = "@pay/flows/wireName"

/** Returns the schema of a field of a payload that is stored under the specification's name. */
export const storedAs = <S extends Schema.Top>(wire: string, schema: S): S["Rebuild"] =>
  schema.annotate({ [annotation]: wire })

/** Returns the fields of an operation for the payload of a flow. Each field remembers the specification's name. */
export const fieldsOf = <F extends Fields>(fields: F): Renamed<F> =>
  rename(fields, (wire) => {
    const schema = fields[wire]
    return schema !== undefined && isTop(schema) ? storedAs(wire, schema) : schema
  })

/** Narrows the type of a field. Each schema that `Field` makes can be annotated, but its type does not show it. */
const isTop = (schema: Fields[string]): schema is Fields[string] & Schema.Top => "annotate" in schema

/** Returns the specification's name of a field of a payload, or its own name if the specification has none. */
const wireNameOf = (name: string, schema: { readonly ast: SchemaAST.AST } | undefined): string =>
  (schema === undefined ? undefined : SchemaAST.resolveAt<string>(annotation)(schema.ast)) ?? name

/** The names of the fields of one payload: in flows and in the specification, as maps in both directions. */
export interface Names {
  readonly wireNames: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

const payloadNames = new WeakMap<object, Names>()

/** Returns the names of the fields of a payload, and the names under which they are stored. */
export const namesOf = (fields: Schema.Struct.Fields): Names => {
  const names =
    payloadNames.get(fields) ??
    bothWays(Object.entries(fields).map(([name, schema]) => [name, wireNameOf(name, schema)]))
  payloadNames.set(fields, names)
  return names
}

const bothWays = (pairs: ReadonlyArray<readonly [string, string]>): Names => ({
  wireNames: new Map(pairs),
  names: new Map(pairs.map(([name, wire]) => [wire, name]))
})

/** Returns the same values with other names, and names that are not listed as they are. */
export const withNames = (names: ReadonlyMap<string, string>, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]))

const requestNames = new WeakMap<Operation, Names>()

const namesOfOperation = (operation: Operation): Names => {
  const names = requestNames.get(operation) ?? bothWays([...operation.infos.keys()].map((wire) => [of(wire), wire]))
  requestNames.set(operation, names)
  return names
}

/** Returns the request of an operation from the payload of a flow. */
export const requestOf = (operation: Operation, payload: object): Record<string, unknown> =>
  withNames(namesOfOperation(operation).wireNames, payload)

/** Returns a text about fields of an operation with the names that flows use. */
export const inText = (operation: Operation, text: string): string => {
  const { names } = namesOfOperation(operation)
  return text.replace(/[\w-]+/g, (word) => names.get(word) ?? word)
}

/** Returns a problem of a request with the names that flows use. */
export const inProblem = (operation: Operation, { code, field, message }: FieldProblem): FieldProblem => ({
  code,
  field: of(field),
  message: inText(operation, message)
})
