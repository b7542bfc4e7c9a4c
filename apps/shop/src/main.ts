/** The shop as a process of its own, with settings from the environment. */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import * as Settings from "./Settings.ts"
import * as Shop from "./Shop.ts"

const announce = Effect.flatMap(Settings.Settings, ({ publicUrl }) => Console.log(`The shop is open at ${publicUrl}`))

// The process that started the shop with a channel has ended, for whatever reason. The shop ends too.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
// A shop that cannot open ends, although the channel is still there.
process.channel?.unref()

const fail = (why: string) =>
  Effect.andThen(
    Console.error(`The shop cannot open: ${why.replace(/\s+/g, " ")}; docs/shop.md has the settings`),
    Effect.sync(() => {
      process.exitCode = 1
    })
  )

Layer.unwrap(
  Effect.map(Settings.config, (options) => Layer.effectDiscard(announce).pipe(Layer.provide(Shop.layer(options))))
).pipe(
  Layer.launch,
  Effect.catch((error) => fail(error._tag === "ServeError" ? String(error.cause) : error.message)),
  NodeRuntime.runMain
)
