/**
 * Decides from facts whether an endpoint's rules let a payment through (docs/assumptions.md#risk-rules). The merchant's
 * operator sees the name of the first broken rule. Customers and merchants receive only the kind of the reason.
 */
import { type Decline, declines } from "@pay/schema/Decline"
import * as EmailAddress from "@pay/schema/EmailAddress"
import * as Entity from "../kernel/Entity.ts"
import type { Range } from "../network/AddressPolicy.ts"
import * as AddressPolicy from "../network/AddressPolicy.ts"
import type { CustomerAddress } from "../network/CustomerAddress.ts"

/** Values by which velocity rules count payments. */
export const counted = ["card", "email", "address"] as const
export type Counted = (typeof counted)[number]

/** A velocity rule: the highest number of payments, or amount of money, of one card, e-mail or address within a time. */
export interface Velocity {
  readonly per: Counted
  readonly withinMs: number
  /** Highest number of payments, the new one included. */
  readonly count: number | undefined
  /** Highest sum in minor units by currency, the new payment included. */
  readonly sumMinor: Readonly<Record<string, number>>
}

/** Entries of a list, in the form in which they are compared. */
export interface List {
  /** First six digits, or keyed hashes of card numbers. */
  readonly card: ReadonlySet<string>
  /** E-mail addresses as `EmailAddress.customer` writes them, or domains as `@shop.example`. */
  readonly email: ReadonlySet<string>
  readonly address: ReadonlyArray<Range>
  /** Countries as ISO 3166-1 codes of two letters; `*` for every country. */
  readonly country: ReadonlySet<string>
}

export interface Rules {
  /** Highest amount of a payment, in minor units by currency. */
  readonly maxMinor: Readonly<Record<string, number>>
  readonly velocity: ReadonlyArray<Velocity>
  readonly block: List
  /**
   * Entries that lift the block list and the velocity rules of their own kind only: an allowed e-mail does not lift the
   * rules of cards.
   */
  readonly allow: List
  /** Prefixes of the key versions with which entries of cards are hashed, such as `v1.`. */
  readonly cardKeys: ReadonlyArray<string>
}

export const emptyList: List = { card: new Set(), email: new Set(), address: [], country: new Set() }

export interface Payer {
  readonly bin: string
  /** All hashes under which the card can be on a list. */
  readonly cardHashes: ReadonlyArray<string>
  readonly email: string
  readonly address: CustomerAddress
  /** Country of the payer's address; undefined if the request has none. */
  readonly country: string | undefined
}

export interface RiskFacts extends Payer {
  /** The card that receives the money of a transfer. */
  readonly recipient?: Pick<Payer, "bin" | "cardHashes"> | undefined
  readonly amountMinor: number
  readonly currency: string
  readonly nowMs: number
  /** The earlier payments that count, by kind, at least as far back as the longest rule of the kind. */
  readonly velocityEntries: Readonly<
    Record<Counted, ReadonlyArray<Pick<VelocityEntry, "atMs" | "currency" | "amountMinor">>>
  >
}

const lists: Readonly<Record<keyof List, (list: List, payer: Payer) => boolean>> = {
  card: ({ card }, { bin, cardHashes }) => card.has(bin) || cardHashes.some((hash) => card.has(hash)),
  email: ({ email: entries }, { email }) => {
    const text = EmailAddress.customer(email)
    return entries.has(text) || entries.has(text.slice(text.lastIndexOf("@")))
  },
  address: ({ address: ranges }, { address }) => AddressPolicy.contains(ranges, address),
  country: ({ country: entries }, { country }) => entries.has("*") || (country !== undefined && entries.has(country))
}

/** The rule that stops a charge of a stored card whose holder has ended all charges. */
export const blockedByCardholder = "block:cardholder"

const kinds = ["card", "email", "address", "country"] as const satisfies ReadonlyArray<keyof List>

const exceeds = (rule: Velocity, { amountMinor, currency, velocityEntries, nowMs }: RiskFacts): boolean => {
  const recent = velocityEntries[rule.per].filter(({ atMs }) => atMs > nowMs - rule.withinMs)
  if (rule.count !== undefined && recent.length + 1 > rule.count) return true
  const limit = rule.sumMinor[currency]
  if (limit === undefined) return false
  const same = recent.filter((entry) => entry.currency === currency)
  return same.reduce((sum, entry) => sum + entry.amountMinor, amountMinor) > limit
}

const secondMs = 1000

/**
 * Returns the name of the first broken rule (`max-amount`, `block:card`, `velocity:email:3600s`); undefined if none is
 * broken.
 */
export const judge = (rules: Rules, facts: RiskFacts): string | undefined => {
  const limit = rules.maxMinor[facts.currency]
  if (limit !== undefined && facts.amountMinor > limit) return "max-amount"
  const sides = facts.recipient === undefined ? [facts] : [facts, { ...facts, ...facts.recipient }]
  const blocked = kinds.find((kind) =>
    sides.some((side) => lists[kind](rules.block, side) && !lists[kind](rules.allow, side))
  )
  if (blocked !== undefined) return `block:${blocked}`
  const broken = rules.velocity.find((rule) => !lists[rule.per](rules.allow, facts) && exceeds(rule, facts))
  return broken === undefined ? undefined : `velocity:${broken.per}:${broken.withinMs / secondMs}s`
}

/** Returns how far back the rules of a kind count; 0 if nothing is counted. */
export const looksBackMs = ({ velocity }: Rules, kind: Counted): number =>
  velocity.reduce((longest, { per, withinMs }) => (per === kind ? Math.max(longest, withinMs) : longest), 0)

/** Highest number of payments that are added up to a sum. It should never be reached. */
const mostSummed = 10_000

/** Returns how many of the newest entries the rules of a kind need: for a count its limit, for a sum all of them. */
export const looksAt = ({ velocity }: Rules, kind: Counted): number =>
  velocity
    .filter(({ per }) => per === kind)
    .reduce(
      (most, { count = 0, sumMinor }) => Math.max(most, count, Object.keys(sumMinor).length > 0 ? mostSummed : 0),
      0
    )

const countedBy: Readonly<Record<Counted, string>> = {
  card: "with this card",
  email: "with this e-mail address",
  address: "from this IP address"
}

/** Returns the value by which a rule such as `velocity:email:3600s` counts. */
const perOf = (rule: string): Counted => counted.find((kind) => rule.startsWith(`velocity:${kind}`)) ?? "card"

/** Returns the code and message of a broken rule for `status` and callback. They contain its kind and not the rule. */
export const declineOf = (rule: string): Decline =>
  rule.startsWith("block")
    ? declines.blocked
    : rule.startsWith("velocity")
      ? { ...declines.velocityExceeded, message: `Too many payments ${countedBy[perOf(rule)]}` }
      : declines.limitExceeded

/** A payment that counts for a velocity rule: one row for each card, e-mail or address by which the rules count. */
export const VelocityEntry = Entity.make("velocityEntries", {
  columns: {
    /** Keyed hash of endpoint, kind and value, so that the value cannot be read from the row. */
    subject: Entity.text(),
    atMs: Entity.integer,
    /**
     * Part of the key, because several payments may be counted at the same time. An order has several rows if it is tried
     * several times.
     */
    orderId: Entity.text(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    /** Time from which no rule counts the row. */
    expiresAtMs: Entity.integer
  },
  key: ["subject", "atMs", "orderId"],
  index: { expires: ["expiresAtMs"] }
})
export type VelocityEntry = Entity.Row<typeof VelocityEntry>

/**
 * Counts the payments of one subject. Processes that share a store judge payments of one subject one after another by it: a
 * payment that was judged before another was counted is judged again.
 */
export const VelocityCounter = Entity.make("velocityCounters", {
  columns: {
    subject: Entity.text(),
    /** Starts at the current time, so that a row that was deleted and created again never repeats an earlier version. */
    version: Entity.integer,
    /** Time from which no entry of the subject counts. */
    expiresAtMs: Entity.integer
  },
  key: ["subject"],
  index: { expires: ["expiresAtMs"] }
})
export type VelocityCounter = Entity.Row<typeof VelocityCounter>
