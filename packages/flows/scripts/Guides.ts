/** The generated part of each guide: fields, state diagram, errors and faults of its flows. */
import { readdirSync, readFileSync } from "node:fs"
import { SchemaAST } from "effect"
import * as FieldNames from "../src/engine/FieldNames.ts"
import { OrderStatus } from "../src/order/OrderStatus.ts"
import { cells, faultRows } from "./Faults.ts"
import { type Described, diagram, ends, type Group, groups } from "./FlowsPage.ts"

const folder = new URL("../../../docs/merchants/flows/", import.meta.url)

const table = (head: string, rows: ReadonlyArray<string>): string =>
  [`| ${head} |`, `|${"---|".repeat(head.split(" | ").length)}`, ...rows].join("\n")

const description = SchemaAST.resolveAt<string>("description")

/** One row for each field, those that have to be given first. */
const fieldsOf = ({ encryptedFields, name: flow, neverPersisted, operation, payload }: Described): string => {
  const row = ([name, { ast }]: readonly [string, Described["payload"]["fields"][string]]): string => {
    const described = description(ast)
    if (described === undefined) throw new Error(`${flow}: the field ${name} has no description`)
    const about = operation === undefined ? described : FieldNames.inText(operation, described)
    const kept = neverPersisted.includes(name) ? "never" : encryptedFields.includes(name) ? "encrypted" : ""
    return `| \`${name}\` | ${about} | ${kept} |`
  }
  const fields = Object.entries(payload.fields)
  const optional = fields.filter(([, { ast }]) => SchemaAST.isOptional(ast))
  const required = fields.filter((field) => !optional.includes(field))
  const head = "field | meaning | [stored](../durable.md#card-data)"
  return [
    table(head, required.map(row)),
    `<details><summary>${optional.length} optional field${optional.length === 1 ? "" : "s"}</summary>\n\n${table(head, optional.map(row))}\n\n</details>`
  ].join("\n\n")
}

/** Refers to an earlier flow that takes the same fields, if there is one. */
const sameFields = (flow: Described, before: ReadonlyArray<Described>): string | undefined => {
  const same = before.find((other) => fieldsOf(other) === fieldsOf(flow))
  return same === undefined ? undefined : `Its fields are those of \`${same.name}\`.`
}

const resultOf = ({ success }: Described): string => {
  const link = "[`OrderStatus`](../../../packages/flows/src/order/OrderStatus.ts)"
  if (success === OrderStatus) return `Its result is the order: ${link}.`
  const properties = SchemaAST.isObjects(success.ast) ? success.ast.propertySignatures : []
  const names = properties.map(
    ({ name, type }) => `\`${String(name)}\`${SchemaAST.isOptional(type) ? " (if any)" : ""}`
  )
  return `Its result has ${names.join(", ")}.`
}

/** The rows of the table in the doc comment of FlowError.ts, by error. */
const meanings = new Map(
  readFileSync(new URL("../src/order/FlowError.ts", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(" * |"))
    .map(cells)
    .map(([, error = "", moved, again, means, then]) => [error, [error, means, moved, again, then].join(" | ")])
)

const errorsOf = (group: Group): string =>
  table(
    "error | meaning | money moved | retryable | what to do",
    ends(group).map((end) => {
      const row = meanings.get(`\`${end}\``)
      if (row === undefined) throw new Error(`the table in FlowError.ts has no row of ${end}`)
      return `| ${row} |`
    })
  )

const groupOf = (name: string): Group => {
  const group = groups.find(({ flows }) => flows.some((flow) => flow.name === name))
  if (group === undefined) throw new Error(`a guide in docs/flows names ${name}, which is not a flow`)
  return group
}

/** The generated part of one guide: the flows in its order, with one diagram for each group. */
const generated = (names: ReadonlyArray<string>): string => {
  const inOrder = new Set(names.map(groupOf))
  const blocks = [...inOrder].flatMap((group) => {
    const flows = names.flatMap((name) => group.flows.find((flow) => flow.name === name) ?? [])
    const called = flows.map(({ name }) => `\`${name}\``).join(", ")
    const faults = faultRows(
      flows.map(({ name }) => name),
      group
    )
    return [
      ...flows.flatMap((flow, index) => [
        `## \`${flow.name}\``,
        flow.summary ?? "",
        sameFields(flow, flows.slice(0, index)) ?? fieldsOf(flow),
        resultOf(flow)
      ]),
      `## States of ${called}`,
      ...(group.about === undefined ? [] : [group.about]),
      diagram(group),
      `## Errors of ${called}`,
      errorsOf(group),
      ...(faults.length === 0
        ? []
        : [
            `Faults, each tested in [Table.test.ts](../../../tests/workflows/Table.test.ts):`,
            table("fault | what the flow does | result", faults)
          ])
    ]
  })
  return blocks.join("\n\n")
}

const block = /(<!-- flows: ([\w, ]+)\. [^<>]*-->\n)(?:[^<]|<(?!!-- ))*(<!-- end -->)/

/** Every guide with its generated part, and the guide of each flow. */
export const guides = () => {
  const pages: Record<string, string> = {}
  const guideOf = new Map<string, string>()
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8")
    pages[`docs/merchants/flows/${file}`] = text.replace(block, (_, begin: string, list: string, end: string) => {
      const names = list.split(", ")
      for (const name of names) guideOf.set(name, file)
      return `${begin}\n${generated(names)}\n\n${end}`
    })
  }
  return { pages, guideOf }
}
