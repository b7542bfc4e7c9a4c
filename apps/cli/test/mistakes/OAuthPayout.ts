/** Ways to sign a payout wrongly: each makes one part of the request by other steps. */
import { createHmac } from "node:crypto"
import * as PayApi from "@pay/schema/PayApi"
import { headerOf, now, type OAuthParts, oauthRequest, type Pair, type Row } from "./RawRequest.ts"

export type Change = (parts: OAuthParts) => Partial<OAuthParts> & { readonly sentProtocol?: ReadonlyArray<Pair> }
export type More = Partial<Pick<Row, "or" | "args" | "env">>

/** Whether an operation takes RSA-SHA256 and no HMAC. */
const isRsa = (command: string): boolean => {
  const signing = PayApi.all.find((operation) => operation.command === command)?.signing
  return signing?._tag === "OAuth" && !signing.methods.includes("HMAC-SHA1")
}

export const at = `--at=${now}`
export const row =
  (command: string) =>
  (did: string, cause: string, change: Change, { args = [], ...more }: More = {}): Row => ({
    did,
    cause,
    request: oauthRequest(command, change, isRsa(command)),
    args: [at, ...args],
    ...more
  })
export const hmac = row("payout")
export const withRsa = row("v4/payout")

export const set = (pairs: ReadonlyArray<Pair>, name: string, value: string): ReadonlyArray<Pair> =>
  pairs.map((pair) => (pair[0] === name ? [name, value] : pair))
export const without = (pairs: ReadonlyArray<Pair>, name: string): ReadonlyArray<Pair> =>
  pairs.filter(([other]) => other !== name)
/** A parameter of the header with another value, which is signed so, too. */
export const protocol =
  (name: string, value: string): Change =>
  (parts) => {
    const changed = set(parts.protocol, name, value)
    return { protocol: changed, sentProtocol: changed }
  }
export const withoutProtocol =
  (name: string): Change =>
  (parts) => {
    const changed = without(parts.protocol, name)
    return { protocol: changed, sentProtocol: changed }
  }
export const address =
  (change: (address: string) => string): Change =>
  (parts) => ({ address: change(parts.address) })
export const field =
  (name: string, value: string): Change =>
  (parts) => ({ fields: set(parts.fields, name, value) })
export const print =
  (change: (signature: string) => string): Change =>
  (parts) => ({
    sign: (base, key) => change(parts.sign(base, key))
  })
export const header =
  (change: (header: string) => string): Change =>
  () => ({
    header: (pairs, signature) => change(headerOf(pairs, signature))
  })
export const key =
  (change: (key: string) => string): Change =>
  (parts) => ({ key: change(parts.key) })
export const secret =
  (make: (key: string) => string): Change =>
  () => ({
    sign: (base, own) => createHmac("sha1", make(own)).update(base).digest("base64")
  })
export const query: Pair = ["tag", "a b"]
/** A request with a query, whose parameters are signed as `change` says. */
export const withQuery =
  (change: Change = () => ({})): Change =>
  (parts) => ({
    line: parts.line.replace(" HTTP", "?tag=a%20b HTTP"),
    query: [query],
    ...change(parts)
  })
/** A request to a gateway on this machine. */
export const local =
  (change: Change = () => ({})): Change =>
  (parts) => {
    const changed = {
      ...parts,
      line: parts.line.replace("/paynet", ""),
      headers: ["Host: 127.0.0.1:8080", ...parts.headers.slice(1)],
      address: parts.address.replace("https://gateway.example/paynet", "http://127.0.0.1:8080")
    }
    return { ...changed, ...change(changed) }
  }
export const here = { PAY_BASE_URL: "http://127.0.0.1:8080" }
