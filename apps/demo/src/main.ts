/**
 * `npm start`: a gateway on a folder of its own, and a merchant who takes money and pays it out through it. Each step prints what was signed, what
 * came back, and what the books say. `--once` ends after the last callback: 0 if everything was as expected.
 */
import { resolve } from "node:path"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Config, Console, Effect, FileSystem, Layer, Logger, Redacted, References } from "effect"
import * as Earlier from "./Earlier.ts"
import * as Inbox from "./Inbox.ts"
import * as MoneyOut from "./MoneyOut.ts"
import * as Presentation from "./Presentation.ts"
import * as ShopJourney from "./ShopJourney.ts"
import * as ShopProcess from "./ShopProcess.ts"
import { bold, dim, green, red, row, say } from "./Telling.ts"

const once = process.argv.includes("--once")
const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant

const officePassword = "sandbox"

const commands = (
  baseUrl: string,
  shop: string,
  keyFile: string,
  orderid: string,
  clientOrderId: string
): ReadonlyArray<string> => [
  bold("Now yours"),
  row("shop", `${shop}   ${dim(`back office: ${shop}/office, any name, password ${officePassword}`)}`),
  row("gateway", `${baseUrl}   ${dim("GET /healthz  /readyz  /metrics")}`),
  row("merchant", `login ${login}, control key ${controlKey}, endpoints ${Object.values(endpoints).join(" ")}`),
  "",
  `  export PAY_PRIVATE_KEY_FILE='${keyFile}'`,
  `  export PAY_BASE_URL=${baseUrl} PAY_LOGIN=${login} PAY_CONTROL_KEY=${controlKey} PAY_ENDPOINT_ID=${endpoints.usd}`,
  `  npm run -s pay -- status ${clientOrderId} --orderid ${orderid}`,
  `  npm run -s pay -- call return --client_orderid ${clientOrderId} --orderid ${orderid} --amount 1.00 --currency USD`,
  ""
]

/** The merchant lives by our time, whatever the sandbox's clock says: signatures and patience are real. */
const inOurTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

const program = Effect.gen(function* () {
  const { publicBaseUrl } = yield* NodeServer
  const notesPath = `${yield* dataDirectory}/merchant.json`
  yield* say(bold("pay") + dim(`  a payment gateway on ${publicBaseUrl}, with a simulated bank behind it`), "")

  const earlier = yield* Earlier.read(notesPath)
  const lost = yield* inOurTime(Presentation.findAgain(earlier))
  const report = yield* inOurTime(Presentation.story)
  yield* Earlier.write(notesPath, [...earlier, ...report.notes].slice(-100))
  const out = yield* inOurTime(MoneyOut.play)
  const shop = yield* ShopProcess.open({
    gateway: publicBaseUrl,
    dataDirectory: `${yield* dataDirectory}/shop`,
    port: yield* shopPort,
    officePassword
  })
  const bought = yield* inOurTime(ShopJourney.play(shop, officePassword))
  const wrong = [...bought, ...lost, ...report.wrong, ...out, ...(yield* Presentation.reconciliation)]
  yield* wrong.length === 0
    ? say(green(bold("Everything came to what it should.")), "")
    : say(red(bold("Not as expected:")), ...wrong.map((line) => `  ${line}`), "")
  if (once) return wrong.length
  const [first] = report.notes
  const keyFile = resolve(yield* dataDirectory, "merchant.pem")
  yield* (yield* FileSystem.FileSystem).writeFileString(keyFile, privateKeyPem, { mode: 0o600 })
  yield* say(
    ...commands(publicBaseUrl, shop, keyFile, first?.orderid ?? "", first?.client_orderid ?? ""),
    dim("Ctrl-C stops it; everything is kept for the next time.")
  )
  return yield* Effect.never
})

const dataDirectory = Config.String("PAY_DATA").pipe(Config.withDefault(".data/demo"))
const port = Config.Int("PAY_PORT").pipe(Config.withDefault(once ? 0 : 8080))

/** 0 takes a free one. */
const shopPort = Config.Int("SHOP_PORT").pipe(Config.withDefault(once ? 0 : 8090))

const client = Layer.unwrap(
  Effect.map(NodeServer, ({ publicBaseUrl }) =>
    PayClient.layer({
      baseUrl: publicBaseUrl,
      login,
      controlKey: Redacted.make(controlKey),
      privateKey: Redacted.make(privateKeyPem),
      endpointId: endpoints.usd
    })
  )
)

const live = Layer.unwrap(
  Effect.gen(function* () {
    const gateway = Sandbox.layer({ dataDirectory: yield* dataDirectory, port: yield* port })
    return client.pipe(Layer.provideMerge(gateway), Layer.provideMerge(Inbox.layer(Redacted.make(controlKey))))
  })
)

const quiet = Layer.merge(Logger.layer([Logger.consolePretty()]), Layer.succeed(References.MinimumLogLevel, "Warn"))

// `npm start` has ended, however that came: so does this, and the shop with it.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()

program.pipe(
  Effect.scoped,
  Effect.provide(Layer.provideMerge(live, Layer.merge(NodeServices.layer, quiet))),
  Effect.tap((wrong) => Effect.sync(() => (process.exitCode = wrong === 0 ? 0 : 1))),
  Effect.catch((error) =>
    Effect.andThen(
      Console.error(red(`It cannot start: ${error.message}`)),
      Effect.sync(() => (process.exitCode = 1))
    )
  ),
  NodeRuntime.runMain
)
