/**
 * What the gateway's own operators may ask, in JSON under `/operator/`. Only for peers on loopback; and where a proxy could
 * stand between, only with a token that the deployment has set. Each part of it is a table of routes in `operator/`.
 */
import { Effect, Layer } from "effect"
import { Settings } from "../kernel/Settings.ts"
import * as AuditRoutes from "./operator/AuditRoutes.ts"
import * as BalanceRoutes from "./operator/BalanceRoutes.ts"
import * as BookingRoutes from "./operator/BookingRoutes.ts"
import * as CallbackRoutes from "./operator/CallbackRoutes.ts"
import * as EraseRoutes from "./operator/EraseRoutes.ts"
import * as KeyRoutes from "./operator/KeyRoutes.ts"
import * as MerchantRoutes from "./operator/MerchantRoutes.ts"
import * as Operators from "./operator/Operators.ts"
import * as OrderRoutes from "./operator/OrderRoutes.ts"
import * as ParityRoutes from "./operator/ParityRoutes.ts"
import * as PayoutRoutes from "./operator/PayoutRoutes.ts"
import * as ResolveRoutes from "./operator/ResolveRoutes.ts"
import * as RewrapRoutes from "./operator/RewrapRoutes.ts"
import { json, matcher } from "./operator/Route.ts"
import * as SettlementRoutes from "./operator/SettlementRoutes.ts"
import * as SubscriptionRoutes from "./operator/SubscriptionRoutes.ts"
import * as TaskRoutes from "./operator/TaskRoutes.ts"
import { FurtherPages, type PageHandler } from "./Pages.ts"

export const make = Effect.gen(function* () {
  const routes = [
    ...(yield* AuditRoutes.make),
    ...(yield* BalanceRoutes.make),
    ...(yield* BookingRoutes.make),
    ...(yield* CallbackRoutes.make),
    ...(yield* KeyRoutes.make),
    ...(yield* MerchantRoutes.make),
    ...(yield* OrderRoutes.make),
    ...(yield* ResolveRoutes.make),
    ...(yield* PayoutRoutes.make),
    ...(yield* ParityRoutes.make),
    ...(yield* EraseRoutes.make),
    ...(yield* SettlementRoutes.make),
    ...(yield* RewrapRoutes.make),
    ...(yield* SubscriptionRoutes.make),
    ...(yield* TaskRoutes.make)
  ].map((route) => ({ match: matcher(route), run: route.run }))
  const { publicBaseUrl } = yield* Settings
  const operators = yield* Operators.Operators

  const handler: PageHandler = (request) =>
    Effect.gen(function* () {
      if (!request.path.startsWith("/operator/")) return undefined
      const admitted = Operators.admission(request, operators, publicBaseUrl)
      if (admitted._tag === "Hidden") return undefined
      if (admitted._tag === "TokenNeeded") return json(401, { error: "give the operator's token" })
      for (const { match, run } of routes) {
        const params = match(request)
        if (params === undefined) continue
        const query = new URLSearchParams(request.query)
        return yield* run({ params, query, body: request.body, operator: admitted.operator })
      }
      return json(404, { error: "there is nothing here" })
    }).pipe(
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.as(
          Effect.logError("The store cannot serve the operator", error),
          json(503, { error: "try again later" })
        )
      )
    )
  return handler
})

/** Before whatever further pages the context has. */
export const layer = Layer.effect(
  FurtherPages,
  Effect.gen(function* () {
    const others = yield* FurtherPages
    return [yield* make, ...others]
  })
)
