/** What orders ask of the capability that authenticates cardholders (3-D Secure). */
import { Context, type Effect } from "effect"
import type * as Decision from "../kernel/Decision.ts"
import type { Job } from "../kernel/Job.ts"
import type { Claim } from "../kernel/Jobs.ts"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import type { ThreeDSMode } from "../merchants/EndpointRules.ts"
import type { CannotOpen } from "../vault/KeyVault.ts"
import type { CardholderProof } from "./Acquirer.ts"
import type { Browser } from "./CustomerBrowser.ts"
import type { Order } from "./Order.ts"

/** The party that runs the authentication, and what the request says of the customer's browser. */
export interface Authenticating {
  readonly mode: ThreeDSMode
  readonly browser: Browser
}

export class AuthenticationGate extends Context.Service<
  AuthenticationGate,
  {
    /** Whether the endpoint's payments are authenticated, and who runs it: known before anything is written. */
    readonly plan: (endpoint: Endpoint) => "off" | ThreeDSMode
    /** The first authentication of an order; a secret page address is drawn for it. */
    readonly gate: (authenticating: Authenticating) => Gate
    /** What the authentication of an order proved; undefined: it had none, or that proved nothing. */
    readonly proof: (order: Order) => Effect.Effect<CardholderProof | undefined, StoreUnavailable | CannotOpen>
  }
>()("@pay/gateway/AuthenticationGate") {}

/** What is written with the order, and the job that goes on instead of the bank's. */
export interface Opened {
  readonly writes: ReadonlyArray<Decision.Write>
  readonly item: Job
}

/** What a payment goes through before its bank is asked: opened in the commit that creates its order. */
export type Gate = (order: Order, at: { readonly nowMs: number; readonly claim: Claim | undefined }) => Opened
