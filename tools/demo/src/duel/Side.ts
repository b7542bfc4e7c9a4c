/**
 * One side of the duel: a gateway with its own simulated bank, a network that loses the first answer to a sale, and a shop as a
 * process.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Pay } from "@pay/client"
import { BankBooks } from "@pay/gateway/BankBooks"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Layer, ManagedRuntime, Metric } from "effect"
import * as ShopEnvironment from "./ShopEnvironment.ts"

/** A request of the shop: its operation, and the `client_orderid` in it. */
export interface Sent {
  readonly operation: string
  readonly clientOrderId: string
}

export interface Side {
  readonly gateway: string
  /** The requests that the shop has sent until now. */
  readonly sent: ReadonlyArray<Sent>
  /** Starts the shop, and kills it when the answer to its sale is lost. */
  readonly payAndDie: () => Promise<void>
  /** Starts the shop again. Returns the output of the shop when it has ended. */
  readonly payAgain: () => Promise<string>
  /** Waits until every order is final, and returns the amounts that the bank has charged, in minor units. */
  readonly charges: () => Promise<ReadonlyArray<number>>
  readonly close: () => Promise<void>
}

/** Forwards each request and its answer, except the answer to the first sale, which is never delivered. */
const openNetwork = async (gateway: string, sent: Array<Sent>) => {
  const lost = Promise.withResolvers<void>()
  let isFirst = true
  const server = createServer(async (request, response) => {
    const { headers, method = "", url = "" } = request
    const body = await text(request)
    const operation = url.split("/").at(-2) ?? ""
    sent.push({ operation, clientOrderId: new URLSearchParams(body).get("client_orderid") ?? "" })
    const answer = await fetch(`${gateway}${url}`, {
      method,
      body,
      headers: {
        accept: headers.accept ?? "*/*",
        "content-type": headers["content-type"] ?? "",
        ...(headers.authorization === undefined ? {} : { authorization: headers.authorization })
      }
    })
    const content = await answer.text()
    if (operation === "sale" && isFirst) {
      isFirst = false
      lost.resolve()
      return
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(content)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, lost: lost.promise, close }
}

/** Opens a side. `program` is the shop's file with its arguments. */
export const open = async (program: ReadonlyArray<string>): Promise<Side> => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "pay-duel-"))
  const runtime = ManagedRuntime.make(
    Layer.provide(
      Sandbox.layer({ dataDirectory, port: 0, logLevel: "error" }),
      Layer.sync(Metric.MetricRegistry, () => new Map())
    )
  )
  const { publicBaseUrl: gateway } = await runtime.runPromise(Effect.service(NodeServer.NodeServer))
  const sent: Array<Sent> = []
  const network = await openNetwork(gateway, sent)
  const start = () =>
    spawn(process.execPath, program, {
      stdio: ["ignore", "pipe", "inherit"],
      env: ShopEnvironment.of(network.url)
    })
  const pay = Pay.client({
    baseUrl: gateway,
    login: Sandbox.merchant.login,
    controlKey: Sandbox.merchant.controlKey,
    endpointId: Sandbox.merchant.endpoints.usd
  })
  return {
    gateway,
    sent,
    payAndDie: async () => {
      const shop = start()
      const over = once(shop, "exit")
      await Promise.race([network.lost, over])
      shop.kill("SIGKILL")
      await over
    },
    payAgain: async () => {
      const shop = start()
      return (await text(shop.stdout)).trim()
    },
    charges: async () => {
      for (const name of new Set(sent.map(({ clientOrderId }) => clientOrderId))) {
        for await (const _ of pay.watch(name));
      }
      const books = await runtime.runPromise(Effect.service(BankBooks))
      const { bookings } = await runtime.runPromise(
        books.bookings({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, undefined)
      )
      return bookings.filter(({ result }) => result === "approved").map(({ amountMinor }) => amountMinor)
    },
    close: async () => {
      network.close()
      await runtime.dispose()
      rmSync(dataDirectory, { recursive: true, force: true })
    }
  }
}
