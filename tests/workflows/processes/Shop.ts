/**
 * A shop as a process of its own that expects one order, takes the callback of another which it does not know yet, says what
 * it replied, and is killed. Arguments: its file, the order it expects, and the callback as JSON.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as WebFile from "@pay/flows/durable/WebFile"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Console, Effect, Layer, Redacted, Schema } from "effect"

const Callback = Schema.fromJsonString(
  Schema.Struct({ method: Schema.String, url: Schema.String, headers: Schema.Record(Schema.String, Schema.String) })
)

const [, , path = "", expected = "", callback = ""] = process.argv
const controlKey = Redacted.make(Sandbox.merchant.controlKey)

const program = Effect.gen(function* () {
  const { callbacks } = yield* WebFile.open({ path })
  const { expect, receive } = yield* CallbackInbox.make({
    keys: { controlKeys: [controlKey] },
    onOrder: () => Effect.void,
    store: callbacks
  })
  yield* expect({ clientOrderId: expected })
  const { status } = yield* receive(yield* Schema.decodeEffect(Callback)(callback))
  yield* Console.log(status)
  yield* Effect.sync(() => process.kill(process.pid, "SIGKILL"))
  return yield* Effect.never
})

// No gateway answers at this address. A callback of an unknown order asks nothing.
const client = PayClient.layer({ baseUrl: "http://127.0.0.1:9", login: "shop", controlKey, endpointId: "1" })

program.pipe(Effect.scoped, Effect.provide(Layer.merge(client, FlowEngine.layerMemory)), Effect.runFork)
