/** Measures the signing client relative to plain requests, beside the same figure of a well-known SDK. */
import * as http from "node:http"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, ManagedRuntime, Redacted } from "effect"
import Stripe from "stripe"
import { Agent, request } from "undici"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"

const IN_FLIGHT = 64

const sale = (turn: number) => ({
  client_orderid: `902B4FF5-${turn}`,
  order_desc: "Two chairs & a table",
  amount: "10.42",
  currency: "USD",
  card_printed_name: "JOHN SMITH",
  credit_card_number: Redacted.make("4444333322221111"),
  expire_month: 12,
  expire_year: 2030,
  cvv2: Redacted.make("123"),
  address1: "1 Main Street",
  city: "Seattle",
  zip_code: "98102",
  country: "US",
  state: "WA",
  phone: "+12063582043",
  email: "john.smith@gmail.com",
  ipaddress: "65.153.12.232"
})

/** The request of the benchmark, signed and encoded in advance. */
const ready =
  "client_orderid=902B4FF5-1&order_desc=Two%20chairs%20%26%20a%20table&amount=10.42&currency=USD" +
  "&card_printed_name=JOHN%20SMITH&credit_card_number=4444333322221111&expire_month=12&expire_year=2030&cvv2=123" +
  "&address1=1%20Main%20Street&city=Seattle&zip_code=98102&country=US&state=WA&phone=%2B12063582043" +
  "&email=john.smith%40gmail.com&ipaddress=65.153.12.232&control=c6bdd88a78834ef4b863b088827a459f039e8257"
const headers = {
  accept: "application/vnd.pay+json",
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": "pay-transport"
}

/** Processor time of the whole process, which includes the threads of the pool and the garbage collector. */
const processMicros: Measure.Clock = () => {
  const { system, user } = process.cpuUsage()
  return user + system
}
const measured = { repetitions: 15, repetitionMillis: 150, clock: processMicros }

/** Number of calls after which the engine has compiled the code that a long-running client uses. */
const WARM_CALLS = 20_000
const warmed = async (sides: { readonly ours: Measure.Work; readonly baseline: Measure.Work }) => {
  await sides.ours(WARM_CALLS)
  await sides.baseline(WARM_CALLS)
  return Measure.compare(sides, measured)
}

const bareUndici = (url: string, dispatcher: Agent) => async () => {
  const { body, statusCode } = await request(url, { method: "POST", headers, body: ready, dispatcher })
  if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`)
  return body.text()
}

const bareHttp = (url: string, agent: http.Agent) => () =>
  new Promise<string>((resolve, reject) => {
    const outgoing = http.request(
      url,
      { method: "POST", agent, headers: { ...headers, "content-length": Buffer.byteLength(ready) } },
      (incoming) => {
        let text = ""
        incoming.setEncoding("utf8").on("data", (part: string) => {
          text += part
        })
        incoming.on("end", () => resolve(text)).on("error", reject)
      }
    )
    outgoing.on("error", reject).end(ready)
  })

const stripeCall = (stripe: Stripe) => (turn: number) =>
  stripe.paymentIntents.create({
    amount: 1042,
    currency: "usd",
    confirm: true,
    description: "Two chairs & a table",
    receipt_email: "john.smith@gmail.com",
    metadata: { order: `902B4FF5-${turn}` },
    shipping: {
      name: "JOHN SMITH",
      phone: "+12063582043",
      address: { line1: "1 Main Street", city: "Seattle", postal_code: "98102", country: "US", state: "WA" }
    }
  })

const run = async (): Promise<ReadonlyArray<Measure.Row>> => {
  const server = await Servers.start("../transport/Answering.ts")
  const { port } = server
  const base = `http://127.0.0.1:${port}`
  const url = `${base}/api/v2/sale/1111`
  const dispatcher = new Agent({ connections: IN_FLIGHT })
  const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  const runtime = ManagedRuntime.make(
    PayClient.layer({
      baseUrl: base,
      endpointId: "1111",
      login: "merchantlogin",
      controlKey: Redacted.make("B17F59B4-A7DC-41B4-8FF9-37D986B43D20"),
      concurrency: IN_FLIGHT
    })
  )
  const pay = await runtime.runPromise(PayClient.PayClient)
  const stripe = new Stripe("sk_test_bench", {
    host: "127.0.0.1",
    port,
    protocol: "http",
    httpAgent: new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT }),
    telemetry: false,
    maxNetworkRetries: 0
  })
  try {
    const client = await warmed({
      ours: Measure.inFlight(IN_FLIGHT, (turn) => Effect.runPromise(pay.sale(sale(turn)))),
      baseline: Measure.inFlight(IN_FLIGHT, bareUndici(url, dispatcher))
    })
    const peer = await warmed({
      ours: Measure.inFlight(IN_FLIGHT, stripeCall(stripe)),
      baseline: Measure.inFlight(IN_FLIGHT, bareHttp(url, agent))
    })
    const added = client.oursMicros - client.baselineMicros
    const peerAdded = peer.oursMicros - peer.baselineMicros
    return [
      Measure.times(
        {
          id: "C1",
          measure: "a signed sale / undici.request with the ready body, processor time at 64 in flight",
          limit: { atMost: 2, aim: 1.6 }
        },
        client
      ),
      Measure.times(
        {
          id: "C2",
          measure: "what our client adds to undici.request / what stripe adds to node:http",
          limit: { atMost: 0.3, aim: 0.25 }
        },
        { oursMicros: added, baselineMicros: peerAdded }
      )
    ]
  } finally {
    await runtime.dispose()
    await dispatcher.close()
    agent.destroy()
    server.stop()
  }
}

const benchmark: Measure.Benchmark = { id: "transport", title: "Signed client", run }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
