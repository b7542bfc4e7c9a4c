/**
 * Merchants, their endpoints and the keys that count now, laid out for look-ups that only read memory. A path's number is
 * an endpoint or a group; both share one number space (decisions: money and signing).
 */

import type { KeyObject } from "node:crypto"
import type { Dialect } from "@pay/schema/Dialect"
import { Context, Data, type Redacted } from "effect"
import type * as Risk from "../risk/Risk.ts"
import type { Brand } from "./Brand.ts"
import { Config } from "./MerchantConfig.ts"

export { Config }

export interface Endpoint {
  readonly id: string
  /** Switched off: replays and status are still answered, money is given back (return, void), nothing new is taken. */
  readonly enabled: boolean
  readonly currencies: ReadonlySet<string>
  /** Undefined: every operation that the gateway serves. */
  readonly operations: ReadonlySet<string> | undefined
  /** The dialects in which it takes requests. */
  readonly dialects: ReadonlySet<Dialect>
  readonly controlAmount: "minor" | "x100"
  /** `amount`: capture and return of this endpoint's orders are taken only with amount and currency. */
  readonly actingControl: "any" | "amount"
  readonly maxAmount: Readonly<Record<string, string>>
  /** `maxAmount` and `risk`, as they are judged. */
  readonly risk: Risk.Rules
  readonly descriptor: string | undefined
  /** The look of its hosted pages. */
  readonly brand: Brand
  /** Undefined: as it is decided where a 3-D Secure server is known. */
  readonly threeds: "off" | "gateway" | "merchant" | undefined
  readonly threedsUnavailable: "decline" | "proceed"
  /** Whatever moves money out of the merchant's balance waits for an approver. */
  readonly payoutApproval: boolean
  /**
   * Decides what happens when the bank approves after the order has ended without the approval: `review` leaves it to an
   * operator, `reverse` asks the bank at once to give the money back.
   */
  readonly unexpectedApproval: "review" | "reverse"
  /** Minor units by currency; a currency that is not named has no limit. */
  readonly payoutMaxMinor: Readonly<Record<string, number>>
  /** IANA name. */
  readonly timeZone: string
  /** Occurrences of one recurring payment that are charged after an outage, the latest. */
  readonly catchUpOccurrences: number
}

/** A person who approves payouts. */
export interface Approver {
  readonly name: string
  /** Ed25519: no request to the API can be signed with it. */
  readonly key: KeyObject
}

export interface Merchant {
  readonly login: string
  /** What customers and issuers read. */
  readonly name: string
  /** Those that count now, the newest first: it signs what we send. None: nothing is accepted, and nothing can be signed. */
  readonly controlKeys: ReadonlyArray<Redacted.Redacted<string>>
  readonly publicKeys: ReadonlyArray<KeyObject>
  readonly approvers: ReadonlyArray<Approver>
  /** Its new orders and cards have numbers that fit 31 bits. */
  readonly hasShortNumbers: boolean
}
/** The merchant that a path's number names, and the endpoints that it may mean. The endpoints are in the order of the group. */
export interface Route {
  readonly pathId: string
  readonly merchant: Merchant
  readonly endpoints: ReadonlyArray<Endpoint>
}

/** The description of the merchants is not right; every problem in words for an operator. */
export class DirectoryError extends Data.TaggedError("DirectoryError")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return this.problems.join("\n")
  }
}

export class Directory extends Context.Service<
  Directory,
  {
    /** Undefined for a number that nobody has. */
    readonly route: (pathId: string) => Route | undefined
    readonly merchant: (login: string) => Merchant | undefined
    /** The endpoint with this number; groups have none. */
    readonly endpoint: (id: string) => Endpoint | undefined
    readonly merchants: () => ReadonlyArray<Merchant>
  }
>()("@pay/gateway/Directory") {}
