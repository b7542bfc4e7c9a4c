/** Generates docs/contributors/simulation-tables.md from the tables of steps and checks. */
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import * as Checks from "./checks/Checks.ts"
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
draws the actual weight, often 0.

${table(
  ["Step", "Group", "What", "Weight"],
  Steps.all.map(({ group, isFault, name, weight, what }) => [
    `\`${name}\``,
    group,
    what,
    isFault ? `up to ${weight}` : weight
  ])
)}

## Checks

${table(
  ["Check", "What"],
  Checks.all.map(({ name, what }) => [name, what])
)}
`

const generate: Generator = async () => ({ "docs/contributors/simulation-tables.md": document() })
export default generate
