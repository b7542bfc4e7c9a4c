/**
 * Names of the fields that flows take. One rule makes them from the specification's names: `order_desc` is `orderDesc`, and
 * `recurring-payment-id` is `recurringPaymentId`. Requests to the gateway keep the specification's names.
 */
import type { Operation } from "@pay/schema/Operation"
import type { FieldProblem } from "@pay/schema/Rule"

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

const isIrregular = (wire: string): wire is keyof Irregular => Object.hasOwn(irregular, wire)

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

/**
 * Returns the same values under the names that flows use. A decoded request becomes the payload of a flow, and the fields of an
 * operation become the fields of a payload.
 */
export const renamed = <T extends object>(wire: T): Renamed<T> => {
  const result = Object.fromEntries(Object.entries(wire).map(([name, value]) => [of(name), value]))
  if (isRenamed(wire, result)) return result
  throw new TypeError(`two of these fields have the same name: ${Object.keys(wire).join(", ")}`)
}

/** The names of the fields of one operation: in flows and in the specification, as maps in both directions. */
interface Names {
  readonly wireNames: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

const operationNames = new WeakMap<Operation, Names>()

const namesOf = (operation: Operation): Names => {
  const wire = [...operation.infos.keys()]
  const names = operationNames.get(operation) ?? {
    wireNames: new Map(wire.map((name) => [of(name), name])),
    names: new Map(wire.map((name) => [name, of(name)]))
  }
  operationNames.set(operation, names)
  return names
}

/** Returns the request of an operation from the payload of a flow. */
export const requestOf = <A>(operation: Operation, payload: Readonly<Record<string, A>>): Record<string, A> => {
  const { wireNames } = namesOf(operation)
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [wireNames.get(name) ?? name, value]))
}

/** Returns a text about fields of an operation with the names that flows use. */
export const inText = (operation: Operation, text: string): string => {
  const { names } = namesOf(operation)
  return text.replace(/[\w-]+/g, (word) => names.get(word) ?? word)
}

/** Returns a problem of a request with the names that flows use. */
export const inProblem = (operation: Operation, { code, field, message }: FieldProblem): FieldProblem => ({
  code,
  field: of(field),
  message: inText(operation, message)
})
