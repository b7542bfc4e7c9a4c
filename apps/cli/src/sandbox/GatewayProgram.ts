/** `pay gateway start`: runs the sandbox gateway in this terminal until it is stopped. */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as MaskedLog from "@pay/server/MaskedLog"
import * as Sandbox from "@pay/server/Sandbox"
import * as SandboxProcess from "@pay/server/SandboxProcess"
import * as Start from "@pay/server/Start"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as HelpPage from "../help/HelpPage.ts"
import { account, variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"

const settings = {
  port: "PAY_PORT",
  host: "PAY_HOST",
  data: "PAY_DATA",
  witness: "PAY_WITNESS",
  config: "PAY_CONFIG"
} as const

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.gateway, "gateway")
  if (given.operands.length !== 1 || given.operands[0] !== "start") {
    throw new UsageError("Say what the gateway shall do: pay gateway start", "gateway")
  }
  const asJson = given.flags.has("json")
  const start = Start.of((flag) => given.flags.has(flag.slice(2)), account)
  const flags = Object.entries(settings).flatMap(([flag, variable]) => {
    const value = given.flags.get(flag)
    return value === undefined ? [] : [[variable, value] as const]
  })
  const environment = ConfigProvider.fromEnvRecord({ ...variables(), ...Object.fromEntries(flags) })
  const greet = async (started: SandboxProcess.Started) => Output.print(await greeting(started), asJson)
  const gateway = SandboxProcess.run((started) => Effect.promise(() => greet(started)), start).pipe(
    Effect.provide(
      Layer.mergeAll(NodeFileSystem.layer, ConfigProvider.layer(environment), Logger.layer([MaskedLog.readable]))
    )
  )
  const ended = await Program.run(gateway)
  if (ended._tag !== "Failed") return codes.ok
  const json = { outcome: "usage", message: ended.error.message }
  Output.printFailure({ text: `The gateway does not start: ${ended.error.message}`, json }, asJson)
  return codes.usage
}

/** Returns the text at the start. It shows the sandbox merchant's keys, which are public, but no keys of a configuration. */
const greeting = async ({
  dataDirectory,
  localUrl,
  merchants,
  operatorUrl,
  publicBaseUrl
}: SandboxProcess.Started): Promise<Output.Report> => {
  const json = { outcome: "started", url: publicBaseUrl, operatorUrl, dataDirectory, merchants }
  const head = `The sandbox gateway listens on ${localUrl}. Its data is in ${dataDirectory}.${publicBaseUrl === localUrl ? "" : ` Merchants reach it at ${publicBaseUrl}.`}

${Output.columns([
  ["alive", `${localUrl}/healthz`],
  ["ready", `${localUrl}/readyz`],
  ["metrics", `${operatorUrl}/metrics`],
  ["operators", operatorUrl]
])}`
  const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
  if (!merchants.includes(login)) return { text: `${head}\n\nMerchants: ${merchants.join(", ")}`, json }
  const keyFile = resolve(dataDirectory, "merchant.pem")
  writeFileSync(keyFile, privateKeyPem, { mode: 0o600 })
  const OperationName = await import("../command/OperationName.ts")
  const runner = variables().npm_command === "exec" ? "npx " : ""
  const text = `${head}

In another terminal, as the sandbox's merchant (these keys are no secret):

  export PAY_BASE_URL=${Output.quoted(publicBaseUrl)} PAY_LOGIN=${login}
  export PAY_CONTROL_KEY=${controlKey} PAY_ENDPOINT_ID=${endpoints.usd}
  export PAY_PRIVATE_KEY_FILE=${Output.quoted(keyFile)} PAY_GATEWAY_PROFILE=pay
  export PAY_OPERATOR_URL=${operatorUrl}

  ${runner}${HelpPage.example(OperationName.find("sale", "gateway"))}
  ${runner}pay status 902B4FF5 --watch

Ctrl-C stops it after it has finished what is under way.`
  return { text, json }
}
