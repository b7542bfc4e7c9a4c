/** Reads `crashtest.json`. Every mistake is named at once, each with its place and what to write. */

import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as Loopback from "@pay/schema/Loopback"
import * as Money from "@pay/schema/Money"
import * as ConfigTable from "@pay/server/ConfigTable"
import * as Suggestion from "@pay/server/Suggestion"
import { Data, Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import { smallestMinor } from "../plan/Payment.ts"
import * as JsonText from "./JsonText.ts"
import * as Substitution from "./Substitution.ts"
import * as TemplateSchema from "./TemplateSchema.ts"

/** The name of the file in the folder where the command is run. */
export const fileName = "crashtest.json"

/** The template cannot be used: everything that is wrong, in lines. */
export class TemplateWrong extends Data.TaggedError("TemplateWrong")<{
  readonly message: string
  readonly problems: ReadonlyArray<string>
}> {}

/** The currency of the orders, if the template names none. */
export const defaultCurrency = "USD"

export type Template = TemplateSchema.Template

const format = SchemaIssue.makeFormatterStandardSchemaV1()
const decode = Schema.decodeUnknownResult(TemplateSchema.Template, { errors: "all" })

/** A path that is absent says what to write there. */
const wanted: Readonly<Record<string, string>> = {
  url: 'write where the shop listens: "url": "http://127.0.0.1:9000"',
  "ask.paid": 'write how the answer says paid: "paid": { "json": "state", "is": "paid" }'
}

/** Returns one message for each value that has not its form. A value that may have several forms gets one message. */
const formProblems = (raw: unknown): ReadonlyArray<string> => {
  const decoded = decode(raw)
  if (Result.isSuccess(decoded)) return []
  const messages = new Map<string, string>()
  for (const { message, path = [] } of format(decoded.failure.issue).issues) {
    const at = path.map(String).join(".")
    if (!messages.has(at))
      messages.set(
        at,
        `${at === "" ? "the template" : at}: ${message === "Missing key" ? (wanted[at] ?? message) : message}`
      )
  }
  return [...messages.values()]
}

/** Fields inside of lists and alternatives, which the schema's table of names does not reach. */
const stepProblems = (raw: unknown): ReadonlyArray<string> => {
  const steps = (at: string): ReadonlyArray<string> => {
    const action = Predicate.isObject(raw) && Predicate.hasProperty(raw, at) ? raw[at] : undefined
    const customer = Predicate.hasProperty(action, "customer") ? action.customer : undefined
    if (!Array.isArray(customer)) return []
    return ConfigTable.unknown(Schema.Array(TemplateSchema.Step), customer).map((text) => `${at}.customer${text}`)
  }
  return [...steps("buy"), ...steps("subscribe")]
}

const withoutPort = (url: string): string => url.replaceAll("{port}", "9000")

const urlProblem = ({ url }: Template): ReadonlyArray<string> => {
  const read = URL.parse(withoutPort(url))
  if (read === null || !/^https?:$/.test(read.protocol))
    return [`url: ${url} is no address: write "http://127.0.0.1:9000"`]
  if (!Loopback.isOn(read.href))
    return [`url: ${read.hostname} is another machine. A crash test calls only this one: write "http://127.0.0.1:9000"`]
  return read.pathname === "/" && read.search === ""
    ? []
    : [`url: write it without a path, and the path in each request`]
}

/** The address of a request that names a machine. */
const machineOf = (line: string | undefined): URL | undefined => {
  const [, target = ""] = line?.split(" ") ?? []
  return (/^https?:/.test(target) ? URL.parse(target) : undefined) ?? undefined
}

interface Sending {
  readonly request?: string
  readonly run?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly customer?: unknown
  readonly fill?: unknown
  readonly number?: string
}

/** What is wrong with a request, a program or steps that concern one order. */
const sendingProblems = (
  at: string,
  sending: Sending | undefined,
  { hasNumber = false, needsAmount = false } = {}
): ReadonlyArray<string> => {
  if (sending === undefined) return []
  const { body, customer, fill, headers, number, request, run } = sending
  const texts = { request, run, headers, body, customer, fill }
  const namesNumber = Substitution.names(texts, "number")
  const machine = machineOf(request)
  const example = at.endsWith("ask") ? '"request": "GET /orders/{order}"' : '"request": "POST /orders/{order}"'
  return [
    ...(namesNumber && !hasNumber
      ? [`${at}: {number} is not known: write into "buy" where the shop shows it: "number": "order ([0-9]+)"`]
      : []),
    ...(Substitution.names(texts, "order") || namesNumber || number !== undefined
      ? []
      : [`${at}: it names no {order}: write for example ${example}`]),
    ...(!needsAmount || Substitution.names(texts, "amount") || Substitution.names(texts, "amountMinor")
      ? []
      : [
          `${at}: it names no {amount}: each order has an amount of its own, by which its requests are recognised: write it into the body, "amount": "{amount}"`
        ]),
    ...(machine === undefined || Loopback.isOn(machine.href)
      ? []
      : [`${at}.request: ${machine.hostname} is another machine. A crash test calls only this one: write the path`]),
    ...Substitution.misspelled(texts, Substitution.ofOrder, at)
  ]
}

const isEndpoint = (text: string): boolean => Object.hasOwn(SandboxMerchant.endpoints, text) || /^\d+$/.test(text)

const endpointProblem = ({ endpoint = "usd" }: Template): ReadonlyArray<string> => {
  if (isEndpoint(endpoint)) return []
  const names = Object.keys(SandboxMerchant.endpoints)
  const near = Suggestion.closest(endpoint, names)
  return [
    `endpoint: ${endpoint} is not of the sandbox: ${near === undefined ? `write one of ${names.join(", ")}` : `did you mean ${near}?`}`
  ]
}

/** What is refunded of each order, in minor units. `undefined`: the whole order. */
export const refundMinor = ({ currency = defaultCurrency, refund }: Template): number | undefined =>
  refund?.amount === undefined ? undefined : Result.getOrUndefined(Money.toMinor(refund.amount, currency))

const refundProblem = (template: Template): ReadonlyArray<string> => {
  const { currency = defaultCurrency, refund } = template
  if (refund?.amount === undefined) return []
  const minor = refundMinor(template) ?? 0
  if (minor > 0 && minor < smallestMinor) return []
  const below = `${Money.fromMinor(smallestMinor, currency)} ${currency}`
  return [`refund.amount: write an amount below ${below}, the smallest order: a part of each order`]
}

const exampleBuy = '"buy": { "request": "POST /orders/{order}", "body": { "amount": "{amount}" } }'
const exampleAsk = '"ask": { "request": "GET /orders/{order}", "paid": { "json": "state", "is": "paid" } }'

/** What is wrong with the template as a whole. */
const wholeProblems = (template: Template): ReadonlyArray<string> => {
  const { ask, buy, payout, refund, subscribe } = template
  const acts = [buy, payout, subscribe].some((each) => each !== undefined)
  const hasNumber = [buy, subscribe].some((each) => each?.number !== undefined)
  const needsAsk = [buy, subscribe].some((each) => each !== undefined) || payout?.ask === undefined
  return [
    ...urlProblem(template),
    ...endpointProblem(template),
    ...(acts ? [] : [`buy: it says nothing that a customer can do: write ${exampleBuy}`]),
    ...(acts && needsAsk && ask === undefined
      ? [`ask: it is missing: write how to ask about an order: ${exampleAsk}`]
      : []),
    ...(refund !== undefined && buy === undefined ? [`refund: there is nothing to refund without "buy"`] : []),
    ...refundProblem(template),
    ...sendingProblems("buy", buy, { needsAmount: true }),
    ...sendingProblems("subscribe", subscribe, { needsAmount: true }),
    ...sendingProblems("payout", payout, { needsAmount: true }),
    ...sendingProblems("refund", refund, { hasNumber }),
    ...sendingProblems("ask", ask, { hasNumber }),
    ...sendingProblems("payout.ask", payout?.ask),
    ...Substitution.misspelled(template.env ?? {}, Substitution.ofRun, "env")
  ]
}

const wrong = (place: string, problems: ReadonlyArray<string>) =>
  new TemplateWrong({
    problems,
    message: [`${place} cannot be used:`, ...problems.map((text) => `  ${text}`)].join("\n")
  })

/** The path of the object in which an unknown name is: `buy.customer.0` of `buy.customer[0].opne is not known`. */
const parentOf = (text: string): string => {
  const [path = ""] = text.split(" ", 1)
  return path
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".")
    .slice(0, -1)
    .join(".")
}

/** Reads a value that was parsed already. `place` names it in messages. */
export const fromValue = Effect.fnUntraced(function* (raw: unknown, place = fileName) {
  if (!Predicate.isObject(raw) || Array.isArray(raw))
    return yield* wrong(place, ['write an object: { "url": "http://127.0.0.1:9000", "buy": … , "ask": … }'])
  const unknown = [...ConfigTable.unknown(TemplateSchema.Template, raw), ...stepProblems(raw)]
  // With a misspelled name, its object seems to lack what the name stands for.
  const misspelled = new Set(unknown.map((text) => parentOf(text)))
  const isSaid = (text: string) => misspelled.has(text.split(": ")[0] ?? "")
  const problems = [...unknown, ...formProblems(raw).filter((text) => !isSaid(text))]
  if (problems.length > 0) return yield* wrong(place, problems)
  const template = Result.getOrThrow(decode(raw))
  const whole = wholeProblems(template)
  return whole.length > 0 ? yield* wrong(place, whole) : template
})

/**
 * Reads the text of a file. `overrides` are the values of flags: they take the place of values of the file.
 */
export const fromText = Effect.fnUntraced(function* (
  text: string,
  place = fileName,
  overrides: Readonly<Record<string, unknown>> = {}
) {
  const value = JsonText.read(text)
  if (Result.isFailure(value)) return yield* wrong(place, [value.failure])
  const raw = value.success
  return yield* fromValue(Predicate.isObject(raw) && !Array.isArray(raw) ? { ...raw, ...overrides } : raw, place)
})

/** The number of the endpoint at which the shop sells. */
export const endpointId = ({ endpoint = "usd" }: Template): string =>
  new Map<string, string>(Object.entries(SandboxMerchant.endpoints)).get(endpoint) ?? endpoint

/** A template to begin with, as `--example` prints it. */
export const example = `{
  "url": "http://127.0.0.1:9000",
  "patience": "5 seconds",
  "files": ["data"],
  "buy": {
    "request": "POST /orders/{order}",
    "headers": { "content-type": "application/json" },
    "body": {
      "amount": "{amount}",
      "currency": "{currency}",
      "card": "{card}",
      "cvv2": "{cvv2}",
      "expires": "{expireMonth}/{expireYear}"
    },
    "paid": { "json": "state", "is": "paid" },
    "failed": { "json": "state", "is": ["declined", "failed"] }
  },
  "ask": {
    "request": "GET /orders/{order}",
    "paid": { "json": "state", "is": "paid" },
    "unpaid": { "json": "state", "is": ["declined", "failed", "new"] },
    "shipped": { "json": "shipped", "is": true }
  }
}
`
