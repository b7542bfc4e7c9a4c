/** `POST /operator/orders/{orderid}/resolve` and `…/confirm`: what the bank said by telephone, said by two people. */
import * as Money from "@pay/schema/Money"
import { Effect, Schema } from "effect"
import type { Resolution } from "../../orders/outcomes/Resolution.ts"
import * as ResolveOrder from "../../reconciliation/ResolveOrder.ts"
import { type Asked, actor, json, type Route, read, time, timeOrNull } from "./Route.ts"

const Said = Schema.Literals(["approved", "declined", "error"])
const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2000))
const Code = Schema.String.check(Schema.isPattern(/^[\w-]{1,64}$/))

const Statement = Schema.Struct({
  as: Said,
  evidence: Text,
  request: Schema.optionalKey(Schema.String),
  approvalCode: Schema.optionalKey(Code),
  processorTxId: Schema.optionalKey(Code)
})

/** `digest`: of the proposal, as it was read. */
const Confirmation = Schema.Struct({
  as: Said,
  digest: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  request: Schema.optionalKey(Schema.String)
})

export const told = (row: Resolution, currency: string) => ({
  state: row.confirmedBy === null ? "proposed" : "resolved",
  order: row.orderId,
  request: row.requestId,
  reference: row.reference,
  as: row.said,
  amount: row.amountMinor === null ? null : Money.fromMinor(row.amountMinor, currency),
  currency,
  evidence: row.evidence,
  approvalCode: row.approvalCode,
  processorTxId: row.processorTxId,
  digest: ResolveOrder.digestOf(row),
  proposedBy: row.proposedBy,
  proposed: time(row.proposedAtMs),
  confirmedBy: row.confirmedBy,
  confirmed: timeOrNull(row.confirmedAtMs)
})

const named = (asked: Asked, requestId: string | undefined): ResolveOrder.Named => ({
  orderId: asked.params.order ?? "",
  requestId,
  actor: actor(asked)
})

const refused = ({ message, what }: ResolveOrder.ResolveRefused) =>
  Effect.succeed(json(what === "missing" ? 404 : 409, { error: message }))

export const make = Effect.map(
  ResolveOrder.make,
  ({ confirm, propose }): ReadonlyArray<Route> => [
    {
      method: "POST",
      path: "/operator/orders/:order/resolve",
      run: read(Statement, ({ approvalCode = null, as, evidence, processorTxId = null, request }, asked) =>
        propose(named(asked, request), { said: as, evidence, approvalCode, processorTxId }).pipe(
          Effect.map(({ currency, resolution }) => json(202, told(resolution, currency))),
          Effect.catchTag("ResolveRefused", refused)
        )
      )
    },
    {
      method: "POST",
      path: "/operator/orders/:order/confirm",
      run: read(Confirmation, ({ as, digest, request }, asked) =>
        confirm(named(asked, request), { as, digest }).pipe(
          Effect.map(({ currency, resolution }) => json(200, told(resolution, currency))),
          Effect.catchTag("ResolveRefused", refused)
        )
      )
    }
  ]
)
