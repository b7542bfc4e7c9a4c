/** The content of a callback that the gateway sends: as parameters, and rewritten with others. */
import type { Callback } from "@pay/gateway/CallbackSender"
import * as CallbackContent from "@pay/schema/Callback"
import * as Money from "@pay/schema/Money"
import * as Form from "@pay/signing/Form"
import { Result } from "effect"
import type { Facts } from "./OpenOrders.ts"

export type { Callback } from "@pay/gateway/CallbackSender"

export type Parameters = ReadonlyArray<Form.Parameter>

const queryAt = (url: string): number => {
  const at = url.indexOf("?")
  return at === -1 ? url.length : at
}

/** Returns the parameters in the query, or in the JSON of a callback that is posted. */
export const parametersOf = ({ body, url }: Callback): Parameters => {
  const parameters =
    body === undefined
      ? CallbackContent.formParameters(url.slice(queryAt(url) + 1))
      : CallbackContent.jsonParameters(body)
  return parameters.ok ? parameters.value : []
}

/** Returns the callback with other parameters and headers. */
export const withParameters = (
  { body, headers, url }: Callback,
  parameters: Parameters,
  changed: Readonly<Record<string, string>> = headers
): Callback =>
  body === undefined
    ? { url: `${url.slice(0, queryAt(url))}?${Form.write(parameters)}`, headers: changed }
    : { url, headers: changed, body: CallbackContent.json(parameters) }

/** Returns the last value of a name: the gateway's parameters follow those of the merchant's own address. */
const lastOf = (parameters: Parameters, name: string): string | undefined =>
  parameters.findLast(([spelling]) => spelling === name)?.[1]

export const factsOf = (parameters: Parameters): Facts => {
  const currency = lastOf(parameters, "currency") ?? ""
  const amount = lastOf(parameters, "amount") ?? ""
  return {
    clientOrderId: lastOf(parameters, "client_orderid"),
    numbers: ["orderid", "recurring-payment-id"].flatMap((name) => lastOf(parameters, name) ?? []),
    amountMinor: Result.getOrUndefined(Money.toMinor(amount, currency)),
    currency
  }
}

/** Whether the callback says that the order was approved. */
export const isApproved = (callback: Callback): boolean => lastOf(parametersOf(callback), "status") === "approved"

/** Returns what the callback says, for a timeline: `callback approved, order 1234`. */
export const describe = (parameters: Parameters): string => {
  const [status, type, number] = ["status", "type", "orderid"].map((name) => lastOf(parameters, name))
  return `callback ${[type, status].filter((part) => part !== undefined).join(" ")}, order ${number ?? "unknown"}`
}
