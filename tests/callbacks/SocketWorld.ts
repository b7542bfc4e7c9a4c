/** A gateway in this process whose callbacks go over real sockets; its business time moves by `World.pass` alone. */

import { CallbackEvent } from "@pay/gateway/Entities"
import { AddressPolicy, CallbackSenderUndici, NameResolver } from "@pay/gateway/Gateway"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer } from "effect"
import * as World from "../harness/World.ts"

export const layer = (
  sender: Partial<CallbackSenderUndici.Options> = {},
  names: Layer.Layer<NameResolver> = NameResolver.layer
) =>
  World.layer({
    callbacks: CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback, ...sender }).pipe(Layer.provide(names))
  })

/** What the gateway has noted of the order's n-th event. */
export const event = Effect.fnUntraced(function* ({ orderid }: { readonly orderid: string }, sequence = 1) {
  const store = yield* Store
  return yield* store.load(CallbackEvent, [`${orderid}-${sequence}`])
})
