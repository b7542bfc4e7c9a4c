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

const fieldsOf = (operation: Operation): string =>
  table(
    ["Field", "", "At most", "Meaning", "Example"],
    Object.entries(operation.fields).map(([name, field]) => {
      const { about, maxLength, sample } = Field.info(field)
      return [
        spellings(operation, name),
        Field.isOptional(field) ? "" : "required",
        String(maxLength),
        about,
        code(sample.length > 40 ? `${sample.slice(0, 40)}…` : sample)
      ]
    })
  )

/** The fields and rules of an operation, or the earlier operation that has the same. */
const inputOf = (operation: Operation): string => {
  const rules = operation.rules.map(({ about }) => `- ${inCode(operation, about)}`)
  return [fieldsOf(operation), ...(rules.length === 0 ? [] : [rules.join("\n")])].join("\n\n")
}

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
    "## Fields",
    `If a field has several spellings, each works; send one of them. "At most" is the largest number of characters. The gateway trims
values, treats an empty value as absent, and ignores unknown fields, except an amount or currency under a wrong name (\`Amount\`, \`amount[]\`).`,
    ...PayApi.all.map(details)
  )
