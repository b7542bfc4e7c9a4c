/** Generates docs/simulation-tables.md from the tables of steps, merchant actions, checks and planted defects. */
import { Authorization } from "@pay/flows/CardPayment"
import { HostedAuthorization } from "@pay/flows/HostedCheckout"
import { Refund, Void } from "@pay/flows/OrderAction"
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import * as Checks from "./checks/Checks.ts"
import type { ActionKind } from "./merchant/MerchantAction.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import { planted } from "./planted/Planted.ts"
import * as Steps from "./steps/Steps.ts"

type Cell = string | number

const row = (cells: ReadonlyArray<Cell>): string =>
  `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

/** Flows that programs import under another name than the stored one. */
const imported = { Authorization, HostedAuthorization, Refund, Void }
const importedNames = new Map<string, string>(Object.entries(imported).map(([name, flow]) => [flow.name, name]))

const actionRow = ({ flow, weight }: ActionKind, order: string): ReadonlyArray<Cell> => [
  `\`${importedNames.get(flow) ?? flow}\``,
  order,
  weight
]

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

## Actions of merchants

${table(
  ["Flow or operation", "Order", "Weight"],
  [
    ...MerchantActions.plain.map((kind) => actionRow(kind, "new")),
    ...MerchantActions.authenticated.map((kind) => actionRow(kind, "new, with 3-D Secure")),
    ...MerchantActions.followers.map((kind) => actionRow(kind, "existing"))
  ]
)}

## Checks

${table(
  ["Check", "What"],
  Checks.all.map(({ name, what }) => [name, what])
)}

## Planted defects

\`npm run simulate -- --planted\` plants these defects, one at a time, and shows that the simulation finds those that are visible.

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
