/** A shop's pages for the browser on plain `node:http`, and a browser that waits there, goes to the bank and comes back. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import * as BrowserData from "@pay/flows/BrowserData"
import { CardSale } from "@pay/flows/CardPayment"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { Console, Effect, Layer, Redacted } from "effect"

const id = "INV-1"
const secret = Redacted.make("a secret of the shop")
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
  const ended = () => Effect.sync(() => (orders.has(id) ? `${shop}/order/${id}` : undefined))
  const { customerBrowser, web } = yield* WebCustomerBrowser.make({ url: `${shop}/pay`, secret, ended })
  server.on("request", async (request, response) => {
    const { headers, method = "", url = "" } = request
    if (url === `/order/${id}`) return response.end(orders.get(id))
    const reply = await Effect.runPromise(web.receive({ method, url, headers, body: await text(request) }))
    return response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  const sale = CardSale.execute({
    ...{ clientOrderId: id, orderDesc: "Two tickets", amount: "42.00", currency: "USD" },
    ...{ creditCardNumber: Redacted.make("4444000011118888"), expireMonth: 12, expireYear: 2035 },
    ...{ cvv2: Redacted.make("123"), cardPrintedName: "ADA LOVELACE", email: "ada@example.com" },
    ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
    ...{ ipAddress: "203.0.113.7", redirectUrl: web.backUrl(id), endpointId: Sandbox.endpoints.threedsMerchant },
    // The posted checkout form, and the headers of its request.
    ...BrowserData.paymentFields({ ...BrowserData.form, browserTZ: "-60" }, { accept: "text/html" })
  }).pipe(Effect.tap(({ status }) => Effect.sync(() => orders.set(id, status))))
  yield* Effect.forkChild(Effect.provideService(sale, CustomerBrowser, customerBrowser))
  return yield* browse(web)
})
const outcome = await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), FlowEngine.layerMemory)))
server.close()
if (outcome !== "approved") throw new Error(`the order's page says ${outcome}`)
