import { once } from "node:events"
import { createServer, request as post } from "node:http"
import { join } from "node:path"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import { FlowEngine, makeMemory } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as Steps from "@pay/flows/Steps"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as WebCustomerBrowserRoute from "@pay/flows/WebCustomerBrowserRoute"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Logger, Option, Redacted, Schedule } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { request } from "undici"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { inBusinessTime } from "./BusinessTime.ts"

const { SALE } = PayApi.operations
const card = { challenge: "4444000011118888", method: "4444000022224444" } as const

const payment = (number: string, redirect_url: string) =>
  Effect.map(
    Effect.fromResult(
      FlowPayload.decode(CardSale, {
        ...Sample.request(SALE),
        client_orderid: "o-1",
        credit_card_number: number,
        redirect_url
      })
    ),
    (fields) => ({ ...fields, endpointId: Sandbox.endpoints.threedsMerchant })
  )

const options = { url: "https://shop.example/pay", secret: Redacted.make("of the shop") }
const notEnded = () => Effect.undefined

/** What the page that the browser got wants to be posted. */
const hostedSessionOf = ({ body }: WebCustomerBrowser.Reply): string =>
  /name="(creq|threeDSMethodData|PaReq|browserJavascriptEnabled)"/.exec(body)?.[1] ?? ""

/** A browser that follows each next action, and returns the issuer's result as many times as the test says. */
const browse = Effect.fnUntraced(function* (
  web: WebCustomerBrowser.WebCustomerBrowser["Service"],
  orderId: string,
  times: number
) {
  const issuer = yield* ThreeDSControl
  const page = yield* web.receive({ method: "GET", url: web.goUrl("o-1") })
  const post = (fields: Readonly<Record<string, string>>) =>
    web.receive({ method: "POST", url: web.backUrl("o-1"), body: new URLSearchParams(fields).toString() })
  if (hostedSessionOf(page) === "threeDSMethodData")
    return yield* post({ threeDSMethodData: yield* issuer.method(orderId) })
  if (hostedSessionOf(page) === "browserJavascriptEnabled") return yield* post({ browserJavascriptEnabled: "false" })
  assert.strictEqual(hostedSessionOf(page), "creq")
  const carried = yield* issuer.play(orderId, "pass")
  assert(carried._tag === "CRes")
  return yield* Effect.all(Array.from({ length: times }, () => post({ cres: carried.cres })))
})

const inSandbox = Layer.merge(Sandbox.layer(), Logger.layer([]))

for (const [comes, number, end] of [
  [1, card.challenge, "approved"],
  [1, card.method, "approved"],
  [2, card.challenge, "approved"],
  [0, card.challenge, "Abandoned"]
] as const) {
  it.effect(`a browser that returns ${comes} times with card ${number}: ${end}`, () =>
    Effect.gen(function* () {
      const { customerBrowser, web } = yield* WebCustomerBrowser.make({ ...options, ended: notEnded })
      const issuer = yield* ThreeDSControl
      const send = (visit: CustomerBrowser.Visit) =>
        Effect.andThen(customerBrowser.send(visit), comes === 0 ? Effect.void : browse(web, visit.orderId, comes)).pipe(
          Effect.provideService(ThreeDSControl, issuer),
          Effect.orDie
        )
      const outcome = yield* CardSale.execute(yield* payment(number, web.backUrl("o-1"))).pipe(
        Effect.match({ onSuccess: ({ status }) => status, onFailure: ({ _tag }) => _tag }),
        Effect.provideService(CustomerBrowser.CustomerBrowser, { send }),
        inBusinessTime(false)
      )
      assert.strictEqual(outcome, end)
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(Layer.provideMerge(FlowEngine.layerMemory, inSandbox)))
  )
}

it.live("a shop that restarts while its customer is at the bank continues when the browser returns", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const cipher = yield* Cipher.make({ key: Redacted.make(Buffer.alloc(32, 7).toString("base64")) })
    const shop = CardSale.layer.pipe(
      Layer.provideMerge(
        Layer.unwrap(
          Effect.map(WebFile.open({ path: join(folder, "web.db") }), ({ visits }) =>
            WebCustomerBrowser.layer({ ...options, ended: notEnded, store: visits })
          )
        )
      ),
      Layer.provideMerge(Durable.layer({ path: join(folder, "flows.db"), cipher }))
    )
    const runInProcess = <A, E>(
      program: Effect.Effect<
        A,
        E,
        | FlowEngine
        | CustomerBrowser.CustomerBrowser
        | WebCustomerBrowser.WebCustomerBrowser
        | ThreeDSControl
        | Sandbox.Services
      >
    ) => Effect.provide(program, shop, { local: true })

    const orderId = yield* runInProcess(
      Effect.gen(function* () {
        const web = yield* WebCustomerBrowser.WebCustomerBrowser
        yield* CardSale.start(yield* payment(card.challenge, web.backUrl("o-1")))
        const go = web.receive({ method: "GET", url: web.goUrl("o-1") })
        const comes = (name: string) =>
          Effect.repeat(go, { schedule: Schedule.spaced("10 millis"), until: (page) => hostedSessionOf(page) === name })
        yield* comes("browserJavascriptEnabled")
        yield* web.receive({ method: "POST", url: web.backUrl("o-1"), body: "browserJavascriptEnabled=false" })
        yield* comes("creq")
        const client = yield* PayClient
        const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: "o-1" })
        return orderId
      })
    )
    yield* runInProcess(
      Effect.gen(function* () {
        yield* browse(yield* WebCustomerBrowser.WebCustomerBrowser, orderId, 1)
        assert.strictEqual((yield* CardSale.ended("o-1"))._tag, "Succeeded")
      })
    )
  }).pipe(Effect.scoped, Effect.provide(inSandbox))
)

it.live("an HttpRouter serves the customer's pages, which signal the flows of its engine", () => {
  const steps = Steps.makeMemory()
  const route = HttpRouter.serve(WebCustomerBrowserRoute.layer("/pay"), {
    disableListenLog: true,
    disableLogger: true
  }).pipe(
    Layer.provideMerge(WebCustomerBrowser.layer({ ...options, ended: notEnded })),
    Layer.provideMerge(Layer.succeed(FlowEngine, makeMemory(steps))),
    Layer.provideMerge(Sandbox.layer()),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
  )
  return Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    assert(address._tag === "InetAddressV4")
    const { backUrl, goUrl } = yield* WebCustomerBrowser.WebCustomerBrowser
    const ask = (url: string, method: "GET" | "POST" | "PUT") =>
      Effect.promise(async () => {
        const target = `http://127.0.0.1:${address.port}${new URL(url).pathname}`
        const body = method === "GET" ? null : new URLSearchParams({ cres: "result" }).toString()
        const answer = await request(target, { method, body })
        return { status: answer.statusCode, location: answer.headers.location, text: await answer.body.text() }
      })
    assert.include((yield* ask(goUrl("o-1"), "GET")).text, "One moment")
    assert.strictEqual((yield* ask(goUrl("o-1").slice(0, -1), "GET")).status, 404)
    assert.strictEqual((yield* ask(backUrl("o-1"), "PUT")).status, 405)
    const endless = yield* Effect.promise(async () => {
      const headers = { "content-length": "1000000000" }
      const path = new URL(backUrl("o-1")).pathname
      const sending = post({ host: "127.0.0.1", port: address.port, path, method: "POST", headers })
      sending.on("error", () => {})
      sending.write("x".repeat(200_000))
      const [answer] = await once(sending, "response")
      sending.destroy()
      return answer.statusCode
    })
    assert.strictEqual(endless, 413, "said before all of it came")
    const { location, status } = yield* ask(backUrl("o-1"), "POST")
    assert.deepStrictEqual([status, location], [303, goUrl("o-1")])
    const received = yield* steps.awaitSignal("back", {
      key: CustomerBrowser.returnKey((yield* PayClient).merchant, "o-1", "Challenge"),
      timeout: "1 second"
    })
    assert.deepStrictEqual(Option.flatMap(received, CustomerBrowser.read), Option.some({ cres: "result" }))
  }).pipe(Effect.provide(route))
})
