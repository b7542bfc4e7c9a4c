/** The table of docs/operators/commands.md that is derived from the operator contract, between its marks. */
import { readFileSync } from "node:fs"
import * as OperatorApi from "../src/operators/OperatorApi.ts"
import type { OperatorOperation } from "../src/operators/OperatorOperation.ts"
import * as OperatorOperations from "../src/operators/OperatorOperation.ts"
import * as OperatorParameter from "../src/operators/OperatorParameter.ts"

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const codes = (names: ReadonlyArray<string>): string => names.map(code).join(", ")

const parameters = (operation: OperatorOperation): string => {
  const inPath = OperatorOperations.pathNames(operation)
  const rest = Object.entries(operation.input.fields).filter(([name]) => !inPath.includes(name))
  const namesOf = (optional: boolean) =>
    rest.flatMap(([name, field]) => (OperatorParameter.isOptional(field) === optional ? name : []))
  const optional = namesOf(true)
  return [codes(namesOf(false)), optional.length === 0 ? "" : `optional ${codes(optional)}`]
    .filter((part) => part !== "")
    .join("; ")
}

const secondPerson = {
  proposes: "; takes effect when a second person confirms it",
  confirms: "; by a second person only",
  always: "; a second person confirms it (`pay proposals confirm`)",
  configurable: "; a second person confirms it where `operator.secondPerson` says so"
} as const

const changes = ({ changes }: OperatorOperation): string =>
  changes === undefined
    ? ""
    : `${code(changes.audit)}${changes.secondPerson === undefined ? "" : secondPerson[changes.secondPerson]}`

const rowOf = (operation: OperatorOperation): string => {
  const request = code(`${operation.method} ${operation.path}`)
  const role = operation.changes?.role ?? ""
  const cells = [
    code(`pay ${operation.command}`),
    request,
    parameters(operation),
    operation.about,
    role,
    changes(operation)
  ]
  return `| ${cells.join(" | ")} |`
}

const operations = (): string =>
  [
    "| command | request | parameters | what it does | role | audit |",
    "|---|---|---|---|---|---|",
    ...OperatorApi.all.map(rowOf)
  ].join("\n")

const begin = (name: string): string => `<!-- ${name}: generated -->`
const end = "<!-- end -->"

/** The document as it stands, with its table anew. */
const withTable = (path: string, name: string, table: string): string => {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")
  const [before, rest] = text.split(begin(name))
  const after = rest?.slice(rest.indexOf(end))
  if (after === undefined) throw new Error(`${path} lacks the mark ${begin(name)}`)
  return `${before}${begin(name)}\n${table}\n${after}`
}

export const pages = (): Record<string, string> => ({
  "docs/operators/commands.md": withTable("docs/operators/commands.md", "operations", operations())
})
