/** Ways to sign a sale wrongly: each makes one part of the request by other steps. */
import { createHash } from "node:crypto"
import { type ControlParts, controlRequest, type Row } from "./RawRequest.ts"

const saleFields = {
  client_orderid: "Order 7",
  amount: "19.99",
  currency: "USD",
  email: "John+José@example.com",
  order_desc: "A gift & more"
}
export const saleRecipe = ["endpointId", "client_orderid", "amount", "email"]

export type Change = (parts: ControlParts) => Partial<ControlParts>
export type More = Partial<Pick<Row, "or" | "args" | "env">> & { readonly fields?: Readonly<Record<string, string>> }

export const sale = (did: string, cause: string, change: Change, { fields = {}, ...more }: More = {}): Row => ({
  did,
  cause,
  request: controlRequest("sale-form", change, { ...saleFields, ...fields }),
  ...more
})

/** The control over other values of the sale. */
export const signing = (
  make: (id: string, order: string, amount: string, email: string) => ReadonlyArray<string>
): Change => {
  return ({ values: [id = "", order = "", amount = "", email = ""] }) => ({ values: make(id, order, amount, email) })
}
export const amount = (text: string): Change => signing((id, order, _, email) => [id, order, text, email])
export const key =
  (change: (key: string) => string): Change =>
  (parts) => ({ key: change(parts.key) })
export const text =
  (make: (text: string) => string): Change =>
  () => ({ sign: (all, own) => make(all.join("") + own) })
export const digest =
  (make: (text: string) => Buffer | string): Change =>
  () => ({
    sign: (all, own) => {
      const made = make(all.join("") + own)
      return typeof made === "string" ? made : made.toString("hex")
    }
  })
export const control = (change: (control: string) => string): Change => {
  return ({ sign }) => ({ sign: (all, own) => change(sign(all, own)) })
}
export const head = (change: (parts: ControlParts) => Partial<ControlParts>): Change => change
export const hashOf = (name: string) => (made: string | Buffer) => createHash(name).update(made).digest()

export const latin1 = (all: string): Buffer => Buffer.from(all, "latin1")
/** Windows-1251 has no é, so this value is Cyrillic. */
export const cyrillic = { email: "Иван@example.com" }
export const windows1251 = (all: string): Buffer =>
  Buffer.from([...all].map((letter) => (letter >= "А" ? letter.charCodeAt(0) - 0x410 + 0xc0 : letter.charCodeAt(0))))
