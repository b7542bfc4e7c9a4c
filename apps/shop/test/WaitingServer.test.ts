/** A shop's server between the moment at which it listens and the one at which its routes are there. */
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { expect, it } from "vitest"
import * as WaitingServer from "../src/web/WaitingServer.ts"

it("a request that comes before the routes waits for them, with its body, and later ones are served once", async () => {
  const server = WaitingServer.make().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const early = request(url, { method: "POST", agent: false, headers: { expect: "100-continue" } })
  const answered = once(early, "response")
  early.flushHeaders()
  // The server says so when it has the request.
  await once(early, "continue")
  let served = 0
  server.on("request", async (received, response) => {
    served += 1
    response.end(`served ${Buffer.concat(await received.toArray())}`)
  })
  early.end("callback 1")
  const [response]: Array<IncomingMessage> = await answered
  expect(String(Buffer.concat((await response?.toArray()) ?? []))).toBe("served callback 1")
  const later = await fetch(url, { method: "POST", body: "callback 2", headers: { connection: "close" } })
  expect([await later.text(), served]).toEqual(["served callback 2", 2])
  server.close()
})
