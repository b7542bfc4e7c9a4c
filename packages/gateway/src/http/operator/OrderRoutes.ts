/** `POST /operator/orders/search`, `GET /operator/orders/{orderid}`: no card data and no way to reach the customer, but what answers "why". */
import * as Money from "@pay/schema/Money"
import { Effect, Schema } from "effect"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import * as SearchOrders from "../../operators/SearchOrders.ts"
import * as ShowOrder from "../../operators/ShowOrder.ts"
import * as Lifecycle from "../../orders/Lifecycle.ts"
import type { Order } from "../../orders/Order.ts"
import * as AuditRoutes from "./AuditRoutes.ts"
import * as CallbackRoutes from "./CallbackRoutes.ts"
import * as ResolveRoutes from "./ResolveRoutes.ts"
import { json, type Route, read, time, timeOf, timeOrNull, wrong } from "./Route.ts"

const head = (order: Order) => ({
  id: order.orderId,
  merchant: order.merchantId,
  merchantOrder: order.clientOrderId,
  endpoint: order.endpointId,
  kind: order.kind,
  state: order.state,
  status: Lifecycle.states[order.state].wire,
  filteredBy: order.filteredBy,
  amount: Money.fromMinor(order.amountMinor, order.currency),
  currency: order.currency,
  card: order.bin === "" ? null : `${order.bin}…${order.lastFour}`,
  moving: order.movingCount,
  created: time(order.createdAtMs)
})

const shown = ({
  audit,
  callbacks,
  cardHash,
  due,
  entries,
  evidence,
  order,
  payout,
  requests,
  resolutions
}: ShowOrder.Shown) => ({
  ...head(order),
  ...(cardHash === undefined ? {} : { cardHash }),
  ...(payout === undefined
    ? {}
    : { destinationKind: payout.destinationKind, destination: payout.masked, recipient: payout.recipient }),
  amountMinor: order.amountMinor,
  authorizedMinor: order.authorizedMinor,
  capturedMinor: order.capturedMinor,
  returnedMinor: order.returnedMinor,
  errorCode: order.errorCode,
  errorMessage: order.errorMessage,
  requests: requests.map((request) => ({
    id: request.requestId,
    serialNumber: SerialNumber.first(request.requestId),
    operation: request.operation,
    progress: request.progress,
    amountMinor: request.amountMinor,
    errorCode: request.errorCode,
    errorMessage: request.errorMessage,
    accepted: time(request.acceptedAtMs),
    finished: timeOrNull(request.finishedAtMs)
  })),
  due: due.map(({ dueAtMs, kind, subject, tries }) => ({ kind, subject, due: time(dueAtMs), tries })),
  ledger: entries.map(({ account, atMs, cause, minor, requestId }) => ({
    at: time(atMs),
    request: requestId,
    cause,
    account,
    minor
  })),
  callbacks: callbacks.map(CallbackRoutes.listed),
  evidence: evidence.map(({ answer, atMs, reference }) => ({ at: time(atMs), reference, answer })),
  resolutions: resolutions.map((row) => ResolveRoutes.told(row, order.currency)),
  audit: audit.map(AuditRoutes.told)
})

const Time = Schema.String.check(Schema.makeFilter((text) => typeof timeOf(text) === "number" || "is not a time"))
const Digits = Schema.String.check(Schema.isPattern(/^\d{12,19}$/))

/** What may be looked for; JSON, so that a card number stands in no address. */
const Search = Schema.Struct({
  merchant: Schema.optionalKey(Schema.String),
  clientOrderId: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Literals(["processing", "unknown", "approved", "declined", "error", "filtered"])),
  state: Schema.optionalKey(
    Schema.String.pipe(Schema.refine((text): text is Lifecycle.State => Object.hasOwn(Lifecycle.states, text)))
  ),
  lastFour: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}$/))),
  card: Schema.optionalKey(
    Schema.Struct({
      number: Schema.RedactedFromValue(Digits, { label: "card number" }),
      month: Schema.String.check(Schema.isPattern(/^\d{1,2}$/)),
      year: Schema.String.check(Schema.isPattern(/^\d{4}$/))
    })
  ),
  amount: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{1,10}(\.\d{1,4})?$/))),
  currency: Schema.optionalKey(Schema.String),
  filteredBy: Schema.optionalKey(Schema.String),
  unknownForMs: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  from: Schema.optionalKey(Time),
  to: Schema.optionalKey(Time),
  after: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
})

const millis = (text: string | undefined): number | undefined => {
  const at = text === undefined ? undefined : timeOf(text)
  return at === "wrong" ? undefined : at
}

export const make = Effect.gen(function* () {
  const show = yield* ShowOrder.make
  const search = yield* SearchOrders.make
  const routes: ReadonlyArray<Route> = [
    {
      method: "POST",
      path: "/operator/orders/search",
      run: read(Search, ({ after: cursor, from, limit = 100, to, ...asked }) => {
        const after = cursor === undefined ? undefined : KeysetPage.read(cursor)
        if (cursor !== undefined && after === undefined) return Effect.succeed(wrong("after is the next of a page"))
        if (asked.merchant === undefined && (asked.card ?? asked.clientOrderId) !== undefined)
          return Effect.succeed(wrong("a card and a clientOrderId are looked for within one merchant: give merchant"))
        const [fromMs, toMs] = [millis(from), millis(to)]
        const criteria = {
          ...asked,
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs })
        }
        return Effect.map(search(criteria, { limit, ...(after && { after }) }), ({ looked, next, orders }) =>
          json(200, { orders: orders.map(head), looked, ...(next && { next: KeysetPage.written(next) }) })
        )
      })
    },
    {
      method: "GET",
      path: "/operator/orders/:order",
      run: ({ params }) =>
        Effect.map(show(params.order ?? ""), (found) =>
          found === undefined ? json(404, { error: "there is no such order" }) : json(200, shown(found))
        )
    }
  ]
  return routes
})
