/** Ways to sign any operation wrongly with OAuth. */
import { createHmac } from "node:crypto"
import { type Change, type More, protocol, row as rowOf } from "../OAuthPayout.ts"
import { type OAuthParts, type Pair, percent, type Row } from "../RawRequest.ts"

export const row = (command: string, did: string, cause: string, change: Change, more: More = {}): Row =>
  rowOf(command)(`${command}: ${did}`, cause, change, more)

export const field =
  (name: string, change: (value: string) => string): Change =>
  ({ fields }) => ({
    fields: fields.map(([each, text]): Pair => (each === name ? [each, change(text)] : [each, text]))
  })
export const encode =
  (make: (text: string) => string): Change =>
  () => ({ encode: make })
export const address =
  (change: (address: string) => string): Change =>
  (parts) => ({ address: change(parts.address) })
/** Adds fields that are sent, and signs `signed` of them. */
export const sending =
  (sent: ReadonlyArray<Pair>, signed: ReadonlyArray<Pair>): Change =>
  (parts) => ({ sent: [...parts.sent, ...sent], fields: [...parts.fields, ...signed] })
export const both =
  (one: Change, ...others: ReadonlyArray<Change>): Change =>
  (parts) => {
    const [next, ...rest] = others
    const changed: OAuthParts = { ...parts, ...one(parts) }
    return next === undefined ? changed : { ...changed, ...both(next, ...rest)(changed) }
  }
export const hmacWith =
  (name: string, as: "base64" | "hex" = "base64"): Change =>
  () => ({
    sign: (base, own) =>
      createHmac(name, `${percent(own)}&`)
        .update(base)
        .digest(as)
  })
export const time = (text: string): Change => protocol("oauth_timestamp", text)

export const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (all) => all.toLowerCase())
export const plus = (text: string): string => text.replaceAll("%20", "+")
export const left = (text: string, kept: string): string =>
  [...kept].reduce((all, character) => all.replaceAll(percent(character), character), text)
