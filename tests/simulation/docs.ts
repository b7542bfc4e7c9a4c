/** Generates docs/simulation-tables.md from the tables of steps, merchant actions, checks and planted defects. */
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

Generated from the tables in \`tests/simulation\` by \`npm run docs\`. [simulation.md](simulation.md) explains them.

## Steps

A step with a weight of 30 is drawn about 30 times as often as one with a weight of 1. The weight of a fault is a maximum: each seed
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

## Actions of merchants

${table(
  ["Flow", "Follows up an order", "Weight"],
  [
    ...MerchantActions.creations.map(({ flow, weight }) => [flow, "", weight] as const),
    ...MerchantActions.followers.map(({ flow, weight }) => [flow, "yes", weight] as const)
  ]
)}

## Checks

${table(
  ["Check", "What"],
  Checks.all.map(({ name, what }) => [name, what])
)}

## Planted defects

These defects are planted on purpose, one at a time. \`npm run simulate -- --planted\` shows that the simulation finds them.

${table(
  ["Defect", "File", "Visible as"],
  planted.map(({ name, patch, visible }) => [
    name,
    `\`${patch.file.split("/").at(-1)}\``,
    visible.is ? visible.by : `not visible: ${visible.because}`
  ])
)}
`

const generate: Generator = async () => ({ "docs/simulation-tables.md": document() })
export default generate
