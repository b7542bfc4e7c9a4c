/** A production gateway's configuration, adapters and folder, with whatever a test changes in them. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import * as Acquirer from "@pay/gateway/Acquirer"
import { ConfigProvider, Deferred, Effect, Fiber, Layer } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as ProductionProcess from "../src/ProductionProcess.ts"
import type * as Begin from "../src/Start.ts"

const spki = { type: "spki", format: "pem" } as const
const publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export(spki).toString()
export const merchant = {
  login: "shop",
  controlKeys: ["a key that nobody else has"],
  publicKeys: [publicKey],
  endpoints: [{ id: "1", currencies: ["USD"] }]
}

/** A bank's adapter with all that the port asks; `capabilities` to spoil, a method to leave out. */
export const acquirer = (capabilities = "promised", without = "") =>
  `{ capabilities: ${capabilities}, ${Object.keys(Acquirer.shape.methods)
    .filter((method) => method !== without)
    .map((method) => `${method}: () => Effect.succeed({ _tag: "CannotSay" })`)
    .join(", ")} }`
export const bank = (ports = `acquirer: ${acquirer()}`) => `
const promised = { longestProcessingMs: 60_000, deadlineMs: 5_000, transfers: false, eligibility: false }
export default async ({ Effect }) => ({ ${ports} })`

export interface Start {
  /** Fields of the configuration file, in addition to the ordinary ones. */
  readonly file?: object
  readonly module?: string
  readonly environment?: Readonly<Record<string, string>>
  /** In the data folder, from before. */
  readonly left?: string
}

const key = () => randomBytes(32).toString("base64")

export const within = ({ environment = {}, file = {}, left, module = bank() }: Start) =>
  Effect.map(temporaryFolder, (folder) => {
    const dataDirectory = join(folder, "data")
    mkdirSync(dataDirectory, { mode: 0o700 })
    if (left !== undefined) writeFileSync(join(dataDirectory, left), "")
    writeFileSync(join(folder, "bank.mjs"), module)
    const output = {
      merchants: [merchant],
      listen: { port: 0, drainMs: 0 },
      publicBaseUrl: "https://pay.example/gateway",
      dataDirectory,
      adapters: "./bank.mjs",
      ...file
    }
    writeFileSync(join(folder, "gateway.json"), JSON.stringify(output))
    const variables = {
      PAY_CONFIG: join(folder, "gateway.json"),
      PAY_MASTER_KEY: key(),
      PAY_HASHING_KEY: key(),
      ...environment
    }
    return Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
  })

/** Starts it and stops it again; fails where it does not start. */
export const started = (around: Layer.Layer<NodeServices.NodeServices>, start: Begin.Start = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const report = yield* Deferred.make<ProductionProcess.Started>()
      const running = yield* Effect.forkScoped(
        Effect.provide(
          ProductionProcess.run((started) => Deferred.succeed(report, started), start),
          around
        )
      )
      return yield* Effect.raceFirst(Deferred.await(report), Fiber.join(running))
    })
  )
