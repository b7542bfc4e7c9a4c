/** Reconciliation: whether everything that is money adds up, in all or in a period. */
import { Effect } from "effect"
import * as ReconciliationJob from "../../reconciliation/ReconciliationJob.ts"
import { type Handlers, WithStatus } from "./OperatorHandler.ts"

export const make = Effect.map(
  ReconciliationJob.make,
  ({ begin, look }): Pick<Handlers, "showReconciliation" | "beginReconciliation"> => {
    const report = () => {
      const { endedAtMs, entries, findings, count, orders, state } = look()
      const discrepancies = findings.map(({ actual, expected, where }) => ({ where, expected, actual }))
      return { state, orders, entries, discrepancyCount: count, discrepancies, ended: endedAtMs }
    }
    return {
      showReconciliation: () => Effect.sync(report),
      beginReconciliation: ({ from, to }, actor) => {
        const period = from === undefined || to === undefined ? undefined : { fromMs: from, toMs: to }
        return Effect.map(begin(actor, period), (begun) => new WithStatus(begun ? 202 : 409, report()))
      }
    }
  }
)
