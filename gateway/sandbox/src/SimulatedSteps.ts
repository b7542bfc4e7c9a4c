import * as ThreeDS from "@pay/schema/ThreeDS"
import { Clock, Effect } from "effect"
import type { Issuer } from "./Issuer.ts"
import type * as Journal from "./Journal.ts"
import { NoSuchStep, ThreeDSControl } from "./ThreeDSControl.ts"
import type * as ThreeDSRecord from "./ThreeDSRecord.ts"
import type { ThreeDSRecords } from "./ThreeDSRecords.ts"
import type { PartialScenario } from "./ThreeDSScenario.ts"

const hasMethod = ({ scenario }: ThreeDSRecord.Transaction): boolean =>
  scenario.enrolment === "version2" && scenario.method !== "none"

/**
 * Whether a challenge is open. Version 2: the issuer received a request, and requires a challenge. Version 1: its page is always
 * visited.
 */
const isChallenged = ({ request, scenario }: ThreeDSRecord.Transaction): boolean =>
  scenario.enrolment === "version1" || (scenario.decision === "C" && request !== undefined)

interface World {
  readonly issuer: Issuer
  readonly journal: Pick<Effect.Success<ReturnType<typeof Journal.open>>, "clear">
  /** Scenarios of later authentications, by order, and for whichever comes next. */
  readonly ofOrder: Map<string, PartialScenario>
  readonly planned: Array<PartialScenario>
  readonly records: ThreeDSRecords
  readonly write: (entry: ThreeDSRecord.Entry) => void
}

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

export const control = ({ issuer, journal, ofOrder, planned, records, write }: World) => {
  const at = (name: string, stands: (transaction: ThreeDSRecord.Transaction) => boolean, message: string) =>
    Effect.suspend(() => {
      const transaction = records.find(name)
      return transaction !== undefined && stands(transaction)
        ? Effect.succeed(transaction)
        : Effect.fail(new NoSuchStep({ name, message }))
    })

  return ThreeDSControl.of({
    next: (scenario) => Effect.sync(() => void planned.push(scenario)),
    forOrder: (orderId, scenario) => Effect.sync(() => void ofOrder.set(orderId, scenario)),
    method: (name) =>
      Effect.map(at(name, hasMethod, "There is no method page for it"), (transaction) => {
        issuer.seeMethod(transaction)
        return ThreeDS.methodData.encode({ threeDSServerTransID: transaction.serverTransId })
      }),
    play: Effect.fnUntraced(function* (name, choice) {
      const absent = "It is at no challenge"
      const transaction = yield* at(name, isChallenged, absent)
      yield* transaction.scenario.decision === "C" ? issuer.choose(transaction, choice) : issuer.settle(transaction)
      const message = yield* issuer.message(issuer.current(transaction))
      return message ?? (yield* new NoSuchStep({ name, message: absent }))
    }),
    report: Effect.fnUntraced(function* (name) {
      const { decided, serverTransId } = yield* at(name, (result) => result.decided !== undefined, "Nothing is decided")
      const nowMs = yield* now
      if (decided !== undefined) write({ _tag: "Decided", serverTransId, decided: { ...decided, knownFromMs: nowMs } })
    }),
    find: (name) => Effect.sync(() => records.find(name)),
    transactions: Effect.sync(() => records.all()),
    reset: Effect.sync(() => {
      planned.length = 0
      ofOrder.clear()
      records.clear()
      journal.clear()
    })
  })
}
