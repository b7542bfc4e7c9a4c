/** Creates an order at a sandbox that takes a selected course. */
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as TestCards from "@pay/sandbox/TestCards"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, type Layer, Redacted } from "effect"
import type * as Flags from "../command/Flags.ts"
import * as OperatorClient from "../operator/OperatorClient.ts"
import * as AnswerText from "../request/AnswerText.ts"
import * as Client from "../request/Client.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Failure from "../request/Failure.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import * as SandboxOnly from "./SandboxOnly.ts"
import { events, type Name, type Step, type TriggerEvent } from "./TriggerEvents.ts"

interface Place {
  readonly endpointId: string
  readonly client: Layer.Layer<PayClient.PayClient, PayClient.InvalidSetting>
}

/**
 * Returns the endpoint and the client of an event. Unless another merchant is set, they are those of the sandbox's own merchant,
 * whose keys are public.
 */
const placeOf = async (given: Flags.Given, base: string, { endpoint }: TriggerEvent): Promise<Place> => {
  const { controlKey, endpoints, login, privateKeyPem } = SandboxMerchant.merchant
  if ((Credentials.setting(given, "login") ?? login) !== login)
    return { endpointId: Credentials.need(given, "endpoint-id"), client: await Client.layer(given) }
  const endpointId = given.flags.get("endpoint-id") ?? endpoints[endpoint]
  const client = PayClient.layer({
    baseUrl: base,
    login,
    controlKey: Redacted.make(controlKey),
    privateKey: Redacted.make(privateKeyPem),
    endpointId
  })
  return { endpointId, client }
}

const row = <A>(what: string, name: string, entry: A | undefined): A => {
  if (entry !== undefined) return entry
  throw new Error(`the sandbox has no ${what} ${name}`)
}

type Texts = Readonly<Record<string, string>>

const numberOf = ({ card, recipient, threeds }: Step): Texts => {
  if (card !== undefined) return { credit_card_number: row("card", card, TestCards.byName(card)).number }
  if (recipient !== undefined)
    return { credit_card_number: row("recipient", recipient, TestRecipients.byName(recipient)).numbers.card }
  const issued = ThreeDSTestCards.cards.find(({ name }) => name === threeds)
  return threeds === undefined ? {} : { credit_card_number: row("card", threeds, issued).number }
}

interface Sent {
  readonly operation: Operation.Operation
  readonly clientOrderId: string
  readonly orderId: string
  readonly answer: Texts
}

const clientOrderIds = ["client_orderid", "client-order-id"] as const

/** Returns the fields of a step: sample values, with the values that cause its course. */
const textsOf = (
  step: Step,
  operation: Operation.Operation,
  clientOrderId: string,
  first: Sent | undefined,
  callback: string | undefined
): Texts => {
  const sample: Texts = Sample.request(operation)
  const onOrder = operation.acts === "onOrder" && first !== undefined
  const name = clientOrderIds.find((each) => each in sample) ?? "client_orderid"
  const subscription = first?.answer["recurring-payment-id"]
  const { login: _, redirect_url: __, ...fields } = { login: "", redirect_url: "", ...sample }
  return {
    ...fields,
    ...numberOf(step),
    ...step.fields,
    [name]: onOrder ? first.clientOrderId : clientOrderId,
    ...(onOrder && { orderid: first.orderId }),
    ...(subscription !== undefined && { "recurring-payment-id": subscription }),
    ...(callback !== undefined && { server_callback_url: callback })
  }
}

const mostLooks = 100

/** Waits for the bank's answer, because later steps act on the order. */
const answered = Effect.fnUntraced(function* (order: Sent) {
  const client = yield* PayClient.PayClient
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const { status } = yield* client.status({ client_orderid: order.clientOrderId, orderid: order.orderId })
    if (status !== "processing") return
    yield* Effect.sleep("100 millis")
  }
})

const perform = Effect.fnUntraced(function* (event: TriggerEvent, name: string, callback: string | undefined) {
  const sent: Array<Sent> = []
  for (const [index, step] of event.steps.entries()) {
    const operation = row("operation", step.operation, PayApi.byCommand.get(step.operation))
    const [first] = sent
    if (first !== undefined) yield* answered(first)
    const clientOrderId =
      index === 0 || operation.acts !== "onOrder" ? `${name}${index === 0 ? "" : `-${index}`}` : name
    const texts = textsOf(step, operation, clientOrderId, first, callback)
    const login = operation.fields.login === undefined ? {} : { login: SandboxMerchant.merchant.login }
    const request = yield* Effect.orDie(Effect.fromResult(Operation.decode(operation)({ ...login, ...texts })))
    const answer = AnswerText.texts(yield* PayClient.call(operation, request))
    const orderId = answer["paynet-order-id"] ?? first?.orderId ?? ""
    sent.push({ operation, clientOrderId, orderId, answer })
  }
  return sent
})

/** Returns shell lines with the public settings of the sandbox's own merchant, if later commands would lack them. */
const settingsOf = (base: string, endpointId: string): ReadonlyArray<string> => {
  const none = { operands: [], flags: new Map<string, string>() }
  if (["base-url", "login"].every((name) => Credentials.setting(none, name) !== undefined)) return []
  const { controlKey, login } = SandboxMerchant.merchant
  return [
    `export PAY_BASE_URL=${Output.quoted(base)} PAY_LOGIN=${login}`,
    `export PAY_CONTROL_KEY=${controlKey} PAY_ENDPOINT_ID=${endpointId} PAY_GATEWAY_PROFILE=pay`
  ]
}

const report = (
  name: string,
  event: TriggerEvent,
  sent: ReadonlyArray<Sent>,
  endpointId: string,
  base: string
): Output.Report => {
  const last = sent.findLast(({ operation }) => operation.acts === "creates") ?? sent[0]
  const clientOrderId = last?.clientOrderId ?? ""
  const when = event.after === undefined ? "" : ` once the sandbox's time has moved: pay clock advance ${event.after}`
  const look = [...settingsOf(base, endpointId), `pay why ${clientOrderId}`, `pay status ${clientOrderId} --watch`]
  const text = `${name}: ${event.about}

${Output.columns(sent.map((step) => [step.operation.name, `${step.clientOrderId} at ${endpointId}: order ${step.orderId}`]))}

It is ${event.ends}${when}.
${look.map((line) => `  ${line}`).join("\n")}`
  const orders = sent.map(({ clientOrderId, operation, orderId }) => ({
    operation: operation.name,
    clientOrderId,
    orderId
  }))
  return {
    text,
    json: {
      outcome: "answered",
      event: name,
      endpointId,
      orders,
      clientOrderId,
      ends: event.ends,
      after: event.after ?? null
    }
  }
}

export interface Wanted {
  readonly name: Name
  readonly given: Flags.Given
  readonly callback: string | undefined
  readonly clientOrderId: string
}

export const trigger = async ({ callback, clientOrderId, given, name }: Wanted): Promise<ExitCode> => {
  const asJson = given.flags.has("json")
  const event: TriggerEvent = events[name]
  const base = (Credentials.setting(given, "base-url") ?? "http://127.0.0.1:8080").replace(/^(.*[^/])?\/*$/s, "$1")
  return OperatorClient.withExitCode(asJson, async () => {
    await SandboxOnly.check(base, "trigger")
    const place = await placeOf(given, base, event)
    const ended = await Program.run(Effect.provide(perform(event, clientOrderId, callback), place.client))
    if (ended._tag === "Done") {
      Output.print(report(name, event, ended.value, place.endpointId, base), asJson)
      return codes.ok
    }
    const operation = PayApi.byCommand.get(event.steps[0].operation) ?? PayApi.operations.SALE
    const attempt = { operation, clientOrderId, orderId: undefined, idempotencyKey: undefined }
    return Failure.print(Failure.ofEnd(ended, attempt), asJson)
  })
}
