/**
 * Merchants, their endpoints and their active keys, arranged for look-ups that only read memory. The number in a path is that
 * of an endpoint or of a group; both share one number space (docs/assumptions.md#endpoint-groups).
 */

import type { KeyObject } from "node:crypto"
import type { Dialect } from "@pay/schema/Dialect"
import { Context, Data, type Redacted } from "effect"
import type * as Risk from "../risk/Risk.ts"
import type { Brand } from "./Brand.ts"
import { Config } from "./MerchantConfig.ts"
import type { Terminal } from "./Terminal.ts"

export { Config }

/** The form of a callback: a GET with its fields in the query, or a POST of JSON. */
export type CallbackFormat = "query" | "json"

/** A terminal of an endpoint, with the column that orders keep of it. */
export interface EndpointTerminal {
  /** The name of its acquirer; undefined: `defaultAcquirer`. */
  readonly acquirer: string | undefined
  /** Undefined: every currency of the endpoint. */
  readonly currencies: ReadonlySet<string> | undefined
  readonly descriptor: string | undefined
  readonly terminal: Terminal
  readonly column: string
}

export interface Endpoint {
  readonly id: string
  /** `false`: the endpoint still answers replays and status and returns money (return, void), but takes nothing new. */
  readonly enabled: boolean
  readonly currencies: ReadonlySet<string>
  /** `undefined`: every operation that the gateway serves. */
  readonly operations: ReadonlySet<string> | undefined
  /** The dialects in which the endpoint takes requests. */
  readonly dialects: ReadonlySet<Dialect>
  readonly controlAmount: "minor" | "x100"
  readonly callbackFormat: CallbackFormat
  /** `amount`: capture and return of this endpoint's orders are taken only with amount and currency. */
  readonly actingControl: "any" | "amount"
  readonly maxAmount: Readonly<Record<string, string>>
  /** The rules of `maxAmount` and `risk` in their checked form. */
  readonly risk: Risk.Rules
  readonly descriptor: string | undefined
  /** The endpoint's terminals at acquirers. The first one for the currency of an order is used. */
  readonly terminals: ReadonlyArray<EndpointTerminal>
  /** The brand of the endpoint's hosted pages. */
  readonly brand: Brand
  /** `undefined`: `gateway` if the gateway has a 3-D Secure server, else `off`. */
  readonly threeds: "off" | "gateway" | "merchant" | undefined
  readonly threedsUnavailable: "decline" | "proceed"
  /** Whether each movement of money out of the merchant's balance waits for an approver. */
  readonly payoutApproval: boolean
  /**
   * The reaction when the bank approves after the order has ended without the approval. `review` leaves the decision to an
   * operator; `reverse` sends a reversal to the bank at once.
   */
  readonly unexpectedApproval: "review" | "reverse"
  /** Largest payout in minor units, by currency. A currency that is not listed has no limit. */
  readonly payoutMaxMinor: Readonly<Record<string, number>>
  /** IANA name of the time zone in which the days of recurring payments are counted. */
  readonly timeZone: string
  /** Number of missed occurrences of one recurring payment that are charged after an outage: the latest ones. */
  readonly catchUpOccurrences: number
}

/** A person who approves payouts. */
export interface Approver {
  readonly name: string
  /** An Ed25519 key, so that it cannot sign requests to the API. */
  readonly key: KeyObject
}

export interface Merchant {
  readonly login: string
  /** The name that customers and issuers read. */
  readonly name: string
  /**
   * The active control keys, newest first. The first one signs what the gateway sends. If there is none, no `control` is accepted
   * and the gateway cannot sign.
   */
  readonly controlKeys: ReadonlyArray<Redacted.Redacted<string>>
  readonly publicKeys: ReadonlyArray<KeyObject>
  /** Names of the control keys, and fingerprints of the public keys, in the same orders. */
  readonly controlKeyNames: ReadonlyArray<string>
  readonly publicKeyNames: ReadonlyArray<string>
  readonly approvers: ReadonlyArray<Approver>
  /** Whether new orders and cards of the merchant have numbers that fit 31 bits. */
  readonly hasShortNumbers: boolean
}
/** The merchant of the number in a path, and the endpoints to which the number refers, in the order of the group. */
export interface Route {
  readonly pathId: string
  readonly merchant: Merchant
  readonly endpoints: ReadonlyArray<Endpoint>
}

/** The description of the merchants has problems, all in words for an operator. */
export class DirectoryError extends Data.TaggedError("DirectoryError")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return this.problems.join("\n")
  }
}

export class Directory extends Context.Service<
  Directory,
  {
    /** Returns the route of the number in a path; `undefined` if no endpoint and no group has the number. */
    readonly route: (pathId: string) => Route | undefined
    readonly merchant: (login: string) => Merchant | undefined
    /** Returns the endpoint with this number; `undefined` for the number of a group. */
    readonly endpoint: (id: string) => Endpoint | undefined
    readonly merchants: () => ReadonlyArray<Merchant>
  }
>()("@pay/gateway/Directory") {}
