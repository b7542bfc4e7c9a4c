/** Looks for findings of pairs of faults that one of the two shows alone. */
import { Effect } from "effect"
import type { Finding } from "../judgement/Finding.ts"
import type { Case } from "../plan/Payment.ts"
import * as Plan from "../plan/Plan.ts"
import * as Round from "./Round.ts"
import * as Tally from "./Tally.ts"

/** Most findings that are tried again. The others keep their pair. */
const mostTried = 50

export interface Wanted {
  readonly currency: string
  readonly seed: number
}

const isPair = ({ case: own }: Finding): boolean => own.faults.length > 1

const key = ({ action, faults }: Case): string => JSON.stringify([action, faults])

/** Returns the findings, those of a pair with the single fault that shows the same kind, if one does. */
export const shrink = Effect.fnUntraced(function* (findings: ReadonlyArray<Finding>, { currency, seed }: Wanted) {
  const pairs = findings.filter(isPair).slice(0, mostTried)
  const single = pairs.flatMap(({ case: own }) => own.faults.flatMap((at) => Plan.singleOf(seed, own.action, at) ?? []))
  const tried = [...new Map(single.map((each) => [key(each), each])).values()]
  const tally = yield* Tally.make(currency, () => Effect.void)
  for (const cases of Plan.rounds(tried)) yield* Round.run(cases, tally)
  yield* Round.finishAll(tally)
  const shrunk = (finding: Finding): Finding => {
    const own = finding.case.faults.map((at) => JSON.stringify(at))
    const simpler = [...tally.findings, ...findings].find(
      ({ case: other, kind }) =>
        kind === finding.kind &&
        other.action === finding.case.action &&
        other.faults.length === 1 &&
        other.faults.every((at) => own.includes(JSON.stringify(at)))
    )
    return simpler ?? finding
  }
  return findings.map((finding) => (isPair(finding) ? shrunk(finding) : finding))
})
