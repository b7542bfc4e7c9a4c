/** What code outside of flows needs to signal them: an engine with its steps, and a client that no test calls. */
import * as PayClient from "@pay/transport/PayClient"
import { Layer, Redacted } from "effect"
import { FlowEngine, makeMemory } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"

export const merchant = "shop@127.0.0.1:9"

export const layer = (steps = Steps.makeMemory()) =>
  Layer.mergeAll(
    Layer.succeed(Steps.Steps, steps),
    Layer.succeed(FlowEngine, makeMemory(steps)),
    Layer.orDie(
      PayClient.layer({
        baseUrl: "http://127.0.0.1:9",
        login: "shop",
        controlKey: Redacted.make("key"),
        endpointId: "1"
      })
    )
  )
