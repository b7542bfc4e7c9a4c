/**
 * Merchants, their endpoints and keys: what a configuration file says, checked once and laid out for look-ups. A path's
 * number is an endpoint or a group; both share one number space (decisions: money and signing).
 */

import type { KeyObject } from "node:crypto"
import * as EndpointId from "@pay/schema/EndpointId"
import * as RsaKey from "@pay/signing/RsaKey"
import { Context, Data, Effect, type Redacted, Result, Schema } from "effect"
import type * as Risk from "./domain/Risk.ts"
import * as RiskRules from "./RiskRules.ts"

const Text = Schema.String.check(Schema.isMinLength(1))
const Amount = Schema.String.check(Schema.isPattern(/^[0-9]{1,12}(\.[0-9]{1,4})?$/))

const EndpointConfig = Schema.Struct({
  id: Text,
  /** ISO 4217 codes that the endpoint takes. */
  currencies: Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))),
  /** Operation names of the contract; left out: every one that the gateway serves. */
  operations: Schema.optionalKey(Schema.Array(Text)),
  enabled: Schema.optionalKey(Schema.Boolean),
  /** Which form of the amount `control` covers: ISO minor units, or the amount times 100 whatever the currency. */
  controlAmount: Schema.optionalKey(Schema.Literals(["minor", "x100"])),
  /** A payment above this amount ends `filtered`; by currency, in major units. */
  maxAmount: Schema.optionalKey(Schema.Record(Schema.String, Amount)),
  /** Further rules whose breach ends a payment `filtered`. */
  risk: Schema.optionalKey(RiskRules.Config),
  /**
   * Who runs 3-D Secure in the browser, the gateway on its own pages or the merchant by uploads; `off`: cards are charged
   * without. Left out: `gateway` where a 3-D Secure server is provided, else `off`.
   */
  threeds: Schema.optionalKey(Schema.Literals(["off", "gateway", "merchant"])),
  /** What becomes of a payment whose card the issuer cannot authenticate (`U`); left out: `decline`. */
  threedsUnavailable: Schema.optionalKey(Schema.Literals(["decline", "proceed"])),
  /** Shown on the cardholder's statement. */
  descriptor: Schema.optionalKey(Schema.String)
})

const MerchantConfig = Schema.Struct({
  login: Text.check(Schema.isMaxLength(20)),
  name: Schema.optionalKey(Schema.String),
  /** The newest first; the older ones are still accepted. */
  controlKeys: Schema.NonEmptyArray(Schema.RedactedFromValue(Text, { label: "control key" })),
  /** PEM, for operations signed with RSA-SHA256. */
  publicKeys: Schema.optionalKey(Schema.Array(Text)),
  endpoints: Schema.NonEmptyArray(EndpointConfig),
  groups: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Text, endpoints: Schema.NonEmptyArray(Text) })))
})

/** The `merchants` part of a configuration file. */
export const Config = Schema.Array(MerchantConfig)
export type Config = typeof Config.Type

export interface Endpoint {
  readonly id: string
  /** Switched off: replays and status are still answered, nothing new is taken. */
  readonly enabled: boolean
  readonly currencies: ReadonlySet<string>
  /** Undefined: every operation that the gateway serves. */
  readonly operations: ReadonlySet<string> | undefined
  readonly controlAmount: "minor" | "x100"
  readonly maxAmount: Readonly<Record<string, string>>
  /** `maxAmount` and `risk`, as they are judged. */
  readonly risk: Risk.Rules
  readonly descriptor: string | undefined
  /** Undefined: as it is decided where a 3-D Secure server is known. */
  readonly threeds: "off" | "gateway" | "merchant" | undefined
  readonly threedsUnavailable: "decline" | "proceed"
}

export interface Merchant {
  readonly login: string
  /** What customers and issuers read. */
  readonly name: string
  /** The newest first: it signs what we send; each is accepted. */
  readonly controlKeys: readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]
  readonly publicKeys: ReadonlyArray<KeyObject>
}

/** Where a path's number leads: one merchant, and the endpoints it may mean, in the order of the group. */
export interface Route {
  readonly pathId: string
  readonly merchant: Merchant
  readonly endpoints: ReadonlyArray<Endpoint>
}

export class DirectoryError extends Data.TaggedError("DirectoryError")<{ readonly message: string }> {}

export class Directory extends Context.Service<
  Directory,
  {
    /** Undefined for a number that nobody has. */
    readonly route: (pathId: string) => Route | undefined
    readonly merchant: (login: string) => Merchant | undefined
    /** The endpoint with this number; groups have none. */
    readonly endpoint: (id: string) => Endpoint | undefined
    readonly merchants: ReadonlyArray<Merchant>
  }
>()("@pay/gateway/Directory") {}

/** Checks what a schema cannot: keys that parse, numbers used once, groups of known endpoints, logins used once. */
export const make = Effect.fn("Directory.make")(function* (config: Config) {
  const routes = new Map<string, Route>()
  const merchants = new Map<string, Merchant>()
  const endpoints = new Map<string, Endpoint>()
  const refuse = (message: string) => new DirectoryError({ message })
  const claim = (id: string, route: Route) => {
    if (EndpointId.parse(id) !== id)
      return refuse(`"${id}" is not an endpoint number: decimal, without leading zeros, below 2^63`)
    if (routes.has(id)) return refuse(`the number ${id} is used twice; endpoints and groups share one number space`)
    routes.set(id, route)
    return undefined
  }
  for (const entry of config) {
    if (merchants.has(entry.login)) return yield* refuse(`the login ${entry.login} is used twice`)
    const publicKeys: Array<KeyObject> = []
    for (const pem of entry.publicKeys ?? []) {
      const key = RsaKey.publicFromPem(pem)
      if (!key.ok) return yield* refuse(`a public key of ${entry.login} cannot be used: ${key.reason._tag}`)
      publicKeys.push(key.key)
    }
    const merchant: Merchant = {
      login: entry.login,
      name: entry.name ?? entry.login,
      controlKeys: entry.controlKeys,
      publicKeys
    }
    merchants.set(entry.login, merchant)
    const own = new Map<string, Endpoint>()
    for (const endpoint of entry.endpoints) {
      const risk = RiskRules.make(endpoint.maxAmount ?? {}, endpoint.risk ?? {})
      if (Result.isFailure(risk)) return yield* refuse(`endpoint ${endpoint.id}: ${risk.failure}`)
      const value: Endpoint = {
        id: endpoint.id,
        enabled: endpoint.enabled ?? true,
        currencies: new Set(endpoint.currencies),
        operations: endpoint.operations === undefined ? undefined : new Set(endpoint.operations),
        controlAmount: endpoint.controlAmount ?? "minor",
        maxAmount: endpoint.maxAmount ?? {},
        risk: risk.success,
        descriptor: endpoint.descriptor,
        threeds: endpoint.threeds,
        threedsUnavailable: endpoint.threedsUnavailable ?? "decline"
      }
      own.set(endpoint.id, value)
      endpoints.set(endpoint.id, value)
      const problem = claim(endpoint.id, { pathId: endpoint.id, merchant, endpoints: [value] })
      if (problem !== undefined) return yield* problem
    }
    for (const group of entry.groups ?? []) {
      const members: Array<Endpoint> = []
      for (const id of group.endpoints) {
        const endpoint = own.get(id)
        if (endpoint === undefined)
          return yield* refuse(`group ${group.id} names the endpoint ${id}, which ${entry.login} does not have`)
        members.push(endpoint)
      }
      if (new Set(members.map(({ controlAmount }) => controlAmount)).size > 1)
        return yield* refuse(`the endpoints of group ${group.id} differ in controlAmount: a signature means one amount`)
      const problem = claim(group.id, { pathId: group.id, merchant, endpoints: members })
      if (problem !== undefined) return yield* problem
    }
  }
  return Directory.of({
    route: (pathId) => routes.get(pathId),
    merchant: (login) => merchants.get(login),
    endpoint: (id) => endpoints.get(id),
    merchants: [...merchants.values()]
  })
})
