/**
 * Whether an endpoint's rules let a payment through, decided from facts (decisions: a breach of a risk rule is the outcome
 * `filtered`). The first rule that is broken is told to the merchant's operator by name; customers and the wire hear only
 * the kind of the reason.
 */
import { type Decline, declines } from "@pay/schema/Decline"
import * as Entity from "../kernel/Entity.ts"
import type { Range } from "../network/AddressPolicy.ts"
import * as AddressPolicy from "../network/AddressPolicy.ts"
import type { CustomerAddress } from "../network/CustomerAddress.ts"

/** What velocity is counted for. */
export const counted = ["card", "email", "address"] as const
export type Counted = (typeof counted)[number]

/** At most so many payments, or so much money, of one card, e-mail or address within a time; over it is a breach. */
export interface Velocity {
  readonly per: Counted
  readonly withinMs: number
  /** Payments, the new one included. */
  readonly count: number | undefined
  /** Minor units by currency, the new payment included. */
  readonly sumMinor: Readonly<Record<string, number>>
}

/** Entries that are compared as they are written, and what they cannot say. */
export interface List {
  /** First six digits, or keyed hashes of cards: of the number alone, or, as earlier releases had them, with the expiry. */
  readonly card: ReadonlySet<string>
  /** Lower case: addresses, or domains as `@shop.example`. */
  readonly email: ReadonlySet<string>
  readonly address: ReadonlyArray<Range>
  /** ISO 3166-1, two letters; `*`: every one. */
  readonly country: ReadonlySet<string>
}

export interface Rules {
  /** Minor units by currency. */
  readonly maxMinor: Readonly<Record<string, number>>
  readonly velocity: ReadonlyArray<Velocity>
  readonly block: List
  /** Lifts the block list and the velocity rules of its own kind, no other: an allowed e-mail frees no card. */
  readonly allow: List
  /** Versions of the keys that entries of cards are hashed under, as `v1.`. */
  readonly cardKeys: ReadonlyArray<string>
}

export const emptyList: List = { card: new Set(), email: new Set(), address: [], country: new Set() }

export interface Payer {
  readonly bin: string
  /** Every hash by which the card can be on a list. */
  readonly cardHashes: ReadonlyArray<string>
  readonly email: string
  readonly address: CustomerAddress
  /** Undefined where the request names none. */
  readonly country: string | undefined
}

export interface Facts extends Payer {
  /** The card that receives, of a transfer. */
  readonly recipient?: Pick<Payer, "bin" | "cardHashes"> | undefined
  readonly amountMinor: number
  readonly currency: string
  readonly nowMs: number
  /** What counts against each kind, at least as far back as its longest rule looks. */
  readonly marks: Readonly<Record<Counted, ReadonlyArray<Pick<VelocityEntry, "atMs" | "currency" | "amountMinor">>>>
}

const lists: Readonly<Record<keyof List, (list: List, payer: Payer) => boolean>> = {
  card: ({ card }, { bin, cardHashes }) => card.has(bin) || cardHashes.some((hash) => card.has(hash)),
  email: ({ email: entries }, { email }) => {
    const text = email.toLowerCase()
    return entries.has(text) || entries.has(text.slice(text.lastIndexOf("@")))
  },
  address: ({ address: ranges }, { address }) => AddressPolicy.contains(ranges, address),
  country: ({ country: entries }, { country }) => entries.has("*") || (country !== undefined && entries.has(country))
}

const kinds = ["card", "email", "address", "country"] as const satisfies ReadonlyArray<keyof List>

const exceeds = (rule: Velocity, { amountMinor, currency, marks, nowMs }: Facts): boolean => {
  const recent = marks[rule.per].filter(({ atMs }) => atMs > nowMs - rule.withinMs)
  if (rule.count !== undefined && recent.length + 1 > rule.count) return true
  const limit = rule.sumMinor[currency]
  if (limit === undefined) return false
  const same = recent.filter((mark) => mark.currency === currency)
  return same.reduce((sum, mark) => sum + mark.amountMinor, amountMinor) > limit
}

const secondMs = 1000

/** The name of the first rule that is broken (`max-amount`, `block:card`, `velocity:email:3600s`); undefined: none. */
export const judge = (rules: Rules, facts: Facts): string | undefined => {
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

/** How far back the rules look for a kind; 0: nothing is counted. */
export const looksBackMs = ({ velocity }: Rules, kind: Counted): number =>
  velocity.reduce((longest, { per, withinMs }) => (per === kind ? Math.max(longest, withinMs) : longest), 0)

/** More payments than any sum should have to add up. */
const mostSummed = 10_000

/** How many of a kind's newest marks the rules need to see: a count no more than itself, a sum all of them. */
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

/** What the rule `velocity:email:3600s` counts by. */
const perOf = (rule: string): Counted => counted.find((kind) => rule.startsWith(`velocity:${kind}`)) ?? "card"

/** What `status` and callback say of a breach: its kind, never the rule. */
export const declineOf = (rule: string): Decline =>
  rule.startsWith("block")
    ? declines.blocked
    : rule.startsWith("velocity")
      ? { ...declines.velocityExceeded, message: `Too many payments ${countedBy[perOf(rule)]}` }
      : declines.limitExceeded

/** A payment that counts against a velocity rule: one row for each card, e-mail or address that the rules look at. */
export const VelocityEntry = Entity.make("riskmarks", {
  columns: {
    /** Keyed hash of endpoint, kind and value: what is counted cannot be read from here. */
    subject: Entity.text(),
    atMs: Entity.integer,
    /** One order may be tried several times. */
    orderId: Entity.text(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    /** No rule looks at it any more. */
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
export const VelocityTurn = Entity.make("riskturns", {
  columns: {
    subject: Entity.text(),
    /** Begins with the time, so that a row which was deleted and made anew never has an earlier number again. */
    version: Entity.integer,
    /** No entry of the subject counts any more. */
    expiresAtMs: Entity.integer
  },
  key: ["subject"],
  index: { expires: ["expiresAtMs"] }
})
export type VelocityTurn = Entity.Row<typeof VelocityTurn>
