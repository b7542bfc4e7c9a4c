/** What orders ask of the capability that authenticates cardholders (3-D Secure). */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import type { Mode } from "../merchants/ThreeDSMode.ts"
import type { CannotOpen } from "../vault/KeyVault.ts"
import type { CardholderProof } from "./Acquirer.ts"
import type { Browser } from "./CustomerBrowser.ts"
import type { Gate } from "./Gate.ts"
import type { Order } from "./Order.ts"

/** Who runs the authentication, and what the request says of the customer's browser. */
export interface Authenticating {
  readonly mode: Mode
  readonly browser: Browser
}

export class AuthenticationGate extends Context.Service<
  AuthenticationGate,
  {
    /** Whether the endpoint's payments are authenticated, and who runs it: known before anything is written. */
    readonly plan: (endpoint: Endpoint) => "off" | Mode
    /** The first authentication of an order; a secret page address is drawn for it. */
    readonly gate: (authenticating: Authenticating) => Gate
    /** What the authentication of an order proved; undefined: it had none, or that proved nothing. */
    readonly proof: (order: Order) => Effect.Effect<CardholderProof | undefined, StoreUnavailable | CannotOpen>
  }
>()("@pay/gateway/AuthenticationGate") {}
