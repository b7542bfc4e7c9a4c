/**
 * The crash test of a shop: its process, the world around it, and the run that takes payments through both. Everything that it
 * starts ends with it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer } from "effect"
import * as Run from "./run/Run.ts"
import * as ShopLive from "./shop/ShopLive.ts"
import * as Template from "./template/Template.ts"
import { World } from "./world/World.ts"
import * as WorldLive from "./world/WorldLive.ts"

export interface Options extends Omit<Run.Options, "currency"> {
  readonly template: Template.Template
  /** The folder in which the command is run, and from which its files are named. */
  readonly folder: string
}

/** A folder that only this user can read. It is deleted at the end. */
const privateFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-crashtest-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The shop, with the credentials of the sandbox's merchant. */
const shop = ({ command, folder, template }: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { controlKey, login, privateKeyPem } =
        template.dialect === "pairs" ? Sandbox.olderMerchant : Sandbox.merchant
      const own = yield* privateFolder
      const privateKeyFile = join(own, "key.pem")
      writeFileSync(privateKeyFile, privateKeyPem, { mode: 0o600 })
      const endpointId = Template.endpointId(template)
      // A shop on Node that keeps there what it has compiled starts faster after each kill.
      const env = { NODE_COMPILE_CACHE: join(own, "compiled"), ...template.env }
      return ShopLive.layer({
        ...{ command, folder, template: { ...template, env } },
        gateway: { url: baseUrl, login, controlKey, endpointId, privateKeyFile }
      })
    })
  )

/**
 * Business time that passes at once: longer than the day after which late callbacks come, and so short that an order does not live
 * through a month, after which a subscription charges again.
 */
const settling = "30 hours"

/** Runs a crash test. */
export const run = (options: Options) => {
  const { currency = Template.defaultCurrency, dialect = "json", gateway: { replays = true } = {} } = options.template
  const services = Layer.provideMerge(shop(options), WorldLive.layer({ dialect, replays, settling }))
  return Effect.scoped(Effect.provide(Run.run({ ...options, currency }), services))
}
