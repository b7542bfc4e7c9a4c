/** The types of the client's inputs and answers, written from the contract and the flows, with the text that an editor shows. */
import { of } from "@pay/flows/FieldNames"
import { OrderStatus } from "@pay/flows/OrderStatus"
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { methodName } from "@pay/transport/PayClient"
import { SchemaAST } from "effect"
import * as FieldPaths from "../src/FieldPaths.ts"
import * as FlowTable from "../src/FlowTable.ts"

const header = "// Written by `npm run docs` from the contract. Do not edit.\n"

interface Property {
  readonly name: string
  readonly about: string
  readonly type: string
  readonly isOptional: boolean
}

interface Described {
  readonly ast: SchemaAST.AST
}

const description = SchemaAST.resolveAt<string>("description")

const literals = (words: ReadonlyArray<string>) => words.map((word) => JSON.stringify(word)).join(" | ")

const typeOf = (schema: Described): string => {
  const info = Field.infoIn(schema)
  if (info === undefined) return "string"
  const kind = typeof info.translation.decode(info.sample)
  if (kind === "number") return "number | string"
  if (kind === "boolean") return "boolean"
  return info.json.enum === undefined ? "string" : literals(info.json.enum)
}

const pathsIn = (operation: Operation, text: string): string =>
  text.replaceAll(/`([\w-]+)`/g, (all, name: string) =>
    operation.infos.has(name) ? `\`${FieldPaths.pathOf(operation, of(name))}\`` : all
  )

/** The fields of an input by their paths: `card.number`. */
const propertiesOf = (
  operation: Operation,
  fields: Readonly<Record<string, Described>>,
  without: ReadonlyArray<string>
): ReadonlyArray<Property> =>
  Object.entries(fields).flatMap(([name, schema]) =>
    without.includes(name)
      ? []
      : {
          name: FieldPaths.pathOf(operation, name),
          about: pathsIn(operation, description(schema.ast) ?? ""),
          type: typeOf(schema),
          isOptional: SchemaAST.isOptional(schema.ast) || name === "orderDesc"
        }
  )

/** Every field once, by the interface that it stands in and its name. */
const shared = new Map<string, Map<string, Property>>()

const interfaceOf = (path: string) => {
  const [group = "", name] = path.split(".")
  return name === undefined
    ? { group: "Fields", name: group }
    : { group: `${group[0]?.toUpperCase()}${group.slice(1)}`, name }
}

/** Whether the field is in its interface. Another field of the same name and another type came first, if not. */
const isShared = (property: Property): boolean => {
  const { group, name } = interfaceOf(property.name)
  const members = shared.get(group) ?? new Map<string, Property>()
  shared.set(group, members)
  const existing = members.get(name) ?? { ...property, name }
  members.set(name, existing)
  return existing.type === property.type
}

const names = (properties: ReadonlyArray<Property>) =>
  properties.length === 0 ? "never" : literals(properties.map(({ name }) => interfaceOf(name).name))

const some = (group: string, properties: ReadonlyArray<Property>): string => {
  const optional = properties.filter(({ isOptional }) => isOptional)
  const required = properties.filter(({ isOptional }) => !isOptional)
  return `Some<${group}, ${names(required)}${optional.length === 0 ? "" : `, ${names(optional)}`}>`
}

/** The type of an input: its own fields, and its groups. */
const inputOf = (all: ReadonlyArray<Property>): string => {
  const properties = all.filter(isShared)
  const groups = Map.groupBy(properties, ({ name }) => interfaceOf(name).group)
  const own = groups.get("Fields") ?? []
  const parts = [...groups].flatMap(([group, members]) => {
    if (group === "Fields") return []
    const isOptional = members.every((member) => member.isOptional)
    return [
      `readonly ${group.toLowerCase()}${isOptional ? "?" : ""}: ${some(group, members)}${isOptional ? " | undefined" : ""}`
    ]
  })
  for (const { isOptional, name, type } of all.filter((property) => !properties.includes(property)))
    parts.push(`readonly ${name}${isOptional ? "?" : ""}: ${type}${isOptional ? " | undefined" : ""}`)
  return parts.length === 0 ? some("Fields", own) : `${some("Fields", own)} & { ${parts.join("; ")} }`
}

const comment = (text: string, indent = "  "): string => `${indent}/** ${text.replaceAll("*/", "*\\/")} */`

/** The type of what a flow ends with. */
const outputOf = ({ isOrder, success }: FlowTable.Row): string => {
  if (isOrder) return "{ readonly order: Order }"
  const { ast } = success
  const properties = SchemaAST.isObjects(ast) ? ast.propertySignatures : []
  const members = properties.map(({ name, type }) => {
    const mark = SchemaAST.isOptional(type) ? "?" : ""
    return `readonly ${String(name)}${mark}: ${type === OrderStatus.ast ? "Order" : "string"}`
  })
  return `{ ${members.join("; ")} }`
}

const ofOrder = ["clientOrderId", "orderId"]

const rows = (table: Readonly<Record<string, FlowTable.Row>>, write: (row: FlowTable.Row) => string): string =>
  Object.entries(table)
    .map(([name, row]) => `${comment(row.summary)}\n  ${name}: ${write(row)}`)
    .join("\n")

const flowInputs = rows(FlowTable.flows, ({ fields, operation }) => inputOf(propertiesOf(operation, fields, [])))
const actionInputs = rows(FlowTable.actions, ({ fields, operation }) =>
  inputOf(propertiesOf(operation, fields, ofOrder))
)
const hostedInputs = rows(FlowTable.hosted, ({ fields, operation }) => inputOf(propertiesOf(operation, fields, [])))
const outputs = (table: Readonly<Record<string, FlowTable.Row>>) => rows(table, outputOf)

const camel = (fields: Operation["fields"]): Readonly<Record<string, Described>> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [of(name), schema]))

const apiInputs = PayApi.all
  .map((operation) => {
    const properties = propertiesOf(operation, camel(operation.fields), ["login"])
    return `${comment(operation.summary)}\n  ${methodName(operation.name)}: ${inputOf(properties)}`
  })
  .join("\n")

/** Answers are text. */
const answers = new Map<string, { readonly name: string; readonly about: string }>()

const answerOf = ({ response: { ast } }: Operation): string => {
  const properties = SchemaAST.isObjects(ast) ? ast.propertySignatures : []
  const members = properties.map(({ name, type }) => ({
    name: of(String(name)),
    about: description(type) ?? "",
    isOptional: SchemaAST.isOptional(type),
    type: "string"
  }))
  for (const { about, name } of members) if ((answers.get(name)?.about ?? "") === "") answers.set(name, { name, about })
  return some("AnswerFields", members)
}

const apiAnswers = PayApi.all.map((operation) => `  ${methodName(operation.name)}: ${answerOf(operation)}`).join("\n")

const member = ({ about, name, type }: Property) =>
  `${about === "" ? "" : `${comment(about)}\n`}  readonly ${name}: ${type}`

const interfaces = () =>
  [...shared]
    .map(([group, members]) => `export interface ${group} {\n${[...members.values()].map(member).join("\n")}\n}\n`)
    .join("\n")

const order = SchemaAST.isObjects(OrderStatus.ast)
  ? OrderStatus.ast.propertySignatures.map(({ name, type }) => {
      const about = description(type)
      const mark = SchemaAST.isOptional(type) ? "?" : ""
      return `${about === undefined ? "" : `${comment(about)}\n`}  readonly ${String(name)}${mark}: string`
    })
  : []

const fields = () => `${header}
/** Fields of \`T\`: the \`Required\` ones must be present, the \`Optional\` ones may be absent. */
export type Some<T, Required extends keyof T, Optional extends keyof T = never> = Pick<T, Required> & {
  readonly [Name in keyof Pick<T, Optional>]?: T[Name] | undefined
}

${interfaces()}`

const answerTypes = `${header}
/** An order as the gateway describes it. Amounts are decimal text in \`currency\`. */
export interface Order {
${order.join("\n")}
}

/** The fields of all answers. Each is text. */
export interface AnswerFields {
${[...answers.values()].map((answer) => member({ ...answer, type: "string", isOptional: false })).join("\n")}
}
`

const flowTypes = `${header}
import type { Order } from "./Answers.ts"
import type { Browser, Card, Customer, Fields, Some } from "./Fields.ts"

/** The fields of flows, by method. */
export interface FlowInputs {
${flowInputs}
}

/** The results of flows that succeed, by method. */
export interface FlowOutputs {
${outputs(FlowTable.flows)}
}

/** The fields of actions on an order, by method. The order itself is a separate argument. */
export interface ActionInputs {
${actionInputs}
}

/** The results of actions on an order that succeed, by method. */
export interface ActionOutputs {
${outputs(FlowTable.actions)}
}

/** The fields of payments on a page of the gateway, by method of \`hosted\`. */
export interface HostedInputs {
${hostedInputs}
}

/** The order, and the page of the gateway for it. Send the customer's browser to \`url\`. */
export interface HostedPage {
  readonly clientOrderId: string
  readonly orderId: string
  readonly url: string
}
`

const apiTypes = `${header}
import type { AnswerFields } from "./Answers.ts"
import type { Browser, Card, Customer, Fields, Some } from "./Fields.ts"

/** The names of operations in the contract. */
export type OperationName = ${literals(PayApi.all.map(({ name }) => name))}

/** The fields of single operations, by method of \`api\`. */
export interface ApiInputs {
${apiInputs}
}

/** The answers to single operations, by method of \`api\`. */
export interface ApiAnswers {
${apiAnswers}
}
`

/** Contents by path, as the formatter of the repository leaves them. */
export default async (): Promise<Readonly<Record<string, string>>> => {
  const folder = "packages/client/src/contract"
  const files = { "Flows.ts": flowTypes, "Api.ts": apiTypes, "Answers.ts": answerTypes, "Fields.ts": fields() }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, formatted(text)]))
}

const formatted = (text: string): string => text
