/**
 * `npm start`: a gateway on its own data folder and the sample shop, which run until they are stopped. `--verbose` first runs
 * every step of the demonstration and prints it. `--once` runs these steps and ends; the exit code is 0 if everything was as
 * expected. `--fresh` deletes the data of earlier starts. `--postgres` shows two gateways on one PostgreSQL database instead.
 * `--acquirer adyen` runs the payments with Adyen's adapter on a simulated Adyen. `--module NAME` runs a sandbox for a public module of the older dialect.
 */
import { parseArgs } from "node:util"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Port from "@pay/schema/Port"
import { Config, Console, Effect, Layer, Logger, Option, References, Schema } from "effect"
// If `npm start` ends for any reason, this process ends, and the shop with it.
import "./Attached.ts"
import * as DocsSite from "./DocsSite.ts"
import * as FirstScreen from "./FirstScreen.ts"
import * as FreshStart from "./FreshStart.ts"
import * as ModuleTrial from "./ModuleTrial.ts"
import * as ShopProcess from "./ShopProcess.ts"
import * as StepRunner from "./StepRunner.ts"
import { red, say } from "./TerminalOutput.ts"
import * as Walkthrough from "./Walkthrough.ts"
import * as World from "./World.ts"

class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

const options = {
  once: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  fresh: { type: "boolean", default: false },
  postgres: { type: "boolean", default: false },
  acquirer: { type: "string" },
  module: { type: "string" }
} as const

const flags = Effect.try({
  try: () => parseArgs({ options }).values,
  catch: () =>
    new Usage({
      message:
        "an option is unknown. Use npm start alone, or with -- --verbose, -- --once, -- --fresh, -- --postgres, -- --acquirer adyen or -- --module NAME"
    })
})

const dataDirectory = Config.String("PAY_DATA").pipe(Config.withDefault(".data/demo"))

/** The address at which shop modules and browsers reach the gateway, for instance with the path that a module requires. */
const publicBaseUrl = Config.option(Config.String("PAY_PUBLIC_BASE_URL")).pipe(
  Config.map((text) => Option.getOrUndefined(text)?.replace(/\/$/, ""))
)

/** Serves the documentation if it was built, on a free port if the configured port is in use. Returns its address. */
const openDocs = Effect.gen(function* () {
  if (!DocsSite.isBuilt()) return undefined
  const port = yield* Port.config("DOCS_PORT", 8070)
  return yield* Effect.catchTag(DocsSite.open({ port }), "DocsNotServed", () => DocsSite.open({ port: 0 }))
})

/**
 * Runs the shop with the gateway on the permanent data folder. With `isOnce`, returns the differences in the books instead of
 * waiting.
 */
const stay = Effect.fnUntraced(function* (folder: string, isOnce: boolean) {
  const { publicBaseUrl: gateway } = yield* NodeServer
  const shop = yield* ShopProcess.open({
    gateway,
    dataDirectory: `${folder}/shop`,
    port: yield* Port.config("SHOP_PORT", isOnce ? 0 : 8090),
    officePassword: World.officePassword
  })
  if (isOnce) return yield* StepRunner.reconciliation(`the data that npm start keeps in ${folder}`)
  const docs = yield* openDocs
  yield* say(...(yield* FirstScreen.lines({ shop, dataDirectory: folder, docs })))
  return yield* Effect.never
})

const program = Effect.gen(function* () {
  const { acquirer, fresh, module, once, postgres, verbose } = yield* flags
  if (acquirer !== undefined) {
    if (acquirer !== "adyen") return yield* new Usage({ message: "the only acquirer with an adapter is adyen" })
    const AdyenShow = yield* Effect.promise(() => import("./adyen/AdyenShow.ts"))
    return yield* AdyenShow.run
  }
  if (postgres) {
    // The modules for PostgreSQL are loaded only for `--postgres`.
    const Show = yield* Effect.promise(() => import("./postgres/Show.ts"))
    return yield* once ? Show.once : Show.stay
  }
  const folder = yield* dataDirectory
  if (fresh) yield* FreshStart.empty(folder)
  if (module !== undefined) return yield* ModuleTrial.stay(module, folder)
  const wrong = once || verbose ? yield* Walkthrough.run : []
  const port = yield* Port.config("PAY_PORT", once ? 0 : 8080)
  const world = World.layer({ dataDirectory: folder, port, publicBaseUrl: once ? undefined : yield* publicBaseUrl })
  return [...wrong, ...(yield* stay(folder, once).pipe(Effect.scoped, Effect.provide(world, { local: true })))]
})

const quiet = Layer.merge(Logger.layer([Logger.consolePretty()]), Layer.succeed(References.MinimumLogLevel, "Warn"))

/** What is demonstrated goes on if nobody reads the output any more. */
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined)

program.pipe(
  Effect.provide(Layer.merge(NodeServices.layer, quiet)),
  Effect.tap((wrong) => Effect.sync(() => (process.exitCode = wrong.length === 0 ? 0 : 1))),
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(red(`npm start has failed: ${error.message}`)),
      Effect.sync(() => (process.exitCode = 1))
    )
  ),
  NodeRuntime.runMain
)
