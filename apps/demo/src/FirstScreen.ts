/** What `npm start` prints: one screen with the addresses, the card to type, the clock, and how to begin anew. */
import { resolve } from "node:path"
import { NodeServer } from "@pay/gateway/NodeServer"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { DateTime, Effect, FileSystem, Schema } from "effect"
import * as Presentation from "./Presentation.ts"
import * as Story from "./Story.ts"
import { bold, dim, row } from "./Telling.ts"
import * as World from "./World.ts"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const { SALEFORM } = PayApi.operations
const Opened = Schema.Struct({ "redirect-url": Schema.String })

/** Opens a hosted page, as a merchant does for each customer. */
const openPage = Effect.fnUntraced(function* (redirect_url: string) {
  const client = yield* PayClient.PayClient
  const clientOrderId = yield* Presentation.freshName
  const fields = { client_orderid: clientOrderId, order_desc: "Two tickets", amount: "10.42", currency: "USD" }
  const request = yield* Effect.fromResult(SALEFORM.decodeFields({ ...fields, ...Story.payer, redirect_url })).pipe(
    Effect.orDie
  )
  const answer = yield* client.call(SALEFORM, request, { endpointId: endpoints.threeds3dsGateway })
  const { "redirect-url": url } = yield* Schema.decodeUnknownEffect(Opened)(answer)
  return { clientOrderId, url }
})

const dayMs = 86_400_000

const clockLine = Effect.gen(function* () {
  const { offsetMs } = yield* SandboxClock
  const ahead = yield* offsetMs
  const now = DateTime.formatIso(DateTime.add(yield* DateTime.now, { milliseconds: ahead }))
  const days = Math.round(ahead / dayMs)
  return `${now.slice(0, 16).replace("T", " ")} UTC${days === 0 ? "" : `, ${days} days ahead of yours`}`
})

export interface Options {
  readonly shop: string
  readonly dataDirectory: string
}

/** At most 24 lines, so that a small terminal shows all of it. */
export const lines = Effect.fnUntraced(function* ({ dataDirectory, shop }: Options) {
  const { publicBaseUrl } = yield* NodeServer
  const { clientOrderId, url } = yield* World.inRealTime(openPage(`${shop}/`))
  const clock = yield* World.inRealTime(clockLine)
  const keyFile = resolve(dataDirectory, "merchant.pem")
  yield* (yield* FileSystem.FileSystem).writeFileString(keyFile, privateKeyPem, { mode: 0o600 })
  return [
    bold("pay") + dim("  a payment gateway and a shop on this machine; the bank is simulated, no money moves"),
    "",
    row("shop", shop),
    row("", dim(`back office: ${shop}/office, any name, password ${World.officePassword}`)),
    row("card page", url),
    row("", dim("hosted by the gateway, open for 30 minutes")),
    row("gateway", publicBaseUrl),
    row("docs", "docs/operations.md  docs/flows.md  docs/test-cards.md  examples/README.md"),
    "",
    row("card", `${bold("4444 0000 1111 8888")}   expiry 12/34, code 123, any name`),
    row("", dim("its bank asks for a password: hint; code 116 is declined, 321 as 123")),
    row("clock", clock),
    row("", dim("npm run -s pay -- clock advance 31d    npm run -s pay -- clock reset")),
    "",
    dim("  In another terminal:"),
    `  export PAY_BASE_URL=${publicBaseUrl} PAY_OPERATOR_URL=${publicBaseUrl} PAY_LOGIN=${login}`,
    `  export PAY_CONTROL_KEY=${controlKey} PAY_ENDPOINT_ID=${endpoints.usd}`,
    `  export PAY_PRIVATE_KEY_FILE='${keyFile}'`,
    `  npm run -s pay -- status ${clientOrderId}`,
    "",
    dim("  Ctrl-C stops it, the data stays. Begin anew: npm start -- --fresh. See every step: npm start -- --verbose")
  ]
})
