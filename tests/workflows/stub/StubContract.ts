/** What the specification says of requests: which of them create something, and what `control` covers. */
import { createHash } from "node:crypto"
import * as Money from "@pay/schema/Money"
import { Result } from "effect"

export type Fields = Readonly<Record<string, string | undefined>>

export const controlKey = "D41F7A9C-60B3-4E28-9C75-8A2E5B1D3F06"

export const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex")

export const cents = (amount = "0"): number => Result.getOrElse(Money.toMinor(amount, "USD"), () => 0)

/** What a creation does at the bank, and what the order is called then. */
export const creations: Readonly<Record<string, readonly [kind: string, type: string]>> = {
  sale: ["authorize", "sale"],
  preauth: ["authorize", "preauth"],
  "account-verification": ["authorize", "account_verification"],
  "make-rebill": ["authorize", "sale"],
  "sale-form": ["authorize", "sale"],
  "preauth-form": ["authorize", "preauth"],
  "payment-form": ["authorize", "sale"],
  "account-verification-form": ["authorize", "account_verification"],
  "payout-form": ["pay", "payout"],
  payout: ["pay", "payout"],
  "payout-check": ["check", "payout"],
  transfer: ["authorize", "transfer"],
  "transfer-by-ref": ["pay", "transfer"],
  send: ["eligible", "pan_eligibility"],
  "create-recurring-payment": ["authorize", "sale"],
  "process-recurring-payment": ["authorize", "sale"]
}

const isSignedBy = (fields: Fields, ...parts: ReadonlyArray<string | undefined>): boolean =>
  fields.control === sha1(parts.map((part) => part ?? "").join("") + controlKey)

/** The fields that `control` covers, by operation. The other operations are signed by OAuth, which the stub does not check. */
export const isSigned = (operation: string, version: string, endpointId: string, fields: Fields): boolean => {
  const { amount, cardrefid, client_orderid, currency, email, login, orderid } = fields
  const minor = amount === undefined ? "" : String(cents(amount))
  if (version === "v4" || operation === "send" || operation.startsWith("payout")) return true
  if (operation.startsWith("account-verification")) return isSignedBy(fields, endpointId, client_orderid, email)
  if (operation === "make-rebill") return isSignedBy(fields, login, client_orderid, cardrefid, minor, currency)
  if (operation === "capture" || operation === "return")
    return isSignedBy(fields, login, client_orderid, orderid, minor, currency)
  if (creations[operation] === undefined) return isSignedBy(fields, login, client_orderid, orderid)
  return isSignedBy(fields, endpointId, client_orderid, minor, email)
}
