/** Handles returns and voids of operators: each is a request of the order's merchant, with the operator's audit entry in its commit. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Schema } from "effect"
import type { RequestRefused } from "../../kernel/Answer.ts"
import type { Actor } from "../../kernel/Audit.ts"
import * as Audit from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as Rows from "../../kernel/Rows.ts"
import { Store } from "../../kernel/Store.ts"
import type { Call } from "../../merchants/Call.ts"
import { Directory } from "../../merchants/Directory.ts"
import { Order } from "../../orders/record/Order.ts"
import { Handlers as Requests } from "../Handlers.ts"
import { conflict, type Handlers, missing, OperatorRefusal } from "./OperatorHandler.ts"

const Accepted = Schema.Struct({ "serial-number": Schema.String })

const repeated = "an equal one was accepted minutes ago (pay orders show): give a key, --key, for another one"

const refused = ({ code, message, status }: RequestRefused) =>
  code === ErrorCode.codes.repeatedWithoutKey.code
    ? conflict(repeated)
    : Effect.fail(new OperatorRefusal({ status: status >= 500 ? 503 : 400, message, detail: { code } }))

interface FollowUp {
  readonly name: "RETURN" | "VOID"
  readonly action: "order.refund" | "order.void"
  readonly order: string
  readonly amount: string | undefined
  readonly comment: string
  readonly key: string | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  const ids = yield* Ids
  const requests = yield* Requests

  /** Returns the request of the merchant that the operator makes. Its commit has the audit entry. */
  const callOf = (order: Order, { action, amount, comment, key, name }: FollowUp, actor: Actor, atMs: number) => {
    const route = directory.route(order.endpointId)
    const audit = Audit.entry({
      auditId: ids.next(),
      atMs,
      actor,
      action,
      subject: { kind: "order", id: order.orderId },
      detail: { amount: amount ?? null, comment, key: key ?? null }
    })
    return route?.merchant.login !== order.merchantId
      ? undefined
      : ({
          operation: PayApi.operations[name],
          dialect: "json",
          route,
          merchant: route.merchant,
          fields: {
            login: order.merchantId,
            client_orderid: order.clientOrderId,
            orderid: order.orderId,
            comment,
            ...(amount !== undefined && { amount, currency: order.currency })
          },
          idempotencyKey: key === undefined ? undefined : `operator:${key}`,
          rows: Rows.loadedOnce(store),
          nonce: Change.writing(audit)
        } satisfies Call)
  }

  const follow = Effect.fnUntraced(function* (followUp: FollowUp, actor: Actor) {
    const order = yield* store.load(Order, [followUp.order])
    if (order === undefined) return yield* missing("there is no such order")
    const handler = requests.get(followUp.name)
    const call = callOf(order, followUp, actor, yield* Clock.currentTimeMillis)
    if (handler === undefined || call === undefined)
      return yield* conflict(
        `the gateway's configuration has no merchant ${order.merchantId} with this order's endpoint`
      )
    const serve = Effect.flatMap(handler.replay(call), (again) =>
      again === undefined ? handler.perform(call, []) : Effect.succeed(again)
    )
    const { fields } = yield* Effect.catchTag(serve, "RequestRefused", refused)
    const accepted = yield* Effect.orDie(Schema.decodeUnknownEffect(Accepted)(fields))
    return { order: order.orderId, serialNumber: accepted["serial-number"] }
  })

  const handlers: Pick<Handlers, "refundOrder" | "voidOrder"> = {
    refundOrder: ({ amount, comment, key, order }, actor) =>
      follow({ name: "RETURN", action: "order.refund", order, amount, comment, key }, actor),
    voidOrder: ({ comment, key, order }, actor) =>
      follow({ name: "VOID", action: "order.void", order, amount: undefined, comment, key }, actor)
  }
  return handlers
})
