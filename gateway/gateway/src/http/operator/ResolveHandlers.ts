/** Handles operations with which two people resolve an unknown outcome at the bank. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import type * as Contract from "../../operators/contract/Resolutions.ts"
import * as Resolve from "../../orders/decide/Resolve.ts"
import * as ResolveOrder from "../../reconciliation/ResolveOrder.ts"
import { type Handlers, refuse } from "./OperatorHandler.ts"

type Row = (typeof Contract.Resolution)["Type"]

export const rowOf = (row: Resolve.Resolution, currency: string): Row => ({
  state: Resolve.isOpen(row) ? "proposed" : row.confirmedBy === null ? "withdrawn" : "resolved",
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
  confirmed: row.confirmedAtMs,
  withdrawnBy: row.withdrawnBy,
  withdrawn: row.withdrawnAtMs
})

export const make = Effect.map(
  ResolveOrder.make,
  ({
    confirm,
    propose,
    withdraw
  }): Pick<Handlers, "proposeResolution" | "confirmResolution" | "withdrawResolution"> => ({
    withdrawResolution: ({ digest, order, request }, actor) =>
      withdraw({ orderId: order, requestId: request, actor }, digest).pipe(
        Effect.map(({ currency, resolution }) => rowOf(resolution, currency)),
        Effect.catchTag("ResolveRefused", refuse)
      ),
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
