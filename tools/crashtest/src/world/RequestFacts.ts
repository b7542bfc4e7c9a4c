/** Reads what a request to the gateway asks for, as the gateway reads it, in both dialects. */
import { RequestTarget } from "@pay/gateway/Gateway"
import * as Canonical from "@pay/schema/Canonical"
import * as Money from "@pay/schema/Money"
import { clientOrder, type Operation } from "@pay/schema/Operation"
import * as Form from "@pay/signing/Form"
import { Option, Result, Schema } from "effect"
import type { Facts } from "./OpenOrders.ts"

/** A request as it was received, with its whole body. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names and values alternately. */
  readonly rawHeaders: ReadonlyArray<string>
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

export interface RequestFacts extends Facts {
  readonly operation: Operation
  readonly endpointId: string
  readonly parameters: ReadonlyArray<Form.Parameter>
  /** What was asked, for a timeline: `sale 10.42 USD client_orderid=a17`. */
  readonly question: string
}

/** A body of JSON is not a request of the protocol. The gateway refuses it, and its order is told so. */
const Members = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const members = (body: string): ReadonlyArray<Form.Parameter> =>
  Option.match(Schema.decodeUnknownOption(Members)(body), {
    onNone: () => [],
    onSome: (fields) =>
      Object.entries(fields).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : []
      )
  })

const form = (text: string): ReadonlyArray<Form.Parameter> => {
  const parsed = Form.parse(text)
  return parsed.ok ? parsed.parameters : []
}

/** Returns the parameters in the body, or those in the query of a request without a body. */
const parametersOf = (body: string, query: string): ReadonlyArray<Form.Parameter> => {
  if (body.trim() === "") return form(query)
  return body.trimStart().startsWith("{") ? members(body) : form(body)
}

const numberNames = ["orderid", "recurring-payment-id"] as const

const askedOf = (operation: Operation, fields: Readonly<Record<string, string>>): string =>
  [
    operation.command,
    ...(fields.amount === undefined ? [] : [`${fields.amount} ${fields.currency ?? ""}`.trim()]),
    ...[clientOrder(fields)].flatMap((named) => (named === undefined ? [] : [`${named.field}=${named.id}`])),
    ...numberNames.flatMap((name) => (fields[name] === undefined ? [] : [`${name}=${fields[name]}`]))
  ].join(" ")

/** Whether the target is that of an operation. All others are pages, which customers open. */
export const isOperation = (target: string, publicBaseUrl: string): boolean =>
  RequestTarget.isApi(RequestTarget.targetOf(publicBaseUrl, target).path)

/** Returns what a request asks for. `undefined` if no operation has its path. */
export const read = ({ body, target }: Received, publicBaseUrl: string): RequestFacts | undefined => {
  const { path, query } = RequestTarget.targetOf(publicBaseUrl, target)
  const located = RequestTarget.operationPathOf(path)
  if (located === undefined) return undefined
  const { operation, pathId: endpointId } = located
  const parameters = parametersOf(body.toString(), query)
  const { fields } = Canonical.fields(operation, parameters)
  const { amount = "", currency = "" } = fields
  return {
    operation,
    endpointId,
    parameters,
    clientOrderId: clientOrder(fields)?.id,
    numbers: numberNames.flatMap((name) => fields[name] ?? []),
    amountMinor: Result.getOrUndefined(Money.toMinor(amount, currency)),
    currency: currency.toUpperCase(),
    question: askedOf(operation, fields)
  }
}
