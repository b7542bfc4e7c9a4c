/** A shop's pages for the browser on plain `node:http`, and a browser that waits there, goes to the bank and comes back. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { CardSale } from "@pay/flows/CardPayment"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Console, Effect, Layer, Redacted } from "effect"

const { SALE } = PayApi.operations
const id = "INV-1"
const orders = new Map<string, string>()
const server = createServer().listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
const shop = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`

/** Opens pages until the shop shows the order. If a page has a form for the bank, confirms there and comes back. */
const browse = Effect.fn(function* ({ backUrl, goUrl }: WebCustomerBrowser.WebCustomerBrowser["Service"]) {
  const issuer = yield* ThreeDSControl
  for (;;) {
    const page = yield* Effect.promise(() => fetch(goUrl(id)))
    const body = yield* Effect.promise(() => page.text())
    yield* Console.log(`${page.url}: ${/<title>([^<]*)<\/title>/.exec(body)?.[1] ?? body}`)
    if (page.url === `${shop}/order/${id}`) return body
    const [request] = body.includes('name="creq"') ? yield* issuer.transactions : []
    const carried = request && (yield* issuer.play(request.reference, "pass"))
    const cres = carried?._tag === "CRes" ? carried.cres : ""
    if (cres === "") yield* Effect.sleep("200 millis")
    else yield* Effect.promise(() => fetch(backUrl(id), { method: "POST", body: new URLSearchParams({ cres }) }))
  }
})

const program = Effect.gen(function* () {
  const secret = Redacted.make("a secret of the shop")
  const ended = () => Effect.sync(() => (orders.has(id) ? `${shop}/order/${id}` : undefined))
  const { customerBrowser, web } = yield* WebCustomerBrowser.make({ url: `${shop}/pay`, secret, ended })
  server.on("request", async (request, response) => {
    const { headers, method = "", url = "" } = request
    if (url === `/order/${id}`) return response.end(orders.get(id))
    const reply = await Effect.runPromise(web.receive({ method, url, headers, body: await text(request) }))
    return response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  const order = { client_orderid: id, redirect_url: web.backUrl(id), credit_card_number: "4444000011118888" }
  const fields = { ...Sample.request(SALE), ...Sample.browser, ...order, endpointId: Sandbox.endpoints.threedsMerchant }
  const payment = yield* Effect.fromResult(FlowPayload.decode(CardSale, fields))
  const booked = Effect.tap(CardSale.execute(payment), ({ status }) => Effect.sync(() => orders.set(id, status)))
  yield* Effect.forkChild(Effect.provideService(booked, CustomerBrowser, customerBrowser))
  return yield* browse(web)
})

const outcome = await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), FlowEngine.layerMemory)))
server.close()
if (outcome !== "approved") throw new Error(`the order's page says ${outcome}`)
