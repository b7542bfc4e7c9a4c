/** A gateway as its merchants and their customers reach it through the network, and the bookings of its bank and rail. */
import type { PageAnswer } from "@pay/gateway/Gateway"
import type { Profile } from "@pay/transport/Profile"
import type { Wire } from "@pay/transport/Wire"
import type { Effect } from "effect"
import type { ApprovedBooking } from "../Intents.ts"

export interface RemoteGateway {
  readonly baseUrl: string
  /** False for the stub gateway, which does only what the specification says. Some flows have no certain result there. */
  readonly isOurs: boolean
  /** The profile that merchants configure. Default: as the gateway describes itself. */
  readonly profile?: Profile
  /** Whether the gateway supports the flow with this name. Default: true. */
  readonly supports?: (flow: string) => boolean
  /** Sends requests of merchants through the network. */
  readonly wire: Wire["Service"]
  /** Opens an address of the gateway or the issuer in a browser, or posts a form to it. Returns undefined without an answer. */
  readonly browse: (url: string, form?: Readonly<Record<string, string>>) => Effect.Effect<PageAnswer | undefined>
  /** Returns what bank and rail approved for orders of this name. */
  readonly approvedBookings: (clientOrderId: string) => Effect.Effect<ReadonlyArray<ApprovedBooking>>
}
