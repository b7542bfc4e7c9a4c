/** A card is kept when its owner says so, from an order that it has paid. What is done twice is done once. */
import { Durable } from "@pay/flows/durable"
import { Effect } from "effect"
import type { Order } from "../orders/Orders.ts"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { Problem } from "../web/Visitor.ts"

const sorry = new Problem({ status: 400, says: "This did not work now. Please try again later." })

/** Asks the gateway for a reference to the card of the order. Where that takes long, the flow keeps the card by itself. */
export const keep = Effect.fn("KeptCards.keep")(
  function* ({ gatewayId, id, lastFour, status, way }: Order) {
    if (status !== "approved" || gatewayId === null || lastFour === null) return yield* sorry
    const { endpoints } = yield* Settings
    const { again, ended } = yield* Durable
    yield* again(Payments.keep, { client_orderid: id, orderid: gatewayId, endpointId: endpoints[way] })
    const standing = yield* Effect.timeoutOption(ended(Payments.keep, `${id}/tokenize`), "5 seconds")
    if (standing._tag === "Some" && standing.value._tag !== "Succeeded") return yield* sorry
  },
  Effect.catchTags({
    PayloadDiffers: Effect.die,
    PayloadInvalid: Effect.die,
    NotStarted: Effect.die,
    SqliteError: Effect.die,
    CommitUnknown: Effect.die
  })
)
