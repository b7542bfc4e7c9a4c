/** `docs/crashtest-examples.json`: what a run of the crash test over the example shops has found. `npm run crashtest:examples` writes it. */
import { existsSync, readFileSync } from "node:fs"
import { Schema } from "effect"
import { type Kind, kinds } from "../src/judgement/Finding.ts"

/** One shop of the run. */
const Shop = Schema.Struct({
  /** A few words for the chart: `by hand, stable order number`. */
  name: Schema.String,
  /** The version of what was tested: a commit, and of which repository if not of this one. */
  commit: Schema.String,
  payments: Schema.Int,
  /** Failures that happened. */
  failures: Schema.Int,
  /** Findings by kind. */
  findings: Schema.Record(Schema.String, Schema.Int)
})

export const ExamplesFile = Schema.Struct({ seed: Schema.Int, shops: Schema.Array(Shop) })
export type ExamplesFile = typeof ExamplesFile.Type
export type Shop = typeof Shop.Type

const url = new URL("../../../docs/crashtest-examples.json", import.meta.url)
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ExamplesFile))

/** Returns the results. `undefined`: the run was not made yet. */
export const read = (): ExamplesFile | undefined => (existsSync(url) ? decode(readFileSync(url, "utf8")) : undefined)

/** Kinds that concern no payment. */
const aside: ReadonlySet<string> = new Set<Kind>(["cardInLog", "crashed"])

/** Duplicate, lost or wrongly reported payments per 10,000 failures. */
export const perTenThousand = ({ failures, findings }: Shop): number => {
  const wrong = Object.entries(findings).flatMap(([kind, count]) => (aside.has(kind) ? [] : [count]))
  return failures === 0 ? 0 : (wrong.reduce((sum, count) => sum + count, 0) * 10_000) / failures
}

const isKind = (name: string): name is Kind => name in kinds

/** Returns the findings of a shop in words: `12 customers charged twice, 3 refunds lost`. */
export const inWords = ({ findings }: Shop): string => {
  const parts = Object.entries(findings).flatMap(([kind, count]) =>
    isKind(kind) && count > 0 ? [`${count} ${kinds[kind][count === 1 ? 0 : 1]}`] : []
  )
  return parts.length === 0 ? "none" : parts.join(", ")
}
