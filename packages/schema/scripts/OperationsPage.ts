import * as Field from "../src/Field.ts"
import type { Operation } from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Scheme from "../src/Scheme.ts"
import { code, codes, page, table } from "./Markdown.ts"

const signing = (operation: Operation): string =>
  Scheme.match(operation.signing, { Control: () => "control", OAuth: ({ methods }) => `OAuth ${methods.join(", ")}` })

const recipe = (operation: Operation): string =>
  Scheme.match(operation.signing, { Control: (scheme) => codes(scheme.recipe), OAuth: () => "all parameters" })

const acts: Record<Operation["acts"], string> = {
  creates: "creates an order",
  onOrder: "acts on an order",
  onSubscription: "acts on a recurring payment",
  reads: "reads"
}

const count = (operation: Operation): string => {
  const optional = Object.values(operation.fields).filter(Field.isOptional).length
  return `${operation.infos.size - optional} + ${optional}`
}

const link = ({ command }: Operation): string => `[${code(command)}](#${command.replaceAll("/", "")})`

const overview = (): string =>
  table(
    ["Command", "Operation", "Path", "Signature", "Signed values", "Effect", "Fields"],
    PayApi.all.map((operation) => [
      link(operation),
      code(operation.name),
      code(`${operation.path}/{endpointId}`),
      signing(operation),
      recipe(operation),
      acts[operation.acts],
      count(operation)
    ])
  )

const spellings = (operation: Operation, name: string): string =>
  codes([name, ...Object.keys(operation.aliases).filter((alias) => operation.aliases[alias] === name)])

/** What is said of a field: its spellings, its largest length, its meaning and an example. */
const rowOf = (operation: Operation, name: string, field: Operation["fields"][string]): ReadonlyArray<string> => {
  const { about, maxLength, sample } = Field.info(field)
  const example = code(sample.length > 40 ? `${sample.slice(0, 40)}…` : sample)
  return [spellings(operation, name), String(maxLength), about, example]
}

/** Every field once. Where operations differ, the row of most of them comes first, and the others name theirs. */
const allFields = (): string => {
  const fields = new Map<
    string,
    Map<string, { readonly row: ReadonlyArray<string>; readonly commands: Array<string> }>
  >()
  for (const operation of PayApi.all)
    for (const [name, field] of Object.entries(operation.fields)) {
      const row = rowOf(operation, name, field)
      const variants = fields.get(name) ?? new Map()
      const variant = variants.get(row.join("|")) ?? { row, commands: [] }
      variant.commands.push(code(operation.command))
      fields.set(name, variants.set(row.join("|"), variant))
    }
  const rows = [...fields.values()].flatMap((variants) =>
    [...variants.values()]
      .sort((one, other) => other.commands.length - one.commands.length)
      .map(({ commands, row }, index) => [...row, index === 0 ? "" : commands.join(", ")])
  )
  return table(["Field", "At most", "Meaning", "Example", "Only in"], rows)
}

/** The fields and rules of an operation. */
const inputOf = (operation: Operation): string => {
  const named = (isOptional: boolean) =>
    Object.entries(operation.fields).flatMap(([name, field]) => (Field.isOptional(field) === isOptional ? name : []))
  const list = (head: string, names: ReadonlyArray<string>) => (names.length === 0 ? [] : [`${head}: ${codes(names)}.`])
  const rules = operation.rules.map(({ about }) => `- ${inCode(operation, about)}`)
  return [
    ...list("Required", named(false)),
    ...list("Optional", named(true)),
    ...(rules.length === 0 ? [] : [rules.join("\n")])
  ].join("\n\n")
}

/** The fields of an operation, or the earlier operation that has the same. */
const details = (operation: Operation): string => {
  const input = inputOf(operation)
  const first = PayApi.all.find((other) => inputOf(other) === input) ?? operation
  const described = first === operation ? input : `The fields are those of ${link(first)}.`
  return [`### ${operation.command}`, operation.summary, described].join("\n\n")
}

/** The text with the names of the operation's fields as code. */
const inCode = (operation: Operation, text: string): string =>
  text.replace(/[\w-]+/g, (word) => (operation.infos.has(word) ? code(word) : word))

export const operations = (): string =>
  page(
    "# Operations",
    `This page is generated from \`packages/schema\`. Every operation is a \`POST\` of a form. "Command" is its name for \`pay call\`,
"Operation" its \`operationId\` in [openapi.json](../openapi.json). "Fields" gives the number of required + optional fields, without
\`control\` and \`oauth_*\`.`,
    overview(),
    `The specification does not name ${codes(PayApi.all.flatMap(({ command, origin }) => (origin === "family" ? command : [])))}.
Clients of the protocol family call them; see [older-dialect.md](older-dialect.md).`,
    "## The fields of each operation",
    ...PayApi.all.map(details),
    "## What each field means",
    `A row that names operations holds for them; the row above it, for all others. If a field has several spellings, each works; send one. "At most" is the largest number of characters. The gateway trims
values, treats an empty value as absent, and ignores unknown fields, except an amount or currency under a wrong name (\`Amount\`, \`amount[]\`).`,
    allFields()
  )
