/** The generated part of each guide: fields, state diagram, errors and faults of its flows. */
import { readdirSync, readFileSync } from "node:fs"
import { SchemaAST } from "effect"
import * as FieldNames from "../src/engine/FieldNames.ts"
import { OrderStatus } from "../src/order/OrderStatus.ts"
import { cells, faultRows, usualRows } from "./Faults.ts"
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

const reference = "../flows-reference.md"

const errorsOf = (group: Group): string => {
  const names = ends(group).map((end) => {
    if (!meanings.has(`\`${end}\``)) throw new Error(`the table in FlowError.ts has no row of ${end}`)
    return `\`${end}\``
  })
  return `${names.join(", ")}: [what each means, and what to do](${reference}#errors).`
}

const usualFaults = {
  creates: "Faults of a flow that creates an order",
  repeats: "Faults of a flow that acts on an order"
}

const faultsOf = (names: ReadonlyArray<string>, group: Group): ReadonlyArray<string> => {
  const faults = faultRows(names, group)
  if (faults === undefined) return []
  const { acts, success, unusual } = faults
  const tested = `each fault is tested in [Table.test.ts](../../../tests/workflows/Table.test.ts)`
  const usual = `It ends as \`${success}\` after [each of these faults](${reference}#${usualFaults[acts].toLowerCase().replaceAll(" ", "-")})`
  return unusual.length === 0
    ? [`${usual}; ${tested}.`]
    : [`${usual}, except as follows; ${tested}.`, table("fault | what the flow does | result", unusual)]
}

/** What the guides say of all flows alike: errors, and what flows do after faults. */
export const common = (): string =>
  [
    "## Errors",
    table(
      "error | meaning | money moved | retryable | what to do",
      [...meanings.entries()].filter(([error]) => /^`\w+`$/.test(error)).map(([, row]) => `| ${row} |`)
    ),
    ...(["creates", "repeats"] as const).flatMap((acts) => [
      `## ${usualFaults[acts]}`,
      table("fault | what the flow does", usualRows(acts))
    ])
  ]
    .join("\n\n")
    .replaceAll("(../durable.md", "(durable.md")

const groupOf = (name: string): Group => {
  const group = groups.find(({ flows }) => flows.some((flow) => flow.name === name))
  if (group === undefined) throw new Error(`a guide in docs/flows names ${name}, which is not a flow`)
  return group
}

/** The generated part of one guide: the flows in its order, with one diagram for each group. */
const generated = (names: ReadonlyArray<string>): string => {
  const inOrder = new Set(names.map(groupOf))
  const described = [...inOrder].flatMap((group) =>
    names.flatMap((name) => group.flows.find((flow) => flow.name === name) ?? [])
  )
  const blocks = [...inOrder].flatMap((group) => {
    const flows = names.flatMap((name) => group.flows.find((flow) => flow.name === name) ?? [])
    const called = flows.map(({ name }) => `\`${name}\``).join(", ")
    return [
      ...flows.flatMap((flow) => [
        `## \`${flow.name}\``,
        flow.summary ?? "",
        sameFields(flow, described.slice(0, described.indexOf(flow))) ?? fieldsOf(flow),
        resultOf(flow)
      ]),
      `## States of ${called}`,
      ...(group.about === undefined ? [] : [group.about]),
      diagram(group),
      `## Errors of ${called}`,
      errorsOf(group),
      ...faultsOf(
        flows.map(({ name }) => name),
        group
      )
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
