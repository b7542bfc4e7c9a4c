/**
 * The notification of a final outcome that the gateway sends to the merchant: query parameters of the GET to
 * `server_callback_url`, or members of the JSON that it posts there, and fields of the form that returns the browser to
 * `redirect_url`. A callback is a hint: the status operation returns the outcome (docs/specification.md#events). Names are the
 * public protocol's.
 */
import * as Form from "@pay/signing/Form"

const required = ["status", "orderid", "client_orderid"] as const
const optional = [
  "type",
  "amount",
  "currency",
  "serial-number",
  "descriptor",
  "error_code",
  "error_message",
  "bin",
  "last-four-digits",
  "card-type",
  "approval-code",
  "processor-tx-id",
  "processor-rrn",
  "recurring-payment-id",
  "charge-date",
  "reason-code"
] as const

/** The parameters of one callback. A status or type that this library does not know is kept as text. */
export type Callback = { readonly [Name in (typeof required)[number]]: string } & {
  readonly [Name in (typeof optional)[number]]?: string
}

/** A callback as it was received, with its signature. */
export type Received = Callback & { readonly control: string }

/** Why a received text is not a callback. */
export type Problem =
  | { readonly _tag: "Malformed"; readonly reason: string }
  | { readonly _tag: "Missing"; readonly name: string }
  /** The form has two different values under one name, and it is unknown which of them was meant. */
  | { readonly _tag: "Conflict"; readonly name: string }

/** What was read from a received text, or why it cannot be read. It is a plain value, so that a receiver of callbacks is small. */
export type Read<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly problem: Problem }

/** The parameters in the documented order. `merchant_order` repeats `client_orderid`, as old receivers expect. */
export const parameters = (callback: Callback, control: string): ReadonlyArray<Form.Parameter> => [
  ...pick(required, callback),
  ["merchant_order", callback.client_orderid],
  ...pick(optional, callback),
  ["control", control]
]

const pick = <Name extends keyof Callback>(names: ReadonlyArray<Name>, callback: Callback): Array<Form.Parameter> =>
  names.flatMap((name) => {
    const value = callback[name]
    return value === undefined ? [] : [[name, value]]
  })

/** Writes a callback as JSON: an object of texts. */
export const json = (callbackParameters: ReadonlyArray<Form.Parameter>): string =>
  JSON.stringify(Object.fromEntries(callbackParameters))

/** Whether a body is JSON of a callback. A form never begins with a brace, because an encoded one is `%7B`. */
export const isJson = (body: string): boolean => body.startsWith("{")

/** Returns the parameters in what {@link json} wrote. A member that is no text is no parameter of a callback. */
export const jsonParameters = (body: string): Read<ReadonlyArray<Form.Parameter>> => {
  try {
    const members: Record<string, unknown> = JSON.parse(body)
    const texts = Object.entries(members)
    return succeed(texts.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])))
  } catch {
    return malformed("the body is no JSON object")
  }
}

/** Returns the parameters of a received query (without `?`) or posted form. */
export const formParameters = (query: string): Read<ReadonlyArray<Form.Parameter>> => {
  const form = Form.parse(query)
  return form.ok ? succeed(form.parameters) : malformed(form.reason)
}

const succeed = <A>(value: A): Read<A> => ({ ok: true, value })

const fail = (problem: Problem): Read<never> => ({ ok: false, problem })

const malformed = (reason: string): Read<never> => fail({ _tag: "Malformed", reason })

/**
 * Reads a received query (without `?`) or posted form. Empty values and the merchant's own parameters are ignored. The signature
 * is not verified: use `Callback.verify` of `@pay/signing`, which proves status, orderid and client_orderid only.
 */
export const parse = (query: string): Read<Received> => {
  const parameters = formParameters(query)
  return parameters.ok ? read(parameters.value) : parameters
}

/** Reads received parameters, as {@link parse} does. */
export const read = (received: ReadonlyArray<Form.Parameter>): Read<Received> => {
  const values = new Map<string, string>()
  for (const [spelling, value] of received) {
    const name = spelling === "merchant_order" ? "client_orderid" : spelling
    if (value === "" || !names.has(name)) continue
    const earlier = values.get(name)
    if (earlier !== undefined && earlier !== value) return fail({ _tag: "Conflict", name })
    values.set(name, value)
  }
  if (values.get("error_message") === "null") values.delete("error_message")
  return complete(values)
}

/** The names of all parameters of callbacks. */
export const names: ReadonlySet<string> = new Set([...required, "merchant_order", ...optional, "control"])

const complete = (values: ReadonlyMap<string, string>): Read<Received> => {
  const [status, orderid, client_orderid, control] = [...required, "control"].map((name) => values.get(name))
  if (status === undefined) return missing("status")
  if (orderid === undefined) return missing("orderid")
  if (client_orderid === undefined) return missing("client_orderid")
  if (control === undefined) return missing("control")
  const others: { [Name in (typeof optional)[number]]?: string } = {}
  for (const name of optional) {
    const value = values.get(name)
    if (value !== undefined) others[name] = value
  }
  return succeed({ status, orderid, client_orderid, control, ...others })
}

const missing = (name: string): Read<never> => fail({ _tag: "Missing", name })
