/** A gateway as its merchants and their customers reach it, and what its bank and rail did for them. */
import type { PageAnswer } from "@pay/gateway/Pages"
import type { Profile } from "@pay/transport/Profile"
import type { Wire } from "@pay/transport/Wire"
import type { Effect } from "effect"
import type { ApprovedBooking } from "../Intents.ts"

export interface RemoteGateway {
  readonly baseUrl: string
  /** Else it does what the specification says, and nothing else: some flows have no certain end there. */
  readonly isOurs: boolean
  /** What its merchants know of it. Default: what it says itself. */
  readonly profile?: Profile
  /** Whether it is of use for this flow, by name. Default: for all. */
  readonly takes?: (flow: string) => boolean
  /** Requests of merchants, through the network. */
  readonly wire: Wire["Service"]
  /** A browser gets an address of the gateway or the issuer, or posts a form to it; undefined: there is no answer. */
  readonly browse: (url: string, form?: Readonly<Record<string, string>>) => Effect.Effect<PageAnswer | undefined>
  /** What bank and rail approved for orders of this name. */
  readonly booked: (clientOrderId: string) => Effect.Effect<ReadonlyArray<ApprovedBooking>>
}
