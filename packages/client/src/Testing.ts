/**
 * A whole gateway inside the process of your tests: with a simulated bank, payout rail and card issuer, a merchant, a client for it and a
 * clock that the test moves. Nothing else is installed or started. It is for tests only, and a program that does not import it does not
 * load it.
 *
 * @module
 */
import "./OldNode.ts"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import * as Loopback from "@pay/schema/Loopback"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { Client, ClientOptions, Visit } from "./contract/Client.ts"
import type { TestGateway, TestGatewayOptions } from "./contract/Testing.ts"
import * as Keys from "./Keys.ts"
import { Pay } from "./main.ts"
import * as TestBooks from "./TestBooks.ts"
import * as TestClock from "./TestClock.ts"

export type * from "./contract/Testing.ts"

/** Sends callbacks for this machine, and gives the others to the test. */
const senderOf = ({ onCallback = () => 200 }: TestGatewayOptions, elsewhere: CallbackSender["Service"]) =>
  CallbackSender.of({
    send: (callback) =>
      Loopback.isOn(callback.url)
        ? elsewhere.send(callback)
        : Effect.map(
            Effect.promise(async () => onCallback(callback)),
            (status) => ({ status })
          )
  })

/** Acts as the customer's browser at the pages of a shop: it brings back what the issuer's page posts. */
const browserOf = (
  { web }: Client,
  answer: (visit: Visit) => Promise<Readonly<Record<string, string>> | undefined>
) => {
  const { backUrl, browser, handle } = web({ url: "http://shop.test/pay", secret: "test", ended: () => undefined })
  return async (visit: Visit) => {
    await browser(visit)
    const fields = await answer(visit)
    if (fields === undefined) return
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    await handle({
      method: "POST",
      url: backUrl(visit.clientOrderId),
      headers,
      body: String(new URLSearchParams(fields))
    })
  }
}

/**
 * Starts a gateway for tests. Each call makes a separate one.
 *
 * @example
 * const gateway = await testGateway()
 * const { order } = await gateway.pay.authorize(payment)
 * await gateway.advance("8 days") // the hold has lapsed
 * await gateway.close()
 */
export const testGateway = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  Keys.optionsOf(options, ["endpointId", "onCallback"], "must be an object")
  const sender = Layer.effect(
    CallbackSender,
    Effect.map(CallbackSender, (elsewhere) => senderOf(options, elsewhere))
  ).pipe(Layer.provide(Sandbox.loopbackSender))
  const runtime = ManagedRuntime.make(Sandbox.listen({ sender, logLevel: "Error" }))
  const { publicBaseUrl: baseUrl } = await runtime.runPromise(NodeServer)
  const { controlKey, login, privateKeyPem: privateKey } = Sandbox.merchant
  const endpointId = options.endpointId ?? Sandbox.endpoints.usd
  const closing = new AbortController()
  const { signal } = closing
  const client = (changes: Partial<ClientOptions> = {}) =>
    Pay.client({ baseUrl, login, controlKey, privateKey, endpointId, signal, ...changes })
  const run: typeof runtime.runPromise = async (effect, runOptions) => {
    signal.throwIfAborted()
    return runtime.runPromise(effect, runOptions)
  }
  const pay = client()
  return {
    pay,
    client,
    baseUrl,
    env: { PAY_BASE_URL: baseUrl, PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey, PAY_ENDPOINT_ID: endpointId },
    endpoints: Sandbox.endpoints,
    advance: (duration) => run(TestClock.advance(duration)),
    settled: () => run(Sandbox.settled),
    books: (order) => run(TestBooks.read(order)),
    callbacks: () => run(Effect.flatMap(Sandbox.Inbox, ({ arrived }) => arrived)),
    customer: (choice, of = pay) => browserOf(of, (visit) => run(ThreeDSControl.customer(choice)(visit))),
    close: () => {
      closing.abort(new Error("The gateway for tests is closed: wait for each payment before you close it"))
      return runtime.dispose()
    }
  }
}
