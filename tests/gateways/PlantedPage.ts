/** The planted defects, as a part of docs/conformance.md. */
import type * as Conformance from "@pay/conformance/Conformance"
import type { Planted } from "../simulation/planted/Patch.ts"

export interface Row {
  readonly planted: Planted
  /** The first check that failed; undefined: none did, or the defect is not visible at the API. */
  readonly failure: Conformance.Result | undefined
}

export const verdict = ({ failure, planted }: Row): string =>
  failure !== undefined ? `found by ${failure.check.id}` : planted.atApi.is ? "NOT FOUND" : "not visible"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const table = (head: readonly [string, string], rows: ReadonlyArray<readonly [string, string]>): string =>
  [head, ["---", "---"], ...rows].map((row) => `| ${row.map((each) => cell(each ?? "")).join(" | ")} |`).join("\n")

/** What the runs found. */
export const write = (rows: ReadonlyArray<Row>): string => {
  const visible = rows.filter(({ planted }) => planted.atApi.is)
  const discovered = visible.filter(({ failure }) => failure !== undefined)
  const behind = rows.flatMap(({ planted: { atApi, name } }) => (atApi.is ? [] : [[name, atApi.because] as const]))
  return `## Planted defects

The [simulation](simulation.md#planted-defects) has a list of defects. Those that are visible at the API were planted in the gateway, one
at a time, and the suite ran until its first failure. It found ${discovered.length} of ${visible.length}.

${table(
  ["Defect", "First check that failed"],
  visible.map((row) => [row.planted.name, row.failure === undefined ? "**not found**" : `\`${row.failure.check.id}\``])
)}

These are not visible at the API:

${table(["Defect", "Why"], behind)}
`
}
