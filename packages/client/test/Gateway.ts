/** A gateway with its simulated bank on a port, the client of its merchant, and the merchant's address for callbacks. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServer from "@pay/gateway/NodeServer"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Layer, ManagedRuntime, Metric } from "effect"
import { type Client, type ClientOptions, Pay } from "../src/main.ts"

export const { merchant } = Sandbox

export interface ReceivedCallback {
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** The gateway of a test file. */
export interface Gateway {
  readonly baseUrl: string
  /** Verifies callbacks with the clients of {@link Gateway.client}, which wakes the flows that wait for them. */
  readonly callbackUrl: string
  /** The verified callbacks, as they arrived. */
  readonly callbacks: ReadonlyArray<ReceivedCallback>
  readonly client: (options?: Partial<ClientOptions>) => Client
  /** Returns the form that the issuer posts to the shop after the cardholder has confirmed. It depends on the version of 3-D Secure. */
  readonly confirmed: (orderId: string) => Promise<Effect.Success<ReturnType<ThreeDSControl["Service"]["play"]>>>
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
  const callbacks: Array<ReceivedCallback> = []
  const server = createServer(({ headers, url = "" }, response) => {
    for (const client of clients) client.callbacks.verify({ url, headers })
    callbacks.push({ headers, query: url.slice(url.indexOf("?") + 1) })
    response.end("OK")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    baseUrl,
    callbackUrl: `http://127.0.0.1:${port}/callback`,
    callbacks,
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
      runtime.runPromise(Effect.flatMap(ThreeDSControl, (control) => control.play(orderId, "pass"))),
    close: async () => {
      server.close()
      await runtime.dispose()
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
