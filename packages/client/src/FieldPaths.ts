/** The groups of fields in the input of callers. The types, the values and the messages use this one table. */
import * as FieldNames from "@pay/flows/FieldNames"
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import type { FieldProblem } from "@pay/schema/Rule"
import * as Rule from "@pay/schema/Rule"

/** The groups. Each has the names of its fields, and the name that each field has in a flow. */
export const groups = {
  card: {
    number: "creditCardNumber",
    expireMonth: "expireMonth",
    expireYear: "expireYear",
    cvv: "cvv2",
    holder: "cardPrintedName"
  },
  customer: {
    firstName: "firstName",
    lastName: "lastName",
    email: "email",
    phone: "phone",
    cellPhone: "cellPhone",
    address1: "address1",
    city: "city",
    zipCode: "zipCode",
    state: "state",
    country: "country",
    birthday: "birthday",
    ssn: "ssn",
    ipAddress: "ipAddress"
  },
  browser: {
    info: "customerBrowserInfo",
    acceptHeader: "customerBrowserAcceptHeader",
    acceptLanguage: "customerBrowserAcceptLanguage",
    userAgent: "customerBrowserUserAgent",
    colorDepth: "customerBrowserColorDepth",
    screenHeight: "customerBrowserScreenHeight",
    screenWidth: "customerBrowserScreenWidth",
    timeZone: "customerBrowserTimeZone",
    javaEnabled: "customerBrowserJavaEnabled",
    javascriptEnabled: "customerBrowserJavascriptEnabled"
  }
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Fields outside of groups that have another name than in a flow. */
const renames = { reason: "comment" } as const

/** The path of each field of a flow in the input: `card.number`. Fields that are not in this map keep their name. */
const paths: ReadonlyMap<string, string> = new Map([
  ...Object.entries(groups).flatMap(([group, names]) =>
    Object.entries(names).map(([name, field]) => [field, `${group}.${name}`] as const)
  ),
  ...Object.entries(renames).map(([name, field]) => [field, name] as const)
])

/** The field of a flow by its path in the input. */
const fields: ReadonlyMap<string, string> = new Map([...paths].map(([field, path]) => [path, field]))

/** Returns the values of one group, by their names in the group. */
export const groupOf = <A>(
  group: keyof typeof groups,
  values: Readonly<Record<string, A>>
): Readonly<Record<string, A>> =>
  Object.fromEntries(
    Object.entries(groups[group]).flatMap(([name, field]) => {
      const value = values[field]
      return value === undefined ? [] : [[name, value] as const]
    })
  )

/**
 * Whether the fields of an operation are grouped. Those of payouts are not: a recipient is neither the customer nor the payer's
 * card.
 */
const isGrouped = (operation: Operation): boolean =>
  ![...operation.infos.values()].some(({ kind }) => kind === "recipient")

/** Returns the path of a flow's field in the input. */
export const pathOf = (operation: Operation, field: string): string =>
  isGrouped(operation) || !(paths.get(field) ?? "").includes(".") ? (paths.get(field) ?? field) : field

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the values by their paths. A group that is not an object stays as it is, so that it is refused under its name. */
const byPath = (
  input: Readonly<Record<string, unknown>>,
  isGroupedHere: boolean
): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(input).flatMap(([name, value]) =>
    isGroupedHere && Object.hasOwn(groups, name) && isGroup(value)
      ? Object.entries(value).map(([part, each]) => [`${name}.${part}`, each] as const)
      : [[name, value] as const]
  )

type Described = Parameters<typeof Field.infoIn>[0]

/**
 * Converts a number or a boolean to text, if the contract has a value of this type in the field. An amount is not converted,
 * because a number is not exact. A fact of a browser may have any value: one that cannot be text is left out.
 */
const textOf = (schema: Described | undefined, value: unknown): unknown => {
  const info = schema === undefined ? undefined : Field.infoIn(schema)
  if (info?.hint === "always") return typeof value === "object" ? "" : String(value)
  if (typeof value !== "number" && typeof value !== "boolean") return value
  return info !== undefined && typeof info.translation.decode(info.sample) === typeof value ? String(value) : value
}

/** Returns the values of the input by the names of the flow's fields, as text. */
export const toFields = (
  operation: Operation,
  schemas: Readonly<Record<string, Described>>,
  input: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    byPath(input, isGrouped(operation)).flatMap(([path, value]) => {
      const name = fields.get(path) ?? path
      return value === undefined ? [] : [[name, textOf(schemas[name], value)] as const]
    })
  )

/**
 * Returns the problems of fields that are outside of their group or have the specification's name. The message has the right
 * path.
 */
export const misplaced = (
  operation: Operation,
  schemas: Readonly<Record<string, Described>>,
  input: Readonly<Record<string, unknown>>
): ReadonlyArray<FieldProblem> =>
  Object.keys(input).flatMap((name) => {
    const field = FieldNames.of(name)
    const path = pathOf(operation, field)
    return path === name || !Object.hasOwn(schemas, field)
      ? []
      : [Rule.invalid(name, `has another name: write ${path}`)]
  })

const isAmount = (name: string): boolean => name === "amount"

const isGroupName = (name: string): name is keyof typeof groups => Object.hasOwn(groups, name)

/** Returns the names that the operation accepts in a group: `number, expireMonth, expireYear, cvv, holder`. */
const namesIn = (operation: Operation, group: keyof typeof groups): string => {
  const fieldNames = new Set([...operation.infos.keys()].map(FieldNames.of))
  return Object.entries(groups[group])
    .flatMap(([name, field]) => (fieldNames.has(field) ? [name] : []))
    .join(", ")
}

/**
 * Returns the message about a group that is not an object, or about a name that the group does not have. `undefined` for other
 * paths.
 */
const wrongGroup = (operation: Operation, path: string, message: string): string | undefined => {
  const [group = "", part] = path.split(".")
  if (!isGroupName(group) || !isGrouped(operation)) return undefined
  if (part === undefined) return `Parameter ${path} must be an object with ${namesIn(operation, group)}`
  return fields.has(path) ? undefined : `${message}: ${group} has ${namesIn(operation, group)}`
}

/** Returns the problem with the path of the input. The message says what to write instead. */
export const inProblem =
  (operation: Operation, input: Readonly<Record<string, unknown>>) =>
  ({ code, field, message }: FieldProblem): FieldProblem => {
    const path = pathOf(operation, field)
    const renamed = message.replaceAll(/[\w.-]+/g, (word) => (word === field ? path : pathOf(operation, word)))
    const isNumber = isAmount(field) && typeof input[field] === "number"
    return {
      code,
      field: path,
      message: isNumber
        ? `Parameter ${path} must be text, like "10.00", because a number is not exact`
        : (wrongGroup(operation, path, renamed) ?? renamed)
    }
  }
