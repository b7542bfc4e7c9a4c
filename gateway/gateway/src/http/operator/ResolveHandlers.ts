/** Handles operations with which two people resolve an unknown outcome at the bank. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import type { Resolution } from "../../orders/decide/Resolve.ts"
import * as ResolveOrder from "../../reconciliation/ResolveOrder.ts"
import { type Handlers, refuse } from "./OperatorHandler.ts"

export const rowOf = (row: Resolution, currency: string) => ({
  state: row.confirmedBy === null ? ("proposed" as const) : ("resolved" as const),
  order: row.orderId,
  request: row.requestId,
  reference: row.reference,
  as: row.outcome,
  amount: Money.fromMinor(row.amountMinor, currency),
  currency,
  evidence: row.evidence,
  approvalCode: row.approvalCode,
  processorTxId: row.processorTxId,
  digest: ResolveOrder.digestOf(row),
  proposedBy: row.proposedBy,
  proposed: row.proposedAtMs,
  confirmedBy: row.confirmedBy,
  confirmed: row.confirmedAtMs
})

export const make = Effect.map(
  ResolveOrder.make,
  ({ confirm, propose }): Pick<Handlers, "proposeResolution" | "confirmResolution"> => ({
    proposeResolution: ({ approvalCode = null, as, evidence, order, processorTxId = null, request }, actor) =>
      propose(
        { orderId: order, requestId: request, actor },
        { outcome: as, evidence, approvalCode, processorTxId }
      ).pipe(
        Effect.map(({ currency, resolution }) => rowOf(resolution, currency)),
        Effect.catchTag("ResolveRefused", refuse)
      ),
    confirmResolution: ({ as, digest, order, request }, actor) =>
      confirm({ orderId: order, requestId: request, actor }, { as, digest }).pipe(
        Effect.map(({ currency, resolution }) => rowOf(resolution, currency)),
        Effect.catchTag("ResolveRefused", refuse)
      )
  })
)
