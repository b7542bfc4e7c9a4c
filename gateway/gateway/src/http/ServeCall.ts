/**
 * Runs the stages of refusal after authentication: repeat, operation enabled, dialect, no new orders, fields. The operation's handler
 * then carries out the request.
 */
import { Effect } from "effect"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import * as LogText from "../kernel/LogText.ts"
import * as Spans from "../kernel/Spans.ts"
import { Store } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf, type Handler, type Served, spend } from "../merchants/Call.ts"
import { Directory } from "../merchants/Directory.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import { namedOrder } from "../orders/requests/NamedOrder.ts"
import * as Authentication from "./Authentication.ts"
import { Handlers } from "./Handlers.ts"
import * as NewOrders from "./NewOrders.ts"
import * as NormalFields from "./NormalFields.ts"
import type { VerifiedRequest } from "./VerifySender.ts"

const keyPattern = /^[\x20-\x7e]{1,255}$/

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  const handlers = yield* Handlers
  const { closedFor } = yield* NewOrders.NewOrders
  const spanned = yield* Spans.make

  /** Whether the order's endpoint allows the operation. The path may name any endpoint of the merchant, so both must allow it. */
  const isTakenByOrder = Effect.fnUntraced(function* (call: Call) {
    const { fields, operation } = call
    if (operation.acts !== "onOrder" || fields.orderid === undefined) return true
    const order = yield* namedOrder(call.rows, call)
    return order === undefined || EndpointRules.isTakenBy(directory.endpoint(order.endpointId), operation)
  })

  const serve = Effect.fnUntraced(function* (verified: VerifiedRequest, handler: Handler | undefined) {
    const { call, key, normal, problems } = verified
    const { fields, operation, route } = call
    if (key !== undefined && (typeof key !== "string" || !keyPattern.test(key)))
      return yield* refuse("idempotencyKeyInvalid")
    const reads = handler?.reads === true
    if (handler !== undefined && !reads && problems.length === 0) {
      const again = yield* handler.replay(call)
      if (again !== undefined) {
        yield* spend(store, call.nonce)
        return again
      }
    }
    const allowed = route.endpoints.filter((endpoint) => EndpointRules.isTaken(endpoint, operation))
    if (handler === undefined || allowed.length === 0 || !(yield* isTakenByOrder(call))) {
      const message =
        allowed.length > 0
          ? "This operation is not enabled on the endpoint that took the order"
          : route.endpoints.every(({ enabled }) => !enabled)
            ? "This endpoint is switched off"
            : undefined
      const enabled = handler === undefined ? {} : { message }
      return yield* refuse("operationNotEnabled", { ...enabled, clientOrderId: clientOrderIdOf(fields) })
    }
    const endpoints = allowed.filter(({ dialects }) => dialects.has(call.dialect))
    if (endpoints.length === 0) return yield* EndpointRules.dialectRefusal(call)
    if (!reads) {
      const reason = yield* closedFor(fields)
      if (reason !== undefined && NewOrders.stops(reason, operation))
        return yield* NewOrders.refusal(reason, clientOrderIdOf(fields))
    }
    const others = [...problems, ...Authentication.tooFine(operation, fields, route)]
    const flaws = NormalFields.allProblems(others, normal, operation, call.dialect)
    if (flaws.length > 0) return yield* refuseFields(flaws, clientOrderIdOf(fields))
    const clientOrderId = clientOrderIdOf(fields)
    return yield* spanned(handler.perform(call, endpoints), `operation.${operation.command}`).pipe(
      Effect.annotateLogs({
        merchant: call.merchant.login,
        operation: operation.name,
        ...(clientOrderId !== undefined && { clientOrderId: LogText.of(clientOrderId, 128) })
      })
    )
  })

  /** Records the nonce of a refused request, too. The handler of an accepted one records it, unless it only reads. */
  return (verified: VerifiedRequest): Served => {
    const { nonce, operation } = verified.call
    const handler = handlers.get(operation.name)
    if (nonce.writes.length === 0) return serve(verified, handler)
    const served = Effect.suspend(() => serve(verified, handler))
    if (handler?.reads === true) return Effect.andThen(spend(store, nonce), served)
    return Effect.catchTag(served, "RequestRefused", (refused) =>
      Effect.andThen(spend(store, nonce), Effect.fail(refused))
    )
  }
})
