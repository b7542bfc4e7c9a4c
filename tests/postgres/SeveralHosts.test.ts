import { assert, it } from "@effect/vitest"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Effect, Layer, Redacted } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as Session from "./Session.ts"

it.live("the error about several hosts contains the reason of the host that refused, in any order of the hosts", () =>
  Effect.gen(function* () {
    const { port } = yield* PostgresServer.make({ hasStore: true })
    const closedPort = yield* ServerAccount.freePort
    for (const ports of [
      [port, closedPort],
      [closedPort, port]
    ]) {
      const url = Redacted.make(Session.url(ports, { password: "wrong" }))
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(PostgresStore.layer({ url }))))
      assert.include(refused.message, "password authentication failed")
    }
  })
)
