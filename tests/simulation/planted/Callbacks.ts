/** Defects in callbacks to merchants. */
import { behindApi, type Planted, visible } from "./Patch.ts"

const news = "packages/gateway/src/orders/Callbacks.ts"
const delivery = "packages/gateway/src/callbacks/Delivery.ts"
const deliver = "packages/gateway/src/callbacks/DeliverCallback.ts"
const receiver = "packages/transport/src/CallbackReceiver.ts"

export const callbacks: ReadonlyArray<Planted> = [
  visible(
    "one outcome in twenty is not announced",
    "a final outcome without a callback",
    news,
    "if (requestUrl !== null) urls.add(requestUrl)",
    "if (requestUrl !== null && Number(request.requestId) % 20 !== 0) urls.add(requestUrl)"
  ),
  visible(
    "a callback that is not accepted is not delivered again",
    "a merchant that was down never gets the outcome",
    delivery,
    'delivery: outcome.delivered ? "delivered" : offsetMs === undefined ? "parked" : "pending",',
    'delivery: "delivered",'
  ),
  {
    ...visible(
      "callbacks of one order overtake each other",
      "the later outcome is reported before the earlier one",
      deliver,
      "if (event.sequence > 1 && Delivery.keepsTurn(event)) {",
      "if (event.sequence > 1_000_000 && Delivery.keepsTurn(event)) {"
    ),
    frequentFault: "network"
  },
  visible(
    "a callback is signed with nothing",
    "a callback that its merchant refuses",
    deliver,
    "control=${Callback.sign(signed, Redacted.value(newest))}",
    "control=${Callback.sign(signed, newest === undefined ? '' : 'x')}"
  ),
  behindApi(
    "is in the merchant's toolkit",
    visible(
      "a forged callback is believed",
      "a callback with a wrong control is answered with 200",
      receiver,
      'return reason._tag === "Mismatch"\n    ? refused("Forged", "control is wrong")',
      'return reason._tag === "Mismatch"\n    ? Result.void'
    )
  )
]
