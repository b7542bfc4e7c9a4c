/** The gateway for tests, as its users see it. */
import type { Browser, Client, ClientOptions } from "./Client.ts"

/** One request that the bank or the payout rail has booked. */
export interface Booking {
  /** What was requested: `authorize`, `capture`, `void`, `refund` or `pay`. */
  readonly kind: string
  readonly orderId: string
  readonly clientOrderId: string
  /** The amount as a decimal text: `42.00`. */
  readonly amount: string
  readonly currency: string
  /** Whether the bank approved the request. A declined one moves no money. */
  readonly approved: boolean
  /** Whether an authorization was captured at once, as for a sale. */
  readonly captured: boolean
  readonly bookedAt: Date
}

/**
 * Endpoints by their currency; `x100`: `control` covers the amount times 100; `limited`: payments above 100.00 end as filtered;
 * `threeds3dsGateway`, `threedsMerchant`: 3-D Secure on pages of the gateway, or of the merchant; `approval`: payouts wait for a second
 * person; `jsonCallbacks`: callbacks are posted as JSON; `group`: the group of the endpoints by currency.
 */
export type EndpointName =
  | "usd"
  | "eur"
  | "jpy"
  | "kwd"
  | "x100"
  | "limited"
  | "threeds3dsGateway"
  | "threedsMerchant"
  | "approval"
  | "jsonCallbacks"
  | "group"

/** A callback of the gateway, as it was sent. */
export interface SentCallback {
  /** The address with its whole query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of a callback that is posted. */
  readonly body?: string | undefined
}

/** The options of a gateway for tests. */
export interface TestGatewayOptions {
  /** The endpoint of calls that name none. Default: `endpoints.usd`. */
  readonly endpointId?: string
  /**
   * Receives the callbacks for addresses that are not on this machine, and returns the HTTP status of the answer. Default: each is
   * accepted with 200. Callbacks for an address on this machine, such as `http://127.0.0.1:3000/callback`, are sent to it.
   */
  readonly onCallback?: (callback: SentCallback) => number | Promise<number>
}

/** A gateway with everything that a test needs of it. */
export interface TestGateway {
  /** The client of the gateway's merchant. */
  readonly pay: Client
  /** Makes another client of the merchant: `client({ endpointId: gateway.endpoints.eur })`. */
  readonly client: (options?: Partial<ClientOptions>) => Client
  /** The address of the gateway, on a free port of this machine. */
  readonly baseUrl: string
  /** The settings of the merchant's client, for a shop that reads them with `Pay.fromEnv`: `PAY_BASE_URL` and others. */
  readonly env: Readonly<Record<string, string>>
  /** The ids of endpoints by what they do. */
  readonly endpoints: Readonly<Record<EndpointName, string>>
  /**
   * Moves the gateway's time forward through everything that becomes due, in order: holds lapse, subscriptions are charged, callbacks
   * are repeated. `30 minutes`, `7 days`, `1 month`; a month ends on the same day of the next one.
   */
  readonly advance: (duration: string) => Promise<void>
  /** Waits until the bank has answered and all callbacks that are due are delivered. */
  readonly settled: () => Promise<void>
  /** Returns what the simulated bank and the payout rail have booked, in all or for an order. */
  readonly books: (order?: { readonly orderId: string }) => Promise<ReadonlyArray<Booking>>
  /** Returns all callbacks so far, repeated ones too, in the order in which they were sent. */
  readonly callbacks: () => Promise<ReadonlyArray<SentCallback>>
  /**
   * A customer who passes 3-D Secure, fails it or goes away, in the place of a browser. `client` makes the payment; default: `pay`.
   *
   * @example
   * const { threedsMerchant: endpointId } = gateway.endpoints
   * await gateway.pay.cardSale({ ...payment, endpointId }, { browser: gateway.customer("pass") })
   */
  readonly customer: (choice: "pass" | "fail" | "abandon", client?: Client) => Browser
  /** Stops the gateway. Calls of its clients that still wait, for a customer who never comes for example, end with an error. */
  readonly close: () => Promise<void>
}
