/** A gateway with its simulated bank on a port, the client of its merchant, and the merchant's address for callbacks. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServer from "@pay/gateway/NodeServer"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Layer, ManagedRuntime, Metric } from "effect"
import { type Client, type ClientOptions, Pay } from "../src/main.ts"

export const { merchant } = Sandbox

/** The gateway of a test file. */
export interface Gateway {
  readonly baseUrl: string
  /** Verifies callbacks with the clients of {@link Gateway.client}, which wakes what waits for them. */
  readonly callbackUrl: string
  /** The orders of verified callbacks, as they came. */
  readonly called: ReadonlyArray<string>
  readonly client: (options?: Partial<ClientOptions>) => Client
  /** What the issuer of the order's card posts to the shop after the cardholder has confirmed. */
  readonly confirmed: (orderId: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const start = async (): Promise<Gateway> => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "pay-client-"))
  const layer = Sandbox.layer({ dataDirectory, port: 0, logLevel: "warning" })
  const runtime = ManagedRuntime.make(
    Layer.provide(
      layer,
      Layer.sync(Metric.MetricRegistry, () => new Map())
    )
  )
  const { publicBaseUrl: baseUrl } = await runtime.runPromise(Effect.service(NodeServer.NodeServer))
  const clients = new Set<Client>()
  const called: Array<string> = []
  const server = createServer((request, response) => {
    for (const client of clients) called.push(client.callbacks.verify(request).clientOrderId)
    response.end("OK")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    baseUrl,
    callbackUrl: `http://127.0.0.1:${port}/callback`,
    called,
    client: (options = {}) => {
      const client = Pay.client({
        baseUrl,
        login: merchant.login,
        controlKey: merchant.controlKey,
        privateKey: merchant.privateKeyPem,
        endpointId: merchant.endpoints.usd,
        ...options
      })
      if (options.controlKey === undefined) clients.add(client)
      return client
    },
    confirmed: (orderId) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const result = yield* (yield* ThreeDSControl).play(orderId, "pass")
          return result._tag === "CRes" ? result.cres : ""
        })
      ),
    close: async () => {
      server.close()
      await runtime.dispose()
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
