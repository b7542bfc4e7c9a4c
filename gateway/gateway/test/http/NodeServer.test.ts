import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { Settings, sandboxDefaults } from "../../src/kernel/Settings.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"

it.effect.each([-1, 65_536, 80.5])("a server refuses a port that does not exist, with the rule for ports: %s", (port) =>
  Effect.gen(function* () {
    const scripted = Layer.merge(
      ScriptedGateway.layer(ScriptedGateway.make()),
      Layer.succeed(Settings, sandboxDefaults)
    )
    const server = NodeServer.layer({ host: "127.0.0.1", port }).pipe(Layer.provide(scripted))
    const { _tag, message } = yield* Effect.flip(Layer.build(server))
    assert.strictEqual(_tag, "ListenError")
    assert.include(message, `Cannot listen on 127.0.0.1:${port} (a port is a whole number from 0 to 65535)`)
  })
)
