/** The `control` of the callback to `server_callback_url` and of the browser's return to `redirect_url`. */
import * as Control from "./Control.ts"
import * as Form from "./Form.ts"

/** The values of a callback that `control` covers. */
export interface Values {
  readonly status: string
  readonly orderid: string
  readonly client_orderid: string
}

/** Why a callback is not verified. `Mismatch`: no control key gives the received `control`. */
export type Reason =
  | { readonly _tag: "Missing"; readonly name: string }
  /** A signed name occurs twice, and it is unknown which of the values was meant. */
  | { readonly _tag: "Duplicate"; readonly name: string }
  | { readonly _tag: "Mismatch" }

/** The result of {@link verify}. `values` are proved. */
export type Verified = { readonly ok: true; readonly values: Values } | { readonly ok: false; readonly reason: Reason }

/** Signs a callback: SHA-1 over status, orderid, client_orderid and the merchant's control key, in lower-case hex. */
export const sign = ({ status, orderid, client_orderid }: Values, controlKey: string): string =>
  Control.sign(Control.recipes.callback, { status, orderid, client_orderid }, controlKey)

/**
 * Verifies the fields of a callback's query, or of the form posted to `redirect_url`, with the merchant's control keys. There are
 * two keys while one replaces the other. Only the three returned values are proved. All other fields are hints; the status
 * operation returns the outcome.
 */
export const verify = (parameters: ReadonlyArray<Form.Parameter>, controlKeys: ReadonlyArray<string>): Verified => {
  const result: Record<(typeof names)[number], string> = { status: "", orderid: "", client_orderid: "", control: "" }
  for (const name of names) {
    const [first, second] = parameters.filter((parameter) => parameter[0] === name)
    if (first === undefined) return refused({ _tag: "Missing", name })
    if (second !== undefined) return refused({ _tag: "Duplicate", name })
    result[name] = first[1]
  }
  const { control, ...values } = result
  const candidates = controlKeys.map((key) => sign(values, key))
  return Control.verifyAny(control, candidates) ? { ok: true, values } : refused({ _tag: "Mismatch" })
}

/**
 * Returns the forms of a callback's query that `webhook-signature` covers: the text as it is, and its canonical form. Some web
 * frameworks decode a query and write it again, which changes the text and not the canonical form.
 */
export const signedForms = (query: string): ReadonlyArray<string> => {
  const canonical = Form.canonical(query)
  return canonical === undefined ? [query] : [query, canonical]
}

const names = ["status", "orderid", "client_orderid", "control"] as const

const refused = (reason: Reason): Verified => ({ ok: false, reason })
