/**
 * Keyed hashes by which the gateway recognises equal cards of a merchant, and distinguishes repeated requests from new ones.
 */
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Redacted } from "effect"
import type { Call } from "../../merchants/Call.ts"
import * as Destination from "../../recipients/Destination.ts"
import type * as Risk from "../../risk/Risk.ts"
import type { KeyVault } from "../../vault/KeyVault.ts"

export interface Identity {
  readonly pan: Redacted.Redacted<string>
  /** The expiry date of the card; undefined if the request has none. */
  readonly expiry: { readonly month: number; readonly year: number } | undefined
}

/**
 * Returns the keyed hash of the card number alone, in the form that a payout's recipient has. Lists of cards contain it, so
 * that a card is on a list with any expiry.
 */
export const ofNumber = (vault: KeyVault["Service"], merchantId: string, pan: Identity["pan"], like?: string): string =>
  vault.cardHash(merchantId, Destination.identity(Destination.ofCard(pan)), like)

/** Returns the hashes under which the card can be on the lists of these rules. There is one for each key of their entries. */
export const listed = (
  vault: KeyVault["Service"],
  { cardKeys }: Risk.Rules,
  merchantId: string,
  pan: Identity["pan"]
): ReadonlyArray<string> => cardKeys.map((like) => ofNumber(vault, merchantId, pan, like))

/** Keyed hash of number and expiry. */
export const hash = (vault: KeyVault["Service"], merchantId: string, { expiry, pan }: Identity): string => {
  const when: Readonly<Record<string, string>> =
    expiry === undefined ? {} : { expire_month: String(expiry.month), expire_year: String(expiry.year) }
  const fields = { credit_card_number: Redacted.value(pan), ...when }
  return vault.cardHash(merchantId, Redacted.make(Canonical.card(PayApi.operations.SALE, fields)))
}

/**
 * Returns the fingerprint of a request that carries no card, by which its repetition is distinguished from a different
 * request under the same name. `like`: an earlier fingerprint, whose version of the key is used, so that the two can be
 * compared.
 */
export const contentFingerprint = (
  vault: KeyVault["Service"],
  operation: Operation,
  call: Call,
  like?: string
): string =>
  vault.fingerprint(call.merchant.login, `${call.route.pathId}\n${Canonical.content(operation, call.fields)}`, like)
