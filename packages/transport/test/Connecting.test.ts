import { generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer as createSecureServer } from "node:https"
import * as Net from "node:net"
import { TLSSocket } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Agent, ProxyAgent } from "undici"
import { freePort, listen } from "../../schema/test/Loopback.ts"
import * as PayClient from "../src/PayClient.ts"
import * as UndiciExchange from "../src/UndiciExchange.ts"
import * as Wire from "../src/Wire.ts"
import * as Loopback from "./Loopback.ts"
import { options } from "./Merchant.ts"

const certificate = readFileSync(new URL("./fixtures/certificate.pem", import.meta.url), "utf8")
const key = readFileSync(new URL("./fixtures/key.pem", import.meta.url), "utf8")

const otherKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" })

const send = (url: string) =>
  Effect.flatMap(Wire.Wire, (wire) =>
    wire.send({ url, headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1", timeoutMs: 20_000 })
  )

/** A gateway that requires a client certificate, and answers with its common name. */
const mutual = Effect.suspend(() => {
  const identity = { cert: certificate, key, ca: certificate, requestCert: true, rejectUnauthorized: true }
  const server = createSecureServer(identity, ({ socket }, response) =>
    response.end(socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : "")
  )
  return Effect.map(listen(server), (port) => `https://127.0.0.1:${port}/`)
})

/** A proxy that opens tunnels for clients with the password, and the requests that it received. */
const tunnelling = Effect.gen(function* () {
  const requests: Array<string> = []
  const port = yield* Loopback.tcp((socket) =>
    socket.once("data", (bytes) => {
      const head = bytes.toString("latin1")
      const [request = ""] = head.split("\r\n")
      requests.push(request)
      const isKnown = head.includes(`Basic ${Buffer.from("shop:secret").toString("base64")}`)
      if (!isKnown) return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
      const gateway = Net.connect(Number(request.split(/[: ]/)[2]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        socket.pipe(gateway).pipe(socket)
      })
      return gateway.on("error", () => socket.destroy())
    })
  )
  return { requests, port }
})

const secure = Loopback.https({ cert: certificate, key }, "over TLS")

describe("the connection to the gateway", () => {
  it.live("presents the client certificate to a gateway that requires one", () =>
    Effect.gen(function* () {
      const url = yield* mutual
      const trust = { certificateAuthority: certificate }
      const own = { certificate, privateKey: Redacted.make(key) }
      const withCertificate = Wire.layerUndici({ ...trust, clientCertificate: own })
      const answer = yield* send(url).pipe(Effect.provide(withCertificate, { local: true }))
      assert.match(answer.body, /\S/)
      const without = send(url).pipe(Effect.provide(Wire.layerUndici(trust), { local: true }))
      assert.strictEqual((yield* Effect.flip(without))._tag, "WireError")
    })
  )

  it.live("goes through the proxy with TLS from end to end", () =>
    Effect.gen(function* () {
      const { requests, port } = yield* tunnelling
      const url = yield* secure
      const proxy = Redacted.make(`http://shop:secret@127.0.0.1:${port}`)
      const wire = Wire.layerUndici({ certificateAuthority: certificate, proxy })
      const answer = yield* send(url).pipe(Effect.provide(wire, { local: true }))
      assert.strictEqual(answer.body, "over TLS")
      assert.deepStrictEqual(requests, [`CONNECT ${new URL(url).host} HTTP/1.1`])
    })
  )

  it.live("fails as NotSent if the proxy refuses or is unreachable", () =>
    Effect.gen(function* () {
      const { port } = yield* tunnelling
      const url = yield* secure
      for (const proxy of [`http://shop:wrong@127.0.0.1:${port}`, `http://127.0.0.1:${yield* freePort}`]) {
        const wire = Wire.layerUndici({ proxy: Redacted.make(proxy) })
        const error = yield* Effect.flip(send(url)).pipe(Effect.provide(wire, { local: true }))
        assert.strictEqual(error.reason, "NotSent")
      }
    })
  )

  const plain = (more: object): Partial<PayClient.Options> => more
  const wrong = [
    ["proxy", { proxy: Redacted.make("secret-canary") }],
    ["proxy", { proxy: Redacted.make("socks5://secret-canary") }],
    ["proxy", { proxy: Redacted.make("http://proxy.example/?secret-canary") }],
    ["proxy", { proxy: "http://secret-canary" }],
    ["certificateAuthority", { certificateAuthority: "secret-canary" }],
    [
      "clientCertificate.privateKey",
      { clientCertificate: { certificate, privateKey: Redacted.make("secret-canary") } }
    ],
    [
      "clientCertificate.certificate",
      { clientCertificate: { certificate: "secret-canary", privateKey: Redacted.make(key) } }
    ],
    ["clientCertificate", { clientCertificate: { certificate, privateKey: Redacted.make(String(otherKey)) } }],
    ["clientCertificate.privateKey", { clientCertificate: { certificate, privateKey: key } }]
  ] as const
  it.effect.each(wrong)("is refused with an invalid $0 when the client is created", ([setting, more]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(PayClient.layer({ ...options, ...plain(more) })))
      assert.strictEqual(error.setting, setting)
      assert.notInclude(error.message, "secret-canary")
    })
  )

  it.effect("is refused with a proxy setting for a custom wire", () =>
    Effect.gen(function* () {
      const own = Wire.layerInProcess(() => Effect.never)
      const made = PayClient.make({ ...options, proxy: Redacted.make("http://proxy.example") })
      const error = yield* Effect.flip(Effect.provide(made, own))
      assert.strictEqual(error.message, "proxy is for a wire: give it to Wire.layerUndici")
    })
  )

  it.effect("is refused on a runtime whose undici cannot send, and the error names a wire that works there", () =>
    Effect.gen(function* () {
      /** An agent that cannot send, like those of Bun. */
      class Hollow {
        close(): Promise<void> {
          return Promise.resolve()
        }
      }
      const undici = Object.assign({ Agent, ProxyAgent }, { Agent: Hollow, ProxyAgent: Hollow })
      const error = yield* Effect.flip(UndiciExchange.make({}, undici))
      assert.strictEqual(error.setting, "wire")
      assert.match(error.problem, /Bun.*layerNoDeps.*Wire\.layerFetch/)
    })
  )
})
