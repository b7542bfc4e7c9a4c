import { once } from "node:events"
import { connect } from "node:net"
import { expect, it } from "@effect/vitest"
import * as Settings from "@pay/gateway/Settings"
import { Effect } from "effect"
import * as FaultProxy from "../src/world/FaultProxy.ts"

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length

it.live("the proxy closes a connection that it breaks while it ends: the process could not end otherwise", () =>
  Effect.gen(function* () {
    const before = openSockets()
    const proxy = yield* FaultProxy.make(Settings.sandboxDefaults)
    proxy.serve({
      handle: ({ breakOff, reply }) =>
        Effect.andThen(reply({ status: 200, rawHeaders: [], body: Buffer.alloc(0) }), breakOff),
      isOperation: () => true,
      port: () => 0
    })
    const shop = connect({ port: proxy.port, host: "127.0.0.1", allowHalfOpen: true })
    shop.resume().write("POST /api/v2/sale/1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
    yield* Effect.promise(() => once(shop, "end"))
    shop.destroy()
    yield* Effect.promise(() => expect.poll(openSockets, { interval: 10 }).toBe(before))
  })
)
