/** A gateway that stops answers every request that it has received. A silent client does not delay it. */
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Front } from "../../src/http/Front.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { HostedPages } from "../../src/http/pages/HostedPages.ts"
import { json } from "../../src/http/WrittenAnswer.ts"
import { fromRefused, ok } from "../../src/kernel/Answer.ts"
import { PublicAddress } from "../../src/kernel/PublicAddress.ts"
import { defaults, Settings } from "../../src/kernel/Settings.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"

const head = "POST /x HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n"
const whole = `${head}\r\na=b`

/** What a client sends, and the text that it receives before the gateway is stopped. */
const silent: ReadonlyArray<{ readonly name: string; readonly written: string; readonly until: string }> = [
  { name: "has its answer and keeps its connection open", written: whole, until: "async-response" },
  {
    name: "stopped sending in the headers of its next request",
    written: `${whole}POST /x HTTP/1.1\r\nHos`,
    until: "async-response"
  },
  { name: "stopped sending in the body", written: `${head}Expect: 100-continue\r\n\r\na`, until: "100 Continue" }
]

/** No hosted pages. */
const noPages = Layer.succeed(HostedPages, () => Effect.succeed(undefined))

/** Starts a server that answers requests once `mayAnswer` opens. */
const started = Effect.fnUntraced(function* (mayAnswer: Latch.Latch, hasBegun: Latch.Latch, drainMs?: number) {
  const front = Layer.succeed(Front, {
    handle: () => hasBegun.open.pipe(Effect.andThen(mayAnswer.await), Effect.as(json(ok({ type: "async-response" })))),
    closed: Effect.undefined,
    storeFailures: () => 0,
    refusal: (refused) => json(fromRefused(refused, "1"))
  })
  const scope = yield* Scope.make()
  const layer = NodeServer.layer({ host: "127.0.0.1", port: 0, drainMs }).pipe(
    Layer.provide(Layer.mergeAll(front, StoreMemory.layer, PublicAddress.layer, noPages)),
    Layer.provide(Layer.succeed(Settings, { ...defaults, headersTimeoutMs: 50 }))
  )
  const { port } = yield* Effect.provide(NodeServer.NodeServer, yield* Layer.buildWithScope(layer, scope))
  return { port, stop: Scope.close(scope, Exit.void) }
})

const dial = (port: number, written: string): Socket => {
  const socket = connect({ host: "127.0.0.1", port })
  socket.on("error", () => socket.destroy())
  socket.setEncoding("utf8")
  socket.write(written)
  return socket
}

/** Returns what is received until it contains the text, or else until the connection ends. */
const received = (socket: Socket, until?: string) =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
      if (until !== undefined && text.includes(until)) resume(Effect.succeed(text))
    })
    socket.on("close", () => resume(Effect.succeed(text)))
  })

const get = (port: number, path: string) => dial(port, `GET ${path} HTTP/1.1\r\nHost: g\r\n\r\n`)

describe("a gateway that stops", () => {
  it.effect("drains first: it reports that it is not ready, still serves requests, and resets no connection", () =>
    Effect.gen(function* () {
      const drainMs = 10_000
      const { port, stop } = yield* started(Latch.makeUnsafe(true), Latch.makeUnsafe(false), drainMs)
      const keptAlive = dial(port, whole)
      assert.match(yield* received(keptAlive, "async-response"), /connection: keep-alive/i)
      const checking = get(port, "/readyz")
      assert.match(yield* received(checking, "ready\n"), /^HTTP\/1.1 200 /)

      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust(drainMs - 1)
      const closing = Effect.all(
        {
          "the load balancer on its connection": received(checking),
          "a client on a connection that was kept": received(keptAlive),
          "a client on a new connection": received(dial(port, whole))
        },
        { concurrency: "unbounded" }
      )
      checking.write("GET /readyz HTTP/1.1\r\nHost: g\r\n\r\n")
      keptAlive.write(whole)
      const answers = yield* closing
      const lines = Object.entries(answers).map(([who, text]) => {
        const [status = ""] = /(?<=^HTTP\/1.1 )\d+/.exec(text) ?? []
        return `${who}: ${status}, ${/\r\nconnection: close\r\n/i.test(text) ? "closes" : "stays open"}`
      })
      assert.deepStrictEqual(lines, [
        "the load balancer on its connection: 503, closes",
        "a client on a connection that was kept: 200, closes",
        "a client on a new connection: 200, closes"
      ])
      yield* TestClock.adjust(1)
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* received(get(port, "/readyz")), "")
    })
  )

  it.live.each(silent)("does not wait for a client that $name", ({ until, written }) =>
    Effect.gen(function* () {
      const { port, stop } = yield* started(Latch.makeUnsafe(true), Latch.makeUnsafe(false))
      const socket = dial(port, written)
      yield* received(socket, until)
      yield* stop
      socket.destroy()
    })
  )

  it.live("answers every request that it has received, however long it takes, and closes the connection", () =>
    Effect.gen(function* () {
      const mayAnswer = Latch.makeUnsafe(false)
      const hasBegun = Latch.makeUnsafe(false)
      const { port, stop } = yield* started(mayAnswer, hasBegun)
      const answer = yield* Effect.forkChild(received(dial(port, whole)))
      const half = dial(port, `${head}Expect: 100-continue\r\n\r\na`)
      yield* received(half, "100 Continue")
      yield* hasBegun.await
      const stopping = yield* Effect.forkChild(stop)
      yield* Effect.sleep("150 millis")
      yield* mayAnswer.open
      const text = yield* Fiber.join(answer)
      assert.match(text, /^HTTP\/1.1 200 /)
      assert.include(text, "connection: close")
      assert.include(text, "async-response")
      yield* Fiber.join(stopping)
      half.destroy()
    })
  )
})
