/**
 * The `control` parameter (docs/specification.md#control): SHA-1 over some values of a request and the merchant's control key,
 * joined without separators.
 */
import "./OldNode.ts"
import * as crypto from "node:crypto"

/** The values before the key, in order: wire names of fields, `login` or `endpointId` (the endpoint or group of the path). */
export type Recipe = ReadonlyArray<string>

/** The values of a request by slot. `amount` is in minor units: 10.42 USD is `1042`. */
export type Values = Readonly<Record<string, string | undefined>>

const upload = ["login", "client-order-id", "orderid"] as const
const verification = ["endpointId", "client_orderid", "email"] as const
const payment = ["endpointId", "client_orderid", "amount", "email"] as const
const partOfOrder = ["login", "client_orderid", "orderid", "amount", "currency"] as const
const wholeOrder = ["login", "client_orderid", "orderid"] as const

/**
 * One recipe for each operation that is signed by `control`. `getCardInfo`, `paymentForm`, `transferByRef` and `callback` are not in
 * the specification; they follow the public protocol. An absent `amount` and `currency` count as empty strings.
 */
export const recipes = {
  uploadCresResult: upload,
  uploadMethodUrlResult: upload,
  uploadParesResult: upload,
  accountVerification: verification,
  accountVerificationForm: verification,
  preauth: payment,
  preauthForm: payment,
  sale: payment,
  saleForm: payment,
  paymentForm: payment,
  capture: partOfOrder,
  return: partOfOrder,
  createCardRef: wholeOrder,
  void: wholeOrder,
  status: wholeOrder,
  makeRebill: ["login", "client_orderid", "cardrefid", "amount", "currency"],
  getCardInfo: ["login", "cardrefid"],
  transferByRef: ["login", "client_orderid", "source-card-ref-id", "destination-card-ref-id", "amount", "currency"],
  callback: ["status", "orderid", "client_orderid"]
} as const satisfies Record<string, Recipe>

/** Returns the text that is hashed, in UTF-8. A missing value counts as an empty string: `status` works without `orderid`. */
export const preimage = (recipe: Recipe, values: Values, key: string): string =>
  recipe.map((slot) => values[slot] ?? "").join("") + key

/**
 * Signs the values of a recipe. Returns 40 lower-case hex digits of SHA-1.
 *
 * @example sign(recipes.status, { login: "merchantlogin", client_orderid: "902B4FF5" }, controlKey)
 */
export const sign = (recipe: Recipe, values: Values, key: string): string =>
  crypto.hash("sha1", preimage(recipe, values, key))

/**
 * Prepares {@link sign} for one recipe that is used many times. The result is equal, without a list in between. The values are
 * joined from the right, because the hash then copies the text fastest.
 */
export const compile = (recipe: Recipe): ((values: Values, key: string) => string) => {
  const [a = "", b = "", c = "", d = "", e = ""] = recipe
  switch (recipe.length) {
    case 2:
      return (v, key) => crypto.hash("sha1", (v[a] ?? "") + ((v[b] ?? "") + key))
    case 3:
      return (v, key) => crypto.hash("sha1", (v[a] ?? "") + ((v[b] ?? "") + ((v[c] ?? "") + key)))
    case 4:
      return (v, key) => crypto.hash("sha1", (v[a] ?? "") + ((v[b] ?? "") + ((v[c] ?? "") + ((v[d] ?? "") + key))))
    case 5:
      return (v, key) =>
        crypto.hash("sha1", (v[a] ?? "") + ((v[b] ?? "") + ((v[c] ?? "") + ((v[d] ?? "") + ((v[e] ?? "") + key)))))
    default:
      return (values, key) => sign(recipe, values, key)
  }
}

/** Whether a received control equals the expected one. The comparison takes constant time and ignores the case of hex digits. */
export const matches = (received: string, expectedHex: string): boolean => {
  if (received.length !== expectedHex.length) return false
  const left = Buffer.from(received.toLowerCase())
  const right = Buffer.from(expectedHex.toLowerCase())
  return left.length === right.length && crypto.timingSafeEqual(left, right)
}

/** Whether one of the candidates matches. All candidates are compared, so that the duration does not show which one matches. */
export const verifyAny = (received: string, candidates: ReadonlyArray<string>): boolean =>
  candidates.reduce((isMatched, candidate) => matches(received, candidate) || isMatched, false)
