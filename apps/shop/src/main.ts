/** Runs the shop as a process, with settings from the environment. */
import { flushCompileCache } from "node:module"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import * as Settings from "./Settings.ts"
import * as Shop from "./Shop.ts"

/** What Node has compiled is kept where `NODE_COMPILE_CACHE` says: the next process starts faster, also after kill -9. */
flushCompileCache()

/** The shop stays open if nobody reads its output any more, or its disk is full. */
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined)

const announce = Effect.flatMap(Settings.Settings, ({ publicUrl }) => Console.log(`The shop is open at ${publicUrl}`))

Layer.unwrap(
  Effect.map(Settings.config, (options) => Layer.effectDiscard(announce).pipe(Layer.provide(Shop.layer(options))))
).pipe(
  Layer.launch,
  Effect.tapError((error) => {
    const why =
      error._tag === "ServeError" ? `${error.cause}; choose another port with SHOP_PORT, 0 for any` : error.message
    const line = why.replace(/\s+/g, " ").replace(/^SchemaError\(Expected string at \["(\w+)"\]\)$/, "$1 is not set")
    return Console.error(`The shop cannot open: ${line}. docs/merchants/shop.md lists the settings.`)
  }),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
