/** The sample shop as what it is, a process of its own that knows the gateway by its address. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Sandbox from "@pay/server/Sandbox"
import { Deferred, Effect, Schema } from "effect"

export class ShopShut extends Schema.TaggedError<ShopShut>()("ShopShut", { output: Schema.String }) {
  override get message(): string {
    return `the shop did not open: ${this.output}`
  }
}

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const program = join(import.meta.dirname, "../../shop/src/main.ts")

export interface Options {
  readonly gateway: string
  readonly dataDirectory: string
  readonly port: number
  readonly officePassword: string
}

/** Its address; open until the scope ends. */
export const open = Effect.fnUntraced(function* ({ dataDirectory, gateway, officePassword, port }: Options) {
  const listening = yield* Deferred.make<string, ShopShut>()
  const output: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program], {
        // By the channel it learns that we are gone, even if we are killed.
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: {
          SHOP_DATA: dataDirectory,
          SHOP_PORT: String(port),
          SHOP_OFFICE_PASSWORD: officePassword,
          SHOP_ENDPOINT_HOSTED: endpoints.threeds3dsGateway,
          SHOP_ENDPOINT_CARD: endpoints.threedsMerchant,
          SHOP_ENDPOINT_KEPT: endpoints.usd,
          SHOP_PRIVATE_KEY: privateKeyPem,
          PAY_BASE_URL: gateway,
          PAY_LOGIN: login,
          PAY_CONTROL_KEY: controlKey
        }
      })
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue
        createInterface(stream).on("line", (line) => {
          if (output.length < 20) output.push(line)
          const url = /open at (\S+)/.exec(line)?.[1]
          if (url !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(url))
        })
      }
      child.on("exit", () => {
        Deferred.doneUnsafe(listening, Effect.fail(new ShopShut({ output: output.join(" ") })))
      })
      return child
    }),
    (child) => Effect.sync(() => void child.kill())
  )
  return yield* Deferred.await(listening)
})
