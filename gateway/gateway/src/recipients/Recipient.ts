/**
 * The row of a payout's recipient: the encrypted recipient, the facts that may be shown, and a hash that identifies equal
 * recipients.
 */
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
    /** Number and details, encrypted and bound to the order. */
    encryptedDestination: Entity.blob,
    /** Keyed hash of the number. Equal recipients of one merchant have the same hash, which does not reveal the number. */
    recipient: Entity.text(),
    /** The masked number, which may be shown. */
    masked: Entity.text(),
    /** The facts of a card. They are empty for other destinations. */
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    purpose: Entity.textOrNull(),
    /** Time at which the rail confirmed the payout. From then on, the rail may still refuse it late. */
    paidAtMs: Entity.integerOrNull,
    createdAtMs: Entity.integer,
    /** Time at which the recipient was erased. From then on, nothing is encrypted here, and nothing can be sent. */
    erasedAtMs: Entity.integerOrNull
  },
  key: ["orderId"],
  index: { erased: ["erasedAtMs", "createdAtMs", "orderId"] }
})
export type Payout = Entity.Row<typeof Payout>

export type RecipientColumns = Omit<
  Payout,
  "orderId" | "version" | "merchantId" | "paidAtMs" | "createdAtMs" | "erasedAtMs"
>

export const facts = (
  vault: KeyVault["Service"],
  destination: Destination.Destination,
  of: { readonly orderId: string; readonly merchantId: string; readonly purpose: string | null }
): RecipientColumns => {
  const card = destination.kind === "card" ? Redacted.value(destination.number) : undefined
  return {
    destinationKind: destination.kind,
    encryptedDestination: vault.encrypt(Destination.toText(destination), of.orderId),
    recipient: vault.cardHash(of.merchantId, Destination.identity(destination)),
    masked: Destination.mask(destination),
    ...(card === undefined ? CardFacts.none : CardFacts.of(card)),
    purpose: of.purpose
  }
}

/** Returns the fields of `status` about the recipient of a payout. */
export const statusFields = ({ bin, cardType, lastFour, masked }: Payout) => ({
  destination: masked,
  ...(bin === "" ? {} : { "dest-bin": bin, "dest-last-four-digits": lastFour, "dest-card-type": cardType })
})
