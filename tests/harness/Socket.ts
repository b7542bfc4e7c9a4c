/** Bytes on a bare connection, for requests that no HTTP client would send. */
import { connect } from "node:net"
import { assert } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import * as Http from "./Http.ts"
import type { Reply } from "./TestGateway.ts"

/** Writes the text and waits until the gateway closes the connection. Returns what it had said by then. */
export const received = Effect.fnUntraced(function* (text: string) {
  const { host, port } = yield* NodeServer
  return yield* Effect.callback<string>((resume) => {
    const socket = connect({ host, port })
    let answer = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      answer += chunk
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resume(Effect.succeed(answer)))
    socket.write(text)
    return Effect.sync(() => socket.destroy())
  })
})

/** The same, as the one answer that it was. */
export const exchange = (text: string) => Effect.map(received(text), parse)

const parse = (listen: string): Reply => {
  const [head = "", body = ""] = listen.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
  assert(status !== undefined, `no answer: ${JSON.stringify(listen)}`)
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  return { status: Number(status), headers, body: Http.json(body) }
}
