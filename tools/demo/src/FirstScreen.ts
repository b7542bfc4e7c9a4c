/** Prints the screen of `npm start`: the addresses, the test card, the clock, and how to start with empty data. */
import { join, resolve } from "node:path"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as ConformanceFile from "@pay/sandbox/ConformanceFile"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { DateTime, Effect, FileSystem, Schema } from "effect"
import * as PaymentSteps from "./PaymentSteps.ts"
import * as StepRunner from "./StepRunner.ts"
import { bold, dim, row } from "./TerminalOutput.ts"
import * as World from "./World.ts"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const { SALEFORM } = PayApi.operations
const Opened = Schema.Struct({ "redirect-url": Schema.String })

/** Opens a hosted payment page, as a merchant does for each customer. */
const openPage = Effect.fnUntraced(function* (redirect_url: string) {
  const client = yield* PayClient.PayClient
  const clientOrderId = yield* StepRunner.freshName
  const fields = { client_orderid: clientOrderId, order_desc: "Two tickets", amount: "10.42", currency: "USD" }
  const request = yield* Effect.fromResult(
    SALEFORM.decodeFields({ ...fields, ...PaymentSteps.payer, redirect_url })
  ).pipe(Effect.orDie)
  const answer = yield* client.call(SALEFORM, request, { endpointId: endpoints.threeds3dsGateway })
  const { "redirect-url": url } = yield* Schema.decodeUnknownEffect(Opened)(answer)
  return { clientOrderId, url }
})

const dayMs = 86_400_000

const clockLines = Effect.gen(function* () {
  const { offsetMs } = yield* SandboxClock
  const ahead = yield* offsetMs
  const now = DateTime.formatIso(DateTime.add(yield* DateTime.now, { milliseconds: ahead }))
  const days = Math.round(ahead / dayMs)
  const time = `${now.slice(0, 16).replace("T", " ")} UTC`
  return days === 0
    ? [row("clock", time), row("", dim("npm run -s pay -- clock advance 31d"))]
    : [row("clock", `${time}, ${days} days ahead of yours`), row("", dim("npm run -s pay -- clock reset"))]
})

export interface Options {
  readonly shop: string
  readonly dataDirectory: string
  /** The address of the documentation site, if it was built. */
  readonly docs: string | undefined
}

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const conformanceFile = `${JSON.stringify(ConformanceFile.content, undefined, 2)}\n`

/**
 * Writes the merchant's key, the file for `pay conformance`, and the settings of the `pay` command as a shell file. Returns the
 * path of the shell file.
 */
const writeEnvironment = Effect.fnUntraced(function* (dataDirectory: string) {
  const files = yield* FileSystem.FileSystem
  const { operatorUrl, publicBaseUrl } = yield* NodeServer
  const keyFile = resolve(dataDirectory, "merchant.pem")
  const variables = {
    PAY_BASE_URL: publicBaseUrl,
    PAY_OPERATOR_URL: operatorUrl,
    PAY_LOGIN: login,
    PAY_CONTROL_KEY: controlKey,
    PAY_ENDPOINT_ID: endpoints.usd,
    PAY_GATEWAY_PROFILE: "pay",
    PAY_PRIVATE_KEY_FILE: quoted(keyFile)
  }
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`)
  const path = join(dataDirectory, "pay.env")
  yield* files.writeFileString(keyFile, privateKeyPem, { mode: 0o600 })
  yield* files.writeFileString(path, lines.join(""), { mode: 0o600 })
  yield* files.writeFileString(join(dataDirectory, "conformance.json"), conformanceFile, { mode: 0o600 })
  return path.startsWith("/") ? path : `./${path}`
})

/** Returns the lines of the screen: at most 24 lines of at most 80 characters, so that they fit into a small terminal. */
export const lines = Effect.fnUntraced(function* ({ dataDirectory, docs, shop }: Options) {
  const { publicBaseUrl } = yield* NodeServer
  const { clientOrderId, url } = yield* World.inRealTime(openPage(`${shop}/`))
  const clock = yield* World.inRealTime(clockLines)
  const environment = yield* writeEnvironment(dataDirectory)
  return [
    bold("pay") + dim("  a sample shop, and the sandbox gateway at which it pays"),
    "",
    row("shop", shop),
    row("", dim("payments to copy: apps/shop/src/PaymentService.ts")),
    row("office", `${shop}/office   ${dim(`any name, password ${World.officePassword}`)}`),
    row("card page", url),
    row("", dim("hosted by the gateway, open for 30 minutes")),
    row("gateway", publicBaseUrl),
    row("docs", docs ?? `docs/merchants/flows.md   ${dim("as a site: npm run docs:site")}`),
    "",
    row("card", `${bold("4444 0000 1111 8888")}   expiry 12/34, code 123, any name`),
    row("", dim("its bank asks for a password, which is: hint")),
    row("", dim("4444 0201 0000 0003 is paid at once; code 116 is declined")),
    ...clock,
    "",
    dim("  In another terminal:"),
    `  . ${quoted(environment)}`,
    `  npm run -s pay -- status ${clientOrderId}`,
    "",
    dim("  Ctrl-C stops it and keeps the data. npm start -- --fresh deletes the data."),
    dim("  npm start -- --verbose first runs every payment and prints each step.")
  ]
})
