import { readFileSync } from "node:fs"
import { createServer as createSecureServer } from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { operations } from "@pay/gateway/OperatorApi"
import * as OperatorClient from "../src/operator/OperatorClient.ts"
import { codes } from "../src/terminal/ExitCode.ts"
import { merchant, pay } from "./Pay.ts"

const fixture = (name: string) =>
  readFileSync(new URL(`../../../packages/transport/test/fixtures/${name}`, import.meta.url), "utf8")

const servers: Array<Server> = []
const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    servers.push(server)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
    })
  })
const onRequest = (act: (socket: Socket) => void) =>
  listening(createServer((socket) => socket.on("error", () => undefined).once("data", () => act(socket))))

const half = "HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"

/** Reasons why no answer comes, each with the address given for the gateway and the program's end. */
const causes: ReadonlyArray<readonly [cause: string, url: () => Promise<string>, ends: "notSent" | "unknown"]> = [
  ["no server listens", async () => "http://127.0.0.1:9", "notSent"],
  ["no server listens at a name of several addresses", async () => "http://localhost:9", "notSent"],
  ["the name does not exist", async () => "http://gateway.invalid", "notSent"],
  ["a port without a web server", async () => "http://127.0.0.1:1", "notSent"],
  ["an address of another kind", async () => "ftp://127.0.0.1", "notSent"],
  [
    "an untrusted certificate",
    async () =>
      `https://${await listening(createSecureServer({ cert: fixture("certificate.pem"), key: fixture("key.pem") }))}`,
    "notSent"
  ],
  ["TLS spoken to a plain server", async () => `https://${await onRequest((socket) => socket.end("HTTP"))}`, "notSent"],
  [
    "reset after the first byte",
    async () => `http://${await onRequest((socket) => socket.resetAndDestroy())}`,
    "unknown"
  ],
  ["closed without an answer", async () => `http://${await onRequest((socket) => socket.end())}`, "unknown"],
  ["half of the answer", async () => `http://${await onRequest((socket) => socket.end(half))}`, "unknown"],
  ["not HTTP at all", async () => `http://${await onRequest((socket) => socket.end("220 smtp ready\r\n"))}`, "unknown"]
]

const urls = new Map<string, string>()
beforeAll(async () => {
  for (const [cause, url] of causes) urls.set(cause, await url())
})
afterAll(() => {
  for (const server of servers) server.close()
})

describe("the exit code without an answer", () => {
  it("is 4 for an operator's command if the answer breaks the contract", async () => {
    const url = await onRequest((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"))
    const client = OperatorClient.at({ base: `http://${url}`, token: undefined, address: "it", unknown: "" })
    const failure = await client.call(operations.searchOrders, {}).catch((error: unknown) => error)
    assert.instanceOf(failure, OperatorClient.OperatorFailure)
    assert.strictEqual(failure instanceof OperatorClient.OperatorFailure && failure.code, codes.unknown)
  })

  it.each(causes)("follows from the cause for an operator's command: %s", async (cause, _url, ends) => {
    const gateway = OperatorClient.at({ base: urls.get(cause) ?? "", token: undefined, address: "it", unknown: "" })
    const failure = await gateway.call(operations.searchOrders, { limit: 1 }).catch((error: unknown) => error)
    assert.instanceOf(failure, OperatorClient.OperatorFailure)
    assert.strictEqual(failure instanceof OperatorClient.OperatorFailure && failure.code, codes[ends])
  })

  const programs: ReadonlyArray<readonly [cause: string, args: ReadonlyArray<string>]> = [
    ["the name does not exist", ["orders", "show", "1"]],
    ["no server listens", ["reconciliation"]],
    ["the name does not exist", ["status", "A1"]],
    ["no server listens", ["call", "capture", "--client_orderid", "A1", "--orderid", "1"]]
  ]
  it.each(programs)("is 3 for this cause and command: %s: pay %s", async (cause, args) => {
    const url = urls.get(cause) ?? ""
    const env = { ...merchant, PAY_OPERATOR_URL: url, PAY_BASE_URL: url, PAY_ALLOW_PLAIN_HTTP: "true" }
    const run = await pay(args, { env })
    assert.strictEqual(run.code, codes.notSent, run.err)
  })
})
