/** A card is kept when its owner says so, from an order that it has paid. What is done twice is done once. */
import { Durable } from "@pay/flows/durable"
import { Tokenize } from "@pay/flows/StoredCard"
import { Effect } from "effect"
import { type Order, Orders } from "./Orders.ts"
import * as Payments from "./Payments.ts"
import { Settings } from "./Settings.ts"
import { Problem } from "./Visitor.ts"
import { Wallet } from "./Wallet.ts"

const sorry = new Problem({ status: 400, says: "This did not work now. Please try again later." })

/** Asks the gateway for a reference to the card of the order. */
export const keep = Effect.fn("KeptCards.keep")(
  function* ({ gatewayId, id, lastFour, status, visitor, way }: Order) {
    if (status !== "approved" || gatewayId === null || lastFour === null) return yield* sorry
    const { endpoints } = yield* Settings
    const { again, ended } = yield* Durable
    const wallet = yield* Wallet
    yield* again(Tokenize, { client_orderid: id, orderid: gatewayId, endpointId: endpoints[way] })
    const standing = yield* ended(Tokenize, `${id}/tokenize`)
    if (standing._tag !== "Succeeded") return yield* sorry
    yield* wallet.keep(visitor, { ref: standing.value.cardRefId, lastFour })
  },
  Effect.catchTags({
    PayloadDiffers: Effect.die,
    NotStarted: Effect.die,
    SqliteError: Effect.die,
    CommitUnknown: Effect.die
  })
)

/** Ends a subscription; what was paid stays paid. */
export const cancel = Effect.fn("KeptCards.cancel")(
  function* ({ id, recurringId }: Order) {
    if (recurringId === null) return yield* sorry
    const { endpoints } = yield* Settings
    const { again, ended } = yield* Durable
    const { wasCancelled } = yield* Orders
    const name = `cancel-${id}`
    const change = { "recurring-payment-id": recurringId, name, change: "cancel" as const, endpointId: endpoints.kept }
    yield* again(Payments.change, change)
    const standing = yield* ended(Payments.change, `${recurringId}/${name}`)
    if (standing._tag !== "Succeeded") return yield* sorry
    yield* wasCancelled(id)
  },
  Effect.catchTags({
    PayloadDiffers: Effect.die,
    NotStarted: Effect.die,
    SqliteError: Effect.die,
    CommitUnknown: Effect.die
  })
)
