/** The findings of a run by their kind, and the numbers of its summary. */

import { type Finding, type Kind, kinds, type Result } from "../judgement/Finding.ts"
import * as FaultText from "./FaultText.ts"

/** The findings of one kind. */
export interface Group {
  readonly kind: Kind
  /** The words of the kind, for one or for many. */
  readonly title: string
  /** The faults that caused most of them, in a few words. */
  readonly cause: string
  readonly findings: ReadonlyArray<Finding>
}

const most = (texts: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [[first = ""] = []] = [...counts].toSorted(([, one], [, other]) => other - one)
  return first
}

const order = Object.keys(kinds).filter((name): name is Kind => name in kinds)

/** Returns the findings by kind, the most serious kind first. */
export const of = ({ findings }: Pick<Result, "findings">): ReadonlyArray<Group> =>
  order.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind)
    if (own.length === 0) return []
    const [one, many] = kinds[kind]
    return [{ kind, title: own.length === 1 ? one : many, cause: most(own.map(FaultText.cause)), findings: own }]
  })

/** How hard a finding is to understand. One whose timeline was not kept is the hardest. */
const effort = ({ timeline }: Finding): number => (timeline.length === 0 ? Number.POSITIVE_INFINITY : timeline.length)

const isSimpler = (one: Finding, other: Finding): boolean =>
  one.case.faults.length === other.case.faults.length
    ? effort(one) < effort(other)
    : one.case.faults.length < other.case.faults.length

/** Returns the finding that is the easiest to understand: with the fewest faults and events. */
export const simplest = (findings: ReadonlyArray<Finding>): Finding | undefined =>
  findings.reduce<Finding | undefined>(
    (simplest, each) => (simplest === undefined || isSimpler(each, simplest) ? each : simplest),
    undefined
  )

export interface Totals {
  readonly payments: number
  /** Failures that happened. */
  readonly failures: number
  /** Kinds of failures that happened. */
  readonly failureKinds: number
}

export const totals = ({ met, payments }: Pick<Result, "met" | "payments">): Totals => {
  const counts = Object.values(met).filter((count) => count > 0)
  return { payments, failures: counts.reduce((sum, count) => sum + count, 0), failureKinds: counts.length }
}
