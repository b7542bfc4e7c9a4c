/** `GET /operator/orders/{orderid}`: no card data and no way to reach the customer, but what answers "why". */
import { Effect } from "effect"
import * as SerialNumber from "../../domain/SerialNumber.ts"
import * as ShowOrder from "../../usecases/ShowOrder.ts"
import { json, type Route, time } from "./Route.ts"

const shown = ({ order, requests }: ShowOrder.Shown) => ({
  id: order.orderId,
  merchant: order.merchantId,
  merchantOrder: order.clientOrderId,
  endpoint: order.endpointId,
  kind: order.kind,
  state: order.state,
  filteredBy: order.filteredBy,
  currency: order.currency,
  amountMinor: order.amountMinor,
  authorizedMinor: order.authorizedMinor,
  capturedMinor: order.capturedMinor,
  returnedMinor: order.returnedMinor,
  created: time(order.createdAtMs),
  requests: requests.map(({ acceptedAtMs, amountMinor, errorCode, errorMessage, operation, progress, requestId }) => ({
    serialNumber: SerialNumber.first(requestId),
    operation,
    progress,
    amountMinor,
    errorCode,
    errorMessage,
    accepted: time(acceptedAtMs)
  }))
})

export const make = Effect.gen(function* () {
  const show = yield* ShowOrder.make
  const routes: ReadonlyArray<Route> = [
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
