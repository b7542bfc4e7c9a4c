/** Serves the operator interface under `/operator/` of the operators' address. The contract is in `operators/OperatorApi.ts`. */
import { Effect, Layer } from "effect"
import { OrderGate } from "../kernel/OrderGate.ts"
import { readingAside, Store } from "../kernel/Store.ts"
import * as OperatorApi from "../operators/OperatorApi.ts"
import * as SecondFactors from "../signin/SecondFactors.ts"
import * as ApprovalApi from "./ApprovalApi.ts"
import * as Console from "./console/Console.ts"
import * as AccountHandlers from "./operator/AccountHandlers.ts"
import * as BookingHandlers from "./operator/BookingHandlers.ts"
import * as CallbackHandlers from "./operator/CallbackHandlers.ts"
import * as FollowUpHandlers from "./operator/FollowUpHandlers.ts"
import * as InquiryHandlers from "./operator/InquiryHandlers.ts"
import * as KeyHandlers from "./operator/KeyHandlers.ts"
import * as LogHandlers from "./operator/LogHandlers.ts"
import * as MerchantHandlers from "./operator/MerchantHandlers.ts"
import * as NowHandlers from "./operator/NowHandlers.ts"
import * as OperatorHandler from "./operator/OperatorHandler.ts"
import * as OrderHandlers from "./operator/OrderHandlers.ts"
import * as PayoutHandlers from "./operator/PayoutHandlers.ts"
import * as ReconciliationHandlers from "./operator/ReconciliationHandlers.ts"
import * as ResolveHandlers from "./operator/ResolveHandlers.ts"
import * as RetentionHandlers from "./operator/RetentionHandlers.ts"
import * as SubscriptionHandlers from "./operator/SubscriptionHandlers.ts"
import * as TaskHandlers from "./operator/TaskHandlers.ts"
import * as TwoPeople from "./operator/TwoPeople.ts"
import * as UnknownHandlers from "./operator/UnknownHandlers.ts"
import * as Pages from "./Pages.ts"

/** Makes handlers that only read: their reads hold up no payment. */
const aside = Effect.updateService(Store, readingAside)

const makeHandlers = Effect.gen(function* () {
  const handlers: Omit<OperatorHandler.Handlers, TwoPeople.Names> = {
    ...(yield* aside(NowHandlers.make)),
    ...(yield* aside(LogHandlers.make)),
    ...(yield* AccountHandlers.make),
    ...(yield* BookingHandlers.make),
    ...(yield* CallbackHandlers.make),
    ...(yield* KeyHandlers.make),
    ...(yield* FollowUpHandlers.make),
    ...(yield* InquiryHandlers.make),
    ...(yield* MerchantHandlers.make),
    ...(yield* aside(OrderHandlers.make)),
    ...(yield* PayoutHandlers.make),
    ...(yield* ReconciliationHandlers.make),
    ...(yield* RetentionHandlers.make),
    ...(yield* ResolveHandlers.make),
    ...(yield* SubscriptionHandlers.make),
    ...(yield* TaskHandlers.make),
    ...(yield* aside(UnknownHandlers.make))
  }
  return handlers
})

export const make = Effect.gen(function* () {
  const byName = new Map<OperatorApi.Name, OperatorHandler.Route>()
  const handlers: OperatorHandler.Handlers = {
    ...(yield* makeHandlers),
    ...(yield* TwoPeople.handlers((name) => (OperatorApi.isName(name) ? byName.get(name) : undefined)))
  }
  const gate = yield* OrderGate
  const hold = yield* TwoPeople.hold
  const routeOf = <N extends OperatorApi.Name>(name: N) =>
    OperatorHandler.route<OperatorApi.Operations[N]>(
      OperatorApi.operations[name],
      OperatorHandler.gated(gate, OperatorApi.operations[name], handlers[name]),
      hold
    )
  for (const name of OperatorApi.names) byName.set(name, routeOf(name))
  const routes = [
    ...byName.values(),
    OperatorHandler.route(OperatorApi.approvals.decideApproval, yield* ApprovalApi.makeDecision)
  ]
  const handler: Pages.OperatorHandler = (request) => OperatorHandler.answer(routes, request)
  return handler
})

/** Adds the interface, the console and the second step of the sign-in to what operators are answered. */
export const layer = Layer.mergeAll(Pages.operatorLayer(make), Console.layer, SecondFactors.layer)
