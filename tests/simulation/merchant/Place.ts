/** A gateway as its merchants and their customers reach it, and what its bank and rail did for them. */
import type { PageAnswer } from "@pay/gateway/Pages"
import type { Wire } from "@pay/transport/Wire"
import type { Effect } from "effect"
import type { Booked } from "../Effects.ts"

export interface Place {
  readonly baseUrl: string
  /** Requests of merchants, through the network. */
  readonly wire: Wire["Service"]
  /** A browser gets an address of the gateway or the issuer, or posts a form to it; undefined: there is no answer. */
  readonly browse: (url: string, form?: Readonly<Record<string, string>>) => Effect.Effect<PageAnswer | undefined>
  /** What bank and rail approved for orders of this name. */
  readonly booked: (clientOrderId: string) => Effect.Effect<ReadonlyArray<Booked>>
}
