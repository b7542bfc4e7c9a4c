/** The outcome of a request to the bank after each way in which its delivery, or its answer's, can fail. */
import { describe, it } from "@effect/vitest"
import { decline, type Scenario } from "@pay/sandbox/Outcome"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import * as World from "../harness/World.ts"

const declined = decline(declines.doNotHonour)
const deliveries: Readonly<Record<string, Scenario>> = {
  approved: {},
  declined: { verdict: declined },
  "arrives twice": { delivery: { _tag: "ArrivesTwice" } },
  "answer lost": { delivery: { _tag: "AnswerLost" } },
  "declined, answer lost": { verdict: declined, delivery: { _tag: "AnswerLost" } },
  "undecided for 60 s": { delivery: { _tag: "Undecided", forMs: 60_000 } },
  "arrives 20 s late": { delivery: { _tag: "ArrivesLate", afterMs: 20_000 } },
  "lost once": { delivery: { _tag: "NeverArrives", times: 1 } },
  "lost always": { delivery: { _tag: "NeverArrives" } },
  "not sent twice": { delivery: { _tag: "NotSent", times: 2 } },
  "not sent": { delivery: { _tag: "NotSent" } },
  "never decided": { delivery: { _tag: "Undecided" } }
}

/** The statuses of the request over time. */
const table = `
delivery              | statuses
approved              | 0s approved
declined              | 0s declined
arrives twice         | 0s approved
answer lost           | 0s unknown, 4s unknown, 5s approved
declined, answer lost | 0s unknown, 4s unknown, 5s declined
undecided for 60 s    | 0s unknown, 334s unknown, 335s approved
arrives 20 s late     | 0s unknown, 34s unknown, 35s approved
lost once             | 0s unknown, 59s unknown, 60s approved
lost always           | 0s unknown, 15min unknown, 16min error
not sent twice        | 0s processing, 2s processing, 3s approved
not sent              | 0s processing, 15min processing, 16min error
never decided         | 0s unknown, 1d unknown, 8d unknown
`
const [, ...rows] = TextTable.rows(table)

/** Tests a request with each delivery, at a gateway of its own. */
export const tests = <E>(
  title: string,
  program: (delivery: Scenario, statuses: string) => Effect.Effect<void, E, World.Services>
) =>
  describe(title, () => {
    for (const [name = "", statuses = ""] of rows)
      it.live(`${name}: ${statuses}`, () =>
        Effect.provide(program(TextTable.named(deliveries, name), statuses), World.layer(), { local: true })
      )
  })
