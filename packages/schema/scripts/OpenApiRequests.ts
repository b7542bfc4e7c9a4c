/** The requests of the operations as schemas of OpenAPI. Each field is described once and referred to. */
import * as Field from "../src/Field.ts"
import type { Operation } from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"

/** A JSON object of the document. */
export interface Node {
  readonly [key: string]: unknown
}

/** Returns a reference to a schema of the document. */
export const reference = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

const keyOf = (name: string): string => `field.${name}`

const control: Node = {
  type: "string",
  description: "SHA-1 over the values of x-pay-signing.recipe and the merchant's control key: 40 hex digits.",
  pattern: "^[0-9A-Fa-f]{40}$"
}

const property = (operation: Operation, name: string, info: Field.Info): Node => {
  const others = Object.keys(operation.aliases).filter((alias) => operation.aliases[alias] === name)
  const also = others.length === 0 ? "" : ` Also accepted as ${others.map((alias) => `\`${alias}\``).join(", ")}.`
  return {
    type: "string",
    description: info.about + also,
    ...(info.json.enum === undefined ? { maxLength: info.maxLength } : {}),
    ...info.json,
    examples: [info.sample]
  }
}

const properties = (operation: Operation): ReadonlyArray<readonly [name: string, schema: Node]> => [
  ...[...operation.infos].map(([name, info]) => [name, property(operation, name, info)] as const),
  ...(operation.signing._tag === "Control" ? [["control", control] as const] : [])
]

/** The fields by name, each as the first operation that has it describes it. */
const fields: ReadonlyMap<string, Node> = new Map(
  [...Map.groupBy(PayApi.all.flatMap(properties), ([name]) => name).values()].flatMap(([first]) =>
    first === undefined ? [] : [first]
  )
)

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A field that an operation describes otherwise than the first one is written out. */
const request = (operation: Operation): Node => {
  const required = Object.entries(operation.fields).flatMap(([name, field]) => (Field.isOptional(field) ? [] : [name]))
  const described = properties(operation).map(([name, schema]) => [
    name,
    isEqual(fields.get(name), schema) ? reference(keyOf(name)) : schema
  ])
  return {
    type: "object",
    properties: Object.fromEntries(described),
    required: [...required, ...(operation.signing._tag === "Control" ? ["control"] : [])]
  }
}

/** Returns the schemas by name. A request that is equal to an earlier one refers to it. */
export const schemas = (): Node => {
  const requests = PayApi.all.map((operation) => [operation.requestName, request(operation)] as const)
  const written = requests.map(([name, schema]) => {
    const [first = name] = requests.find(([, other]) => isEqual(other, schema)) ?? []
    return [name, first === name ? schema : reference(first)]
  })
  const described = [...fields].map(([name, schema]) => [keyOf(name), schema])
  return Object.fromEntries([...written, ...described])
}
