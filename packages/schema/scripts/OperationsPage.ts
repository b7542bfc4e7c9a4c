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
  creates: "creates",
  onOrder: "on an order",
  onSubscription: "on a recurring payment",
  reads: "reads"
}

const count = (operation: Operation): string => {
  const optional = Object.values(operation.fields).filter(Field.isOptional).length
  return `${operation.infos.size - optional} + ${optional}`
}

const link = ({ command }: Operation): string => `[${code(command)}](#${command.replaceAll("/", "")})`

const overview = (served: ReadonlyArray<string>): string =>
  table(
    ["Command", "Operation", "Path", "Signed by", "Over", "Acts", "Fields", "State"],
    PayApi.all.map((operation) => [
      link(operation),
      code(operation.name),
      code(`${operation.path}/{endpointId}`),
      signing(operation),
      recipe(operation),
      acts[operation.acts],
      count(operation),
      served.includes(operation.name) ? "works" : "not yet"
    ])
  )

const spellings = (operation: Operation, name: string): string =>
  codes([name, ...Object.keys(operation.aliases).filter((alias) => operation.aliases[alias] === name)])

const details = (operation: Operation): string =>
  page(
    `### ${operation.command}`,
    operation.summary,
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
    ),
    ...operation.rules.map(({ about }) => `- ${about}`)
  ).trimEnd()

export const operations = (served: ReadonlyArray<string>): string =>
  page(
    "# Operations",
    `This page is generated from \`packages/schema\`. Every operation is a \`POST\` of a form. The column "Fields" gives the number of
required + optional fields, without \`control\` and \`oauth_*\`. The gateway refuses operations that are not built yet with 400.`,
    overview(served),
    `The specification does not name ${codes(PayApi.all.flatMap(({ command, origin }) => (origin === "family" ? command : [])))}.
Clients of the protocol family call them; see [older-dialect.md](older-dialect.md).`,
    "## Fields",
    `Some fields have several spellings. The first one is the primary one. The gateway trims values, treats an empty value as absent,
and ignores unknown fields.`,
    ...PayApi.all.map(details)
  )
