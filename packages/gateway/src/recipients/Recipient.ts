/** The row of a payout's recipient: sealed, with what may be shown of it and what tells equal ones apart. */
import * as CardRules from "@pay/schema/Card"
import { Redacted } from "effect"
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
    bin: card === undefined ? "" : CardRules.bin(card),
    lastFour: card === undefined ? "" : CardRules.lastFour(card),
    cardType: card === undefined ? "" : (CardRules.brand(card) ?? "UNKNOWN"),
    purpose: of.purpose
  }
}
