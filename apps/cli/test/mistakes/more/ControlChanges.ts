/** Ways to sign any operation wrongly with `control`. */
import { type ControlParts, controlRequest, type Row, sha1 } from "../RawRequest.ts"

export type Change = (parts: ControlParts) => Partial<ControlParts>
type Fields = Readonly<Record<string, string>>
type More = Partial<Pick<Row, "or" | "args" | "env">> & { readonly with?: Fields }

export const row = (
  command: string,
  did: string,
  cause: string,
  change: Change,
  { with: fields = {}, ...more }: More = {}
): Row => ({ did: `${command}: ${did}`, cause, request: controlRequest(command, change, fields), ...more })

/** Replaces the value with the index `at` in the signed text. */
export const value =
  (at: number, text: string): Change =>
  ({ values }) => ({ values: values.with(at, text) })
export const changed =
  (at: number, change: (text: string) => string): Change =>
  ({ values }) => ({ values: values.with(at, change(values[at] ?? "")) })
export const order =
  (...places: ReadonlyArray<number | string>): Change =>
  ({ values }) => ({ values: places.map((place) => (typeof place === "string" ? place : (values[place] ?? ""))) })
export const text =
  (make: (values: ReadonlyArray<string>, key: string) => string): Change =>
  () => ({ sign: (values, key) => sha1(make(values, key)) })
export const bytes =
  (make: (text: string) => Buffer): Change =>
  () => ({ sign: (values, key) => sha1(make(values.join("") + key)) })
export const print =
  (make: (hex: string, digest: Buffer) => string): Change =>
  ({ sign }) => ({
    sign: (values, key) => {
      const hex = sign(values, key)
      return make(hex, Buffer.from(hex, "hex"))
    }
  })
export const key =
  (change: (key: string) => string): Change =>
  (parts) => ({ key: change(parts.key) })
/** Makes two mistakes, one after the other. */
export const both =
  (one: Change, ...others: ReadonlyArray<Change>): Change =>
  (parts) => {
    const [next, ...rest] = others
    const changed: ControlParts = { ...parts, ...one(parts) }
    return next === undefined ? changed : { ...changed, ...both(next, ...rest)(changed) }
  }

export const money = { amount: "10.42", currency: "USD" }
