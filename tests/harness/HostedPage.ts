/** A customer without a browser: gets pages, reads their forms, posts them, goes where they are sent. */
import { FurtherPages, HostedPages, Pages } from "@pay/gateway/Gateway"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as CustomerInput from "@pay/sandbox/CustomerInput"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import { type Page, read } from "./HtmlPage.ts"
import * as Http from "./Http.ts"
import * as TestGateway from "./TestGateway.ts"

export { type Page, read }

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** One request, to the gateway however the address names it; what it answers, without going further. */
export const visit = (url: string, { form, headers }: Options = {}) =>
  Effect.map(
    Http.send(url, {
      headers: { accept: "text/html", ...(form === undefined ? {} : Http.form), ...headers },
      body: form === undefined ? undefined : Form.write(Object.entries(form))
    }),
    (answer) => read(answer.status, answer.headers, answer.text)
  )

const publicBaseUrl = "http://127.0.0.1"

/** One request to a gateway in this process, or to the simulated issuer beside it. `body` takes the place of a form. */
export const inProcess = Effect.fnUntraced(function* (
  url: string,
  {
    form,
    headers,
    body = form === undefined ? undefined : Form.write(Object.entries(form))
  }: Options & {
    readonly body?: string | undefined
  } = {}
) {
  const { pathname: path, search } = new URL(url, publicBaseUrl)
  const method = body === undefined ? "GET" : "POST"
  const answer = yield* Pages.first([yield* HostedPages, ...(yield* FurtherPages)], {
    ...{ method, path, publicBaseUrl, query: search.slice(1), body: body ?? "", remoteAddress: "127.0.0.1" },
    headers: { accept: "text/html", ...Http.form, ...headers }
  })
  return answer === undefined ? read(404, {}, "") : read(answer.status, answer.headers, answer.body)
})

const mostRedirects = 5

/** Opens a page as a browser does: it follows each 303 with GET. */
export const browse = Effect.fnUntraced(function* (url: string, options: Options = {}) {
  let at = url
  let page = yield* visit(at, options)
  for (let count = 0; count < mostRedirects && page.status === 303; count += 1) {
    at = new URL(String(page.headers.location), at).href
    page = yield* visit(at)
  }
  return { ...page, url: at }
})

export interface Opened {
  readonly url: string
  readonly names: { readonly client_orderid: string; readonly orderid: string }
}

/** A merchant asks for a page. */
export const open = Effect.fnUntraced(function* (
  clientOrderId: string,
  changes: Readonly<Record<string, string>> = {},
  operation: Operation = PayApi.operations.SALEFORM,
  endpointId: string = TestGateway.endpoints.usd
) {
  const fields = { ...Sample.request(operation), client_orderid: clientOrderId, ...changes }
  const reply = yield* TestGateway.post(operation, fields, { endpointId })
  return {
    reply,
    url: String(reply.body["redirect-url"]),
    names: { client_orderid: clientOrderId, orderid: String(reply.body["paynet-order-id"]) }
  }
})

export const goodCard: Readonly<Record<string, string>> = {
  number: "4444 3333 2222 1111",
  expiry: "12 / 30",
  code: "123",
  holder: "Jane Doe",
  attempts: "0",
  action: "pay"
}

/** Fills in the card form and sends it off. */
export const pay = (url: string, changes: Readonly<Record<string, string>> = {}) =>
  browse(url, { form: { ...goodCard, ...changes } })

export const baseUrl = Effect.map(NodeServer.NodeServer, ({ publicBaseUrl }) => publicBaseUrl)

const toAccount = { way: "account", account: "DE89370400440532013000", recipient: "Jane Doe" }
/** More pages than a customer sees in one payment, and pages in a row that ask for nothing. */
const [mostPages, mostIdle] = [20, 3]

/** Does what each page asks for, until a form leads back to the shop. Returns the fields of that form; undefined without one. */
export const walk = Effect.fnUntraced(function* <E, R>(
  ask: (url: string, form?: Readonly<Record<string, string>>) => Effect.Effect<Page, E, R>,
  start: string,
  shop: string,
  card: Readonly<Record<string, string>> = {}
) {
  let url = start
  let form: Readonly<Record<string, string>> | undefined
  for (let count = 0, idle = 0; count < mostPages && idle < mostIdle; count += 1) {
    const { action, body, headers, hidden, status } = yield* ask(url, form)
    if (action?.startsWith(shop) === true) return hidden
    const typed = CustomerInput.typed(body, { card: { ...goodCard, ...card }, account: toAccount })
    const asks = status !== 303 && (typed !== undefined || action !== undefined)
    idle = asks || status === 303 ? 0 : idle + 1
    form = asks ? { ...hidden, ...typed } : undefined
    url = asks ? new URL(action ?? url, url).href : status === 303 ? new URL(`${headers.location}`, url).href : start
  }
  return undefined
})
