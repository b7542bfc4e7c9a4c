/** RSA keys that count for more than one merchant: whoever holds the private key could sign as each of them. */

import * as KeyLife from "./KeyLife.ts"
import type { MerchantKey } from "./MerchantKey.ts"

type Key = Pick<MerchantKey, "merchantId" | "kind" | "fingerprint"> & KeyLife.Life

/** Another merchant for whom the key counts now or later; undefined: it is this merchant's alone. */
export const holderBeside = (
  { fingerprint, kind, merchantId }: Pick<Key, "merchantId" | "kind" | "fingerprint">,
  keys: ReadonlyArray<Key>,
  nowMs: number
): string | undefined =>
  kind === "rsa"
    ? keys.find(
        (key) => key.fingerprint === fingerprint && key.merchantId !== merchantId && KeyLife.isAlive(key, nowMs)
      )?.merchantId
    : undefined

/** What is wrong with these keys of the merchants with these logins, in words for an operator. */
export const problems = (
  keys: ReadonlyArray<Key>,
  beside: ReadonlyArray<Key>,
  logins: ReadonlySet<string>,
  nowMs: number
): ReadonlyArray<string> => {
  const present = beside.filter(({ merchantId }) => logins.has(merchantId))
  return keys.flatMap((key) => {
    const holder = logins.has(key.merchantId) ? holderBeside(key, present, nowMs) : undefined
    return holder === undefined || !KeyLife.isAlive(key, nowMs)
      ? []
      : [`a public key of ${key.merchantId} is active for ${holder}, too: each merchant needs a key pair of its own`]
  })
}
