import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Context, Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import { pay, type Surroundings } from "./Pay.ts"

const tokens = { alice: "the token of alice", bob: "the token of bob" } as const

/** The folder in which the gateway keeps its data. */
export class Folder extends Context.Service<Folder, { readonly dataDirectory: string }>()("@pay/cli/test/Folder") {}

export const layer = Layer.unwrap(
  Effect.map(temporaryFolder, (dataDirectory) =>
    Layer.merge(
      Sandbox.layer({
        dataDirectory,
        port: 0,
        operators: Object.entries(tokens).map(([name, token]) => ({ name, token: Redacted.make(token) }))
      }),
      Layer.succeed(Folder, { dataDirectory })
    )
  )
)

/** The environment variables of the sandbox's merchant. */
export const merchant = Effect.map(NodeServer, ({ publicBaseUrl }) => ({
  PAY_BASE_URL: publicBaseUrl,
  PAY_LOGIN: Sandbox.merchant.login,
  PAY_CONTROL_KEY: Sandbox.merchant.controlKey,
  PAY_ENDPOINT_ID: Sandbox.merchant.endpoints.usd
}))

export const as =
  (name: keyof typeof tokens) =>
  (args: ReadonlyArray<string>, surroundings: Surroundings = {}) =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const env = { PAY_OPERATOR_URL: operatorUrl, PAY_OPERATOR_TOKEN: tokens[name], ...surroundings.env }
      return yield* Effect.promise(() => pay(args, { ...surroundings, env }))
    })
