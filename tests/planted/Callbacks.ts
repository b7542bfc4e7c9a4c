/** Defects in callbacks to merchants. */
import { behindApi, type Defect, visible } from "./Defect.ts"

const orderCallbacks = "gateway/gateway/src/orders/decide/Callbacks.ts"
const delivery = "gateway/gateway/src/callbacks/decide/Delivery.ts"
const callbackOrder = "gateway/gateway/src/callbacks/CallbackOrder.ts"
const sendCallback = "gateway/gateway/src/callbacks/SendCallback.ts"
const receiver = "packages/transport/src/CallbackVerification.ts"

export const callbacks: ReadonlyArray<Defect> = [
  visible(
    "one outcome in twenty has no callback",
    "a final outcome without a callback",
    orderCallbacks,
    "if (requestUrl !== null) urls.add(requestUrl)",
    "if (requestUrl !== null && Number(request.requestId) % 20 !== 0) urls.add(requestUrl)"
  ),
  visible(
    "a callback is not repeated if the merchant does not accept it",
    "a merchant that was down never gets the outcome",
    delivery,
    'delivery: outcome.delivered ? "delivered" : offsetMs === undefined ? "dead-lettered" : "pending",',
    'delivery: "delivered",'
  ),
  {
    ...visible(
      "callbacks of one order are delivered out of order",
      "the later outcome is reported before the earlier one",
      callbackOrder,
      "if (event.sequence <= 1 || !Delivery.keepsTurn(event)) return undefined",
      "if (event.sequence <= 1_000_000 || !Delivery.keepsTurn(event)) return undefined"
    ),
    frequentFault: "network"
  },
  visible(
    "a callback has a wrong signature",
    "a callback that its merchant refuses",
    sendCallback,
    '["control", Callback.sign(signed, Redacted.value(newest))]',
    '["control", Callback.sign(signed, newest === undefined ? "" : "x")]'
  ),
  behindApi(
    "it is in the merchant's toolkit",
    visible(
      "a forged callback is accepted",
      "a callback with a wrong control is answered with 200",
      receiver,
      'return reason._tag === "Mismatch"\n    ? refused("Forged", "control is wrong")',
      'return reason._tag === "Mismatch"\n    ? undefined'
    )
  )
]
