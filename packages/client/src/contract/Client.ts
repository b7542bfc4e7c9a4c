/** The types of the client. They need no other package. */
import type { PayError } from "../Errors.ts"
import type { Order } from "./Answers.ts"
import type { ApiAnswers, ApiInputs } from "./Api.ts"
import type { ActionInputs, ActionOutputs, FlowInputs, FlowOutputs, HostedInputs, HostedPage } from "./Flows.ts"
import type { Profile } from "./Profile.ts"

/** A text, or a function that returns it. The function is called before each signature, so that a key can change. */
export type Secret = string | (() => string)

/** A call or a flow that has ended. It has no field of the payer or the card. */
export interface PayEvent {
  /** `Flow.CardSale`, or `POST /api/v2/sale/{endpointId}` for one request of it. */
  readonly name: string
  readonly durationMs: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The options of the client. */
export interface ClientOptions {
  /** The address before `/api/…`: `https://gateway.example/paynet`. */
  readonly baseUrl: string
  readonly login: string
  readonly controlKey: Secret
  /** PEM without a passphrase, at least 2048 bits. Operations signed with RSA need it: payouts, transfers, subscriptions. */
  readonly privateKey?: Secret | undefined
  /** The endpoint or endpoint group of calls that name none. */
  readonly endpointId?: string | undefined
  /** The form of the amount that `control` covers, which is a setting of the gateway's endpoint. Default `minor`. */
  readonly controlAmount?: "minor" | "x100" | undefined
  /**
   * The dialect of the gateway: `specification` (the default), or the older dialect of this protocol family, `paynet`,
   * `checkout`, `payment` or `pairs`, by the path before `/api/`. After it, what the gateway does beyond the specification, if
   * its answers do not announce it: `paynet, idempotency-key, not-found=54`. Or the path of the file that `pay conformance
   * --harmless` wrote: `gateway-profile.json`. Or a profile as a value: `{ ...Pay.profiles.paynet, lacks: ["PAYOUT_V4"] }`.
   */
  readonly profile?: string | Profile | undefined
  /** Largest number of calls in one second. Further calls wait. Default: no limit. */
  readonly callsPerSecond?: number | undefined
  /** Longest duration of one call, in milliseconds. Default 30,000, and 10,000 for operations that only read. */
  readonly callTimeoutMs?: number | undefined
  /** Permits card data over plain http, for a network that no other party can read. Loopback addresses need no permission. */
  readonly allowPlainHttp?: boolean | undefined
  /** The control key before the present one. Callbacks that are signed with it are still accepted. */
  readonly previousControlKey?: Secret | undefined
  /** Called when a call or a flow has ended. */
  readonly onEvent?: ((event: PayEvent) => void) | undefined
  /** Ends all calls of the client that still wait, as the signal of a call does, for example when the program stops. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the runtime's own `fetch`. It must not repeat a request. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** One step of the customer's browser in a payment. */
export interface Visit {
  readonly clientOrderId: string
  readonly orderId: string
  readonly nextAction: NextAction
}

/** A page that posts its form by itself. Send it to the browser unchanged. */
interface SelfPosting {
  readonly html?: string
}

/**
 * What the customer's browser has to do next:
 * - `Redirect`: go to this address, a page of the gateway.
 * - `Page`: show this page of the gateway. It continues by itself.
 * - `Method`: post `threeDSMethodData` to the issuer in a hidden frame, for ten seconds at most.
 * - `BrowserData`: post the browser's facts to the order's `redirectUrl`.
 * - `Challenge`: post `creq` to the issuer.
 * - `PaReq`: post `PaReq`, `MD` and `TermUrl` to the issuer.
 */
export type NextAction =
  | { readonly _tag: "Redirect"; readonly url: string }
  | { readonly _tag: "Page"; readonly html: string }
  | ({
      readonly _tag: "Method"
      readonly url: string
      readonly threeDSMethodData: string
      readonly serverTransId: string
    } & SelfPosting)
  | { readonly _tag: "BrowserData"; readonly serverTransId: string }
  | ({ readonly _tag: "Challenge"; readonly url: string; readonly creq: string } & SelfPosting)
  | ({ readonly _tag: "PaReq"; readonly url: string; readonly pareq: string; readonly md: string } & SelfPosting)

/** Takes the customer's browser to its next page. `client.web` makes one for a web server. */
export type Browser = (visit: Visit) => void | Promise<void>

/** The options of one call. */
export interface RunOptions {
  /**
   * Ends the wait with the signal's reason. A request that was sent cannot be withdrawn, so the outcome is then unknown. Call
   * again with the same values to continue.
   */
  readonly signal?: AbortSignal | undefined
  /** Ends the call as `StillUnknown` after this time, in milliseconds. Call again with the same values to continue. */
  readonly timeoutMs?: number | undefined
  /** The customer's browser. Without one, a payment that needs it ends as `Abandoned`. */
  readonly browser?: Browser | undefined
}

/** The options of one bare operation. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Longest duration of the call, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** The endpoint or endpoint group of this call, instead of the client's own. */
  readonly endpointId?: string | undefined
  /** For operations on an order: two calls with one key have one effect, if the gateway honours keys. */
  readonly idempotencyKey?: string | undefined
}

/** The options of a request for a status. */
export type StatusOptions = Omit<CallOptions, "idempotencyKey">

/** The options of a watch. It ends by its `signal`, or with the order. */
export type WatchOptions = Pick<CallOptions, "endpointId" | "signal">

/** A call that did not succeed. `error.code` is the reason, and `error.retryable` whether the same call may be made again. */
export interface Failure {
  readonly ok: false
  readonly error: PayError
}

/** Success with its values, or failure. A call never throws for a business outcome. */
export type Result<T> = ({ readonly ok: true; readonly error?: undefined } & T) | Failure

/** An order that another call has returned. */
export interface OrderRef {
  readonly clientOrderId: string
  readonly orderId: string
  /** The currency of amounts that are passed without a currency. */
  readonly currency?: string
}

/** The card of a payment. */
export type Card = FlowInputs["cardSale"]["card"]

/** The customer of a payment. */
export type Customer = FlowInputs["cardSale"]["customer"]

/** The methods of flows that begin with fields. */
export type Flows = {
  readonly [Name in keyof FlowInputs]: (
    fields: FlowInputs[Name],
    options?: RunOptions
  ) => Promise<Result<FlowOutputs[Name]>>
}

/** The methods of flows about an order that another call has returned. */
export type Actions = {
  readonly [Name in keyof ActionInputs]: Record<never, never> extends ActionInputs[Name]
    ? (order: OrderRef, details?: ActionInputs[Name], options?: RunOptions) => Promise<Result<ActionOutputs[Name]>>
    : (order: OrderRef, details: ActionInputs[Name], options?: RunOptions) => Promise<Result<ActionOutputs[Name]>>
}

type Hosted = {
  readonly [Name in keyof HostedInputs]: (
    fields: HostedInputs[Name],
    options?: RunOptions
  ) => Promise<Result<HostedPage>>
}

/**
 * Single operations of the gateway. Each call is sent once: after `OutcomeUnknown`, request the `status` before you repeat it.
 */
export type Api = {
  readonly [Name in keyof ApiInputs]: (
    fields: ApiInputs[Name],
    options?: CallOptions
  ) => Promise<Result<{ readonly answer: ApiAnswers[Name] }>>
}

/** A request that your web server has received: of Express, Fastify, Koa or Node, or a `Request` of the web. */
export interface ReceivedRequest {
  readonly method?: string | undefined
  readonly url?: string | URL | undefined
  /** Express: the address before a router has changed it. */
  readonly originalUrl?: string | undefined
  readonly headers?: object | undefined
  /** The body, if the server keeps it as it was received. */
  readonly body?: unknown
  readonly rawBody?: unknown
}

/** A callback with a right signature. It names the order; `status` returns the order's status. */
export interface VerifiedCallback {
  readonly clientOrderId: string
  /** The identifier of one event, equal in all its deliveries. */
  readonly webhookId?: string
}

/** The options of the pages for the customer's browser during 3-D Secure. */
export interface WebOptions {
  /** The base address of the pages, as the browser sees it: `https://shop.example/pay`. */
  readonly url: string
  /** The secret that makes the addresses impossible to guess. Use the same secret in each process and after a restart. */
  readonly secret: string
  /** Returns the address of the order's own page if the payment has ended, otherwise `undefined`. */
  readonly ended: (clientOrderId: string) => string | undefined | Promise<string | undefined>
}

/** An answer for the browser. */
export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The pages of one shop during 3-D Secure. */
export interface Web {
  /** The option `browser` of payments. */
  readonly browser: Browser
  /** The address to which the checkout sends the browser. */
  readonly goUrl: (clientOrderId: string) => string
  /** The `redirectUrl` of the order. */
  readonly backUrl: (clientOrderId: string) => string
  /** Answers a request for one of these addresses. `body` is the posted form as it was received. */
  readonly handle: (request: ReceivedRequest & { readonly body?: string | undefined }) => Promise<WebAnswer>
}

/** The client of one merchant. */
export interface Client extends Flows, Actions {
  /** Payments on a page of the gateway: the merchant never sees a card. */
  readonly hosted: Hosted
  /** Returns an order with its status. The order is your own name of it, or the value of another call. */
  readonly status: (order: string | OrderRef, options?: StatusOptions) => Promise<Result<{ readonly order: Order }>>
  /**
   * Yields the order each time its status changes, until the status is final. Throws after five failed requests in a row, and
   * after a failure that is not retryable.
   */
  readonly watch: (order: string | OrderRef, options?: WatchOptions) => AsyncIterable<Order>
  readonly callbacks: {
    /**
     * Verifies a callback and returns its order. Throws `CallbackRefusedError` if the callback is not from the gateway. `body` is
     * the body of a POST as it was received, if the request does not have it as text or bytes.
     */
    readonly verify: (request: ReceivedRequest | string | URL, body?: string | Uint8Array) => VerifiedCallback
  }
  /** Makes the pages on which the customer's browser waits, goes to the issuer and comes back. */
  readonly web: (options: WebOptions) => Web
  readonly api: Api
}
