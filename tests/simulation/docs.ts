/** The tables of the simulation as a document: what can happen, who takes part, what is checked, what is planted. */
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import * as Checks from "./checks/Checks.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import { planted } from "./planted/Planted.ts"
import * as Steps from "./steps/Steps.ts"

type Cell = string | number

const row = (cells: ReadonlyArray<Cell>): string =>
  `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const document = (): string => `# What is simulated

Generated from the tables in \`tests/simulation\` by \`npm run docs\`. What they are for: [simulation.md](simulation.md).

## What can happen

A step with a weight of 30 is drawn about 30 times as often as one with a weight of 1. Of faults the weight is the most: each seed
draws its own, often none.

${table(
  ["Step", "Group", "What", "Weight"],
  Steps.all.map(({ group, isFault, name, weight, what }) => [
    `\`${name}\``,
    group,
    what,
    isFault ? `up to ${weight}` : weight
  ])
)}

## What merchants do

${table(
  ["Flow", "Follows an order", "Weight"],
  [
    ...MerchantActions.creations.map(({ flow, weight }) => [flow, "", weight] as const),
    ...MerchantActions.followers.map(({ flow, weight }) => [flow, "yes", weight] as const)
  ]
)}

## What must hold

${table(
  ["Check", "What"],
  Checks.all.map(({ name, what }) => [name, what])
)}

## What is planted

Defects that are planted on purpose, to see that they are found: \`npm run simulate -- --planted\`.

${table(
  ["Defect", "File", "Seen by"],
  planted.map(({ name, patch, visible }) => [
    name,
    `\`${patch.file.split("/").at(-1)}\``,
    visible.is ? visible.by : `nobody: ${visible.because}`
  ])
)}
`

const generate: Generator = async () => ({ "docs/simulation-tables.md": document() })
export default generate
