/** A sandbox gateway on a port, its merchant's client, and an address that keeps the callbacks that it gets. */
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Client, Pay } from "@pay/client"
import * as NodeServer from "@pay/gateway/NodeServer"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Layer, ManagedRuntime, Metric } from "effect"

export const { merchant } = Sandbox

export interface ReceivedCallback {
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

export interface TestSandbox {
  readonly baseUrl: string
  readonly privateKeyFile: string
  readonly callbackUrl: string
  readonly callbacks: ReadonlyArray<ReceivedCallback>
  readonly pay: Client
  /** What the issuer posts to the shop after the cardholder has confirmed. */
  readonly confirm: (orderId: string) => Promise<Readonly<Record<string, string>>>
  readonly close: () => Promise<void>
}

export const start = async (): Promise<TestSandbox> => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "pay-docs-"))
  const privateKeyFile = join(dataDirectory, "merchant.pem")
  const registry = Layer.sync(Metric.MetricRegistry, () => new Map())
  const layer = Sandbox.layer({ dataDirectory: join(dataDirectory, "gateway"), port: 0, logLevel: "error" })
  const runtime = ManagedRuntime.make(Layer.provide(layer, registry))
  const { publicBaseUrl: baseUrl } = await runtime.runPromise(Effect.service(NodeServer.NodeServer))
  writeFileSync(privateKeyFile, merchant.privateKeyPem)
  const pay = Pay.client({
    baseUrl,
    login: merchant.login,
    controlKey: merchant.controlKey,
    privateKey: merchant.privateKeyPem,
    endpointId: merchant.endpoints.usd
  })
  const callbacks: Array<ReceivedCallback> = []
  const server = createServer(({ headers, url = "" }, response) => {
    callbacks.push({ headers, query: url.slice(url.indexOf("?") + 1) })
    pay.callbacks.verify({ url, headers })
    response.end("OK")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    baseUrl,
    privateKeyFile,
    callbackUrl: `http://127.0.0.1:${port}/callback`,
    callbacks,
    pay,
    confirm: (orderId) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const result = yield* (yield* ThreeDSControl).play(orderId, "pass")
          return result._tag === "CRes" ? { PAY_CRES: result.cres } : { PAY_PARES: result.pares, PAY_MD: result.md }
        })
      ),
    close: async () => {
      server.close()
      await runtime.dispose()
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
