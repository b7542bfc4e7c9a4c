/** The result of a run as JSON, for programs. */

import type { Finding, Result } from "../judgement/Finding.ts"
import * as Advice from "./Advice.ts"
import * as FaultText from "./FaultText.ts"
import * as Groups from "./Groups.ts"
import type { Replay } from "./Report.ts"

const findingJson = (finding: Finding, replay: Replay) => {
  const { case: planned, difference, kind, leak, requests, timeline } = finding
  const { general, ours } = Advice.about(finding)
  return {
    kind,
    case: planned.number,
    action: planned.action,
    faults: planned.faults.map(({ fault, moment }) => ({ fault, ...moment })),
    cause: FaultText.cause(finding),
    difference,
    requests,
    timeline,
    ...(leak !== undefined && { leak }),
    advice: { general, withOurClient: ours },
    replay: replay(planned.number)
  }
}

/** Returns the report as a value for `JSON.stringify`. */
export const json = (result: Result, replay: Replay) => ({
  outcome: result.findings.length === 0 ? "clean" : "findings",
  command: result.command,
  seed: result.seed,
  ...Groups.totals(result),
  met: result.met,
  notMet: result.notMet,
  seconds: result.seconds,
  ...(result.ended !== undefined && { ended: result.ended }),
  kinds: Groups.of(result).map(({ cause, findings, kind, title }) => ({ kind, title, count: findings.length, cause })),
  findings: Groups.of(result).flatMap(({ findings }) => findings.map((each) => findingJson(each, replay)))
})
