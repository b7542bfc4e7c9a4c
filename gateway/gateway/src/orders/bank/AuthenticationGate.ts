/** The interface through which orders use the capability that authenticates cardholders (3-D Secure). */
import { Context, type Effect } from "effect"
import type * as Decision from "../../kernel/Decision.ts"
import type { Job } from "../../kernel/Job.ts"
import type { Claim } from "../../kernel/Jobs.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import type { ThreeDSMode } from "../../merchants/EndpointRules.ts"
import type { CannotOpen } from "../../vault/KeyVault.ts"
import type { Browser } from "../record/CustomerBrowser.ts"
import type { Order } from "../record/Order.ts"
import type { CardholderProof } from "./Acquirer.ts"

/** The party that runs the authentication, and the browser data of the request. */
export interface Authenticating {
  readonly mode: ThreeDSMode
  readonly browser: Browser
}

export class AuthenticationGate extends Context.Service<
  AuthenticationGate,
  {
    /**
     * Whether payments at the endpoint are authenticated, and by which party. It is decided before anything is written.
     */
    readonly plan: (endpoint: Endpoint) => "off" | ThreeDSMode
    /**
     * Returns the gate of a new order, which opens its first authentication and generates the secret address of its
     * page.
     */
    readonly gate: (authenticating: Authenticating) => Gate
    /** Returns the result of the order's authentication. Undefined: the order had none, or it proved nothing. */
    readonly proof: (order: Order) => Effect.Effect<CardholderProof | undefined, StoreUnavailable | CannotOpen>
  }
>()("@pay/gateway/AuthenticationGate") {}

/** The longest `notificationURL` (EMV 3-D Secure, table A.1). */
const longestNotificationUrl = 256

/**
 * Returns why orders with this return address cannot be authenticated, or `undefined` if they can. A merchant who runs 3-D Secure
 * gives it to the issuer as the `notificationURL`, so it has the length limit of that; the gateway's own pages give their own.
 */
export const redirectFlaw = (
  mode: "off" | ThreeDSMode,
  redirectUrl: string | null | undefined
): { readonly error: "parameterRequired" | "parameterTooLong"; readonly message: string } | undefined => {
  if (mode === "off") return undefined
  if (redirectUrl === undefined || redirectUrl === null) {
    return { error: "parameterRequired", message: "Parameter redirect_url is required" }
  }
  return mode === "merchant" && redirectUrl.length > longestNotificationUrl
    ? {
        error: "parameterTooLong",
        message: `Parameter redirect_url is longer than ${longestNotificationUrl} characters, the limit of the notificationURL of 3-D Secure`
      }
    : undefined
}

/** The rows that are written with the order, and the job that is started in place of the job for the bank. */
export interface BegunAuthentication {
  readonly writes: ReadonlyArray<Decision.Write>
  readonly job: Job
}

/** A step that a payment must complete before its bank is called. It is opened in the commit that creates the order. */
export type Gate = (
  order: Order,
  at: { readonly nowMs: number; readonly claim: Claim | undefined }
) => BegunAuthentication
