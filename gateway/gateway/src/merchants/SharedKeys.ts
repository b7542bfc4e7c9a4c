/**
 * Detects RSA keys that are valid for more than one merchant. The owner of such a private key could sign as each of the
 * merchants.
 */

import * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import type { MerchantKey } from "./decide/MerchantKey.ts"

type Key = Pick<MerchantKey, "merchantId" | "kind" | "fingerprint"> & KeyLifecycle.KeyValidity

/** Returns another merchant for whom the key is or may become valid; `undefined` if there is none. */
export const otherHolder = (
  { fingerprint, kind, merchantId }: Pick<Key, "merchantId" | "kind" | "fingerprint">,
  keys: ReadonlyArray<Key>,
  nowMs: number
): string | undefined =>
  kind === "rsa"
    ? keys.find(
        (key) => key.fingerprint === fingerprint && key.merchantId !== merchantId && KeyLifecycle.isUsable(key, nowMs)
      )?.merchantId
    : undefined

/** Returns the problems of these keys, in words for an operator. Only merchants with these logins count. */
export const problems = (
  keys: ReadonlyArray<Key>,
  allKeys: ReadonlyArray<Key>,
  logins: ReadonlySet<string>,
  nowMs: number
): ReadonlyArray<string> => {
  const present = allKeys.filter(({ merchantId }) => logins.has(merchantId))
  return keys.flatMap((key) => {
    const holder = logins.has(key.merchantId) ? otherHolder(key, present, nowMs) : undefined
    return holder === undefined || !KeyLifecycle.isUsable(key, nowMs)
      ? []
      : [`a public key of ${key.merchantId} is active for ${holder}, too: each merchant needs a key pair of its own`]
  })
}
