/**
 * A sale may arrive after the shop has stopped to wait for its answer. An example gives an order up only when its latest sale, and not
 * its first one, was sent so long ago that it is not on its way any more.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Schedule } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import * as ExampleShops from "../../tools/crashtest/scripts/ExampleShops.ts"

const giveUpMs = 3000

/** A gateway that never gets the sales, and knows no order. */
const gateway = Effect.acquireRelease(
  Effect.promise(async () => {
    const sentMs: Array<number> = []
    const server = createServer(async (request, response) => {
      await text(request)
      if (request.url?.includes("/sale/") === true) {
        sentMs.push(performance.now())
        return request.socket.destroy()
      }
      response.writeHead(400, { "content-type": "application/vnd.pay+json" })
      const body = {
        type: "validation-error",
        "serial-number": "1",
        "error-code": "54",
        "error-message": "Unknown order"
      }
      response.end(JSON.stringify(body))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    return { server, sentMs, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
  }),
  ({ server }) => Effect.sync(() => void server.close().closeAllConnections())
)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-late-sale-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const started = Effect.fnUntraced(function* ({ command, folder: cwd }: ExampleShops.ExampleShop, baseUrl: string) {
  const [program = "", ...args] = command
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const { controlKey, endpoints, login } = Sandbox.merchant
  const env = {
    ...process.env,
    ...{ PAY_BASE_URL: baseUrl, PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey, PAY_ENDPOINT_ID: endpoints.usd },
    ...{ PORT: String(port), SHOP_URL: url, SHOP_DATABASE: join(yield* folder, "shop.db") },
    ...{ SHOP_POLL_SECONDS: "1", SHOP_TIMEOUT_SECONDS: "1", SHOP_GIVE_UP_SECONDS: String(giveUpMs / 1000) },
    ...{ PHP_CLI_SERVER_WORKERS: "4" }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(program, args, { cwd, env, stdio: "ignore", detached: true })),
    ({ pid }) => Effect.sync(() => pid !== undefined && process.kill(-pid, "SIGKILL"))
  )
  const state = (method: "GET" | "POST") =>
    Effect.tryPromise(async (): Promise<unknown> => {
      const body = JSON.stringify({ amount: "10.42", card: "4444555566661111", cvv2: "123", expires: "12/2040" })
      const headers = { "content-type": "application/json" }
      const answer = await fetch(`${url}/orders/late1`, method === "GET" ? {} : { method, headers, body })
      return Reflect.get(await answer.json(), "state")
    })
  yield* Effect.retry(state("GET"), Schedule.spaced(50))
  return { look: state("GET"), press: state("POST") }
})

/** The durable example has flows that send by themselves, and the sample shop is no program of this kind. */
const others = new Set(["hono", "shop"])

describe("a sale that may still arrive", { concurrent: true }, () => {
  for (const example of ExampleShops.careful.filter(({ name }) => !others.has(name)).filter(ExampleShops.isHere)) {
    it.live(`keeps its order open: ${example.name}`, () =>
      Effect.gen(function* () {
        const { sentMs, url } = yield* gateway
        const { look, press } = yield* started(example, url)
        while (performance.now() - (sentMs[0] ?? performance.now()) < giveUpMs) assert.strictEqual(yield* press, "open")
        while ((yield* look) === "open") yield* Effect.sleep(50)
        assert.isAbove(performance.now() - (sentMs.at(-1) ?? 0), giveUpMs - 1000)
      })
    )
  }
})
