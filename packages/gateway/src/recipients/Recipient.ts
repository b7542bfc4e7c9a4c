/** The row of a payout's recipient: sealed, with what may be shown of it and what tells equal ones apart. */
import { Redacted } from "effect"
import * as CardFacts from "../kernel/CardFacts.ts"
import * as Entity from "../kernel/Entity.ts"
import type { KeyVault } from "../vault/KeyVault.ts"
import type { Kind } from "./Destination.ts"
import * as Destination from "./Destination.ts"

/** The destination of an order's money: one row per order that pays out, written as soon as its recipient is known. */
export const Payout = Entity.make("payouts", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    destinationKind: Entity.text<Kind>(),
    /** Number and details, sealed and bound to the order. */
    sealedDestination: Entity.blob,
    /** Keyed hash of the number: equal recipients of one merchant have the same, and nobody can read them from it. */
    recipient: Entity.text(),
    /** What may be shown of the number. */
    masked: Entity.text(),
    /** The facts of a card. They are empty for other destinations. */
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    purpose: Entity.textOrNull(),
    /** When the rail confirmed it: from then on it may refuse late. */
    paidAtMs: Entity.integerOrNull,
    createdAtMs: Entity.integer,
    /** When the recipient was forgotten: from then on nothing is sealed here, and nothing can be sent. */
    erasedAtMs: Entity.integerOrNull
  },
  key: ["orderId"],
  index: { erased: ["erasedAtMs", "createdAtMs", "orderId"] }
})
export type Payout = Entity.Row<typeof Payout>

export type Facts = Omit<Payout, "orderId" | "version" | "merchantId" | "paidAtMs" | "createdAtMs" | "erasedAtMs">

export const facts = (
  vault: KeyVault["Service"],
  destination: Destination.Destination,
  of: { readonly orderId: string; readonly merchantId: string; readonly purpose: string | null }
): Facts => {
  const card = destination.kind === "card" ? Redacted.value(destination.number) : undefined
  return {
    destinationKind: destination.kind,
    sealedDestination: vault.seal(Destination.toText(destination), of.orderId),
    recipient: vault.cardHash(of.merchantId, Destination.identity(destination)),
    masked: Destination.mask(destination),
    ...(card === undefined ? CardFacts.none : CardFacts.of(card)),
    purpose: of.purpose
  }
}

/** What `status` says of where a payout goes. */
export const statusFields = ({ bin, cardType, lastFour, masked }: Payout) => ({
  destination: masked,
  ...(bin === "" ? {} : { "dest-bin": bin, "dest-last-four-digits": lastFour, "dest-card-type": cardType })
})
