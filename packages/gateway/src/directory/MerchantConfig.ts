/** How a configuration file describes merchants, their endpoints and groups of them. */
import { Schema } from "effect"
import * as RiskRules from "../RiskRules.ts"

const Text = Schema.String.check(Schema.isMinLength(1))
const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))
const Amount = Schema.String.check(Schema.isPattern(/^[0-9]{1,12}(\.[0-9]{1,4})?$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const EndpointConfig = Schema.Struct({
  id: Text,
  /** ISO 4217 codes that the endpoint takes. */
  currencies: Schema.NonEmptyArray(Currency),
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
  descriptor: Schema.optionalKey(Schema.String),
  /** Whatever moves money out of the merchant's balance waits for one of the merchant's approvers. */
  payoutApproval: Schema.optionalKey(Schema.Boolean),
  /** A payout above this amount ends `filtered`; by currency, in major units. */
  payoutMaxAmount: Schema.optionalKey(Schema.Record(Schema.String, Amount)),
  /** IANA name; days of recurring payments are days there. Left out: UTC. */
  timeZone: Schema.optionalKey(Text),
  /** Occurrences of one recurring payment that are charged after an outage, the latest; left out: 1. */
  catchUpOccurrences: Schema.optionalKey(Count)
})

/** A person who approves payouts; the key is personal and signs nothing else. */
const ApproverConfig = Schema.Struct({
  name: Text.check(Schema.isMaxLength(64)),
  /** PEM: Ed25519, or RSA of at least 2048 bits. */
  publicKey: Text
})

export const MerchantConfig = Schema.Struct({
  login: Text.check(Schema.isMaxLength(20)),
  name: Schema.optionalKey(Schema.String),
  /** The newest first; taken into the store when they are first seen. Left out: keys are made by the operator. */
  controlKeys: Schema.optionalKey(Schema.Array(Schema.RedactedFromValue(Text, { label: "control key" }))),
  /** PEM, for operations signed with RSA-SHA256; taken into the store when they are first seen. */
  publicKeys: Schema.optionalKey(Schema.Array(Text)),
  approvers: Schema.optionalKey(Schema.Array(ApproverConfig)),
  endpoints: Schema.NonEmptyArray(EndpointConfig),
  groups: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Text, endpoints: Schema.NonEmptyArray(Text) })))
})

/** The `merchants` part of a configuration file. */
export const Config = Schema.Array(MerchantConfig)
export type Config = typeof Config.Type
