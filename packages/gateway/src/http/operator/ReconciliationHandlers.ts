/** Reconciliation: whether everything that is money adds up, in all or in a period. */
import { Effect } from "effect"
import * as ReconciliationJob from "../../reconciliation/ReconciliationJob.ts"
import { type Handlers, WithStatus } from "./OperatorHandler.ts"

export const make = Effect.map(
  ReconciliationJob.make,
  ({ begin, look }): Pick<Handlers, "showReconciliation" | "beginReconciliation"> => {
    const report = Effect.map(look, ({ endedAtMs, entries, findings, count, orders, state }) => ({
      ...{ state, orders, entries, discrepancyCount: count },
      discrepancies: findings,
      ended: endedAtMs
    }))
    return {
      showReconciliation: () => report,
      beginReconciliation: ({ from, to }, actor) => {
        const period = from === undefined || to === undefined ? undefined : { fromMs: from, toMs: to }
        return Effect.flatMap(begin(actor, period), (begun) =>
          Effect.map(report, (body) => new WithStatus(begun ? 202 : 409, body))
        )
      }
    }
  }
)
