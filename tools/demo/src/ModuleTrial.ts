/** `npm start -- --module NAME`: a sandbox at the address that a public module accepts, and the settings to enter in the module. */
import { resolve } from "node:path"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Port from "@pay/schema/Port"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, FileSystem, Schema } from "effect"
import * as Modules from "./Modules.ts"
import { bold, dim, row, say } from "./TerminalOutput.ts"
import * as TlsFront from "./TlsFront.ts"

export class UnknownModule extends Schema.TaggedError<UnknownModule>()("UnknownModule", { message: Schema.String }) {}

const find = Effect.fnUntraced(function* (name: string) {
  const module = Modules.all.find((each) => each.name === name)
  const names = Modules.all.map((each) => each.name).join(", ")
  return module ?? (yield* new UnknownModule({ message: `there is no module ${name}; the modules are: ${names}` }))
})

const originOf = (scheme: string, port: number): string =>
  port === 443 ? `${scheme}://127.0.0.1` : `${scheme}://127.0.0.1:${port}`

/** Runs the sandbox until the process is stopped. */
export const stay = Effect.fnUntraced(function* (name: string, dataDirectory: string) {
  const module = yield* find(name)
  const port = yield* Port.config("PAY_PORT", 8080)
  const tlsPort = yield* Port.config("PAY_TLS_PORT", 443)
  const origin = originOf(module.scheme, module.scheme === "https" ? tlsPort : port)
  const sandbox = Sandbox.layer({ dataDirectory, port, settings: { publicBaseUrl: `${origin}/paynet` } })
  return yield* Effect.gen(function* () {
    const { port: gatewayPort } = yield* NodeServer
    const certificateFile =
      module.scheme === "https" ? yield* TlsFront.open({ dataDirectory, port: tlsPort, gatewayPort }) : ""
    const privateKeyFile = resolve(dataDirectory, "module.pem")
    const files = yield* FileSystem.FileSystem
    yield* files.writeFileString(privateKeyFile, Sandbox.olderMerchant.privateKeyPem, { mode: 0o600 })
    const settings = module.settings({ origin, certificateFile, privateKeyFile })
    yield* say(
      bold("pay") + dim(`  a sandbox for ${module.about}`),
      ...Object.entries(settings).map(([label, value]) => row(label, value)),
      row("card", "4444 5555 6666 1111   expiry 12/30, code 123, any name"),
      dim("  Ctrl-C stops it. docs/merchants/older-dialect.md lists the other endpoints.")
    )
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(sandbox, { local: true }))
})
