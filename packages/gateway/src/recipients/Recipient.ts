/** The row of a payout's recipient: sealed, with what may be shown of it and what tells equal ones apart. */
import { Redacted } from "effect"
import * as CardFacts from "../kernel/CardFacts.ts"
import type { KeyVault } from "../vault/KeyVault.ts"
import * as Destination from "./Destination.ts"
import type { Payout } from "./Payout.ts"

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
