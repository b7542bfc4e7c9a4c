/** The configurations with which a gateway for real money refuses to start. */
import { assert, describe, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import * as Directory from "@pay/gateway/Directory"
import { CheckedMerchants, PublicSecrets } from "@pay/gateway/Gateway"
import { KeyRing, ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer, Result } from "effect"
import * as CallbackUrl from "../../gateway/src/callbacks/decide/CallbackUrl.ts"
import * as Adapters from "../src/Adapters.ts"
import * as ProductionCheck from "../src/ProductionCheck.ts"
import * as ProductionProcess from "../src/ProductionProcess.ts"
import * as Sandbox from "../src/Sandbox.ts"
import * as SandboxMarks from "../src/SandboxMarks.ts"
import * as Server from "../src/Server.ts"
import * as ServerConfig from "../src/ServerConfig.ts"
import * as Deployment from "./Deployment.ts"
import { acquirer, bank, merchant, type Start, within } from "./Deployment.ts"

const refusal = Effect.fnUntraced(function* (start: Start) {
  const around = yield* within(start)
  const error = yield* Effect.flip(
    Effect.provide(
      ProductionProcess.run(() => Effect.void),
      around
    )
  )
  return "message" in error ? String(error.message) : ""
})

/** What a check says, which starts nothing. */
const checked = (start: Start, isNew = false) =>
  Effect.flatMap(within(start), (around) => Effect.provide(ProductionCheck.problems({ isNew }), around))

describe("a gateway for real money", () => {
  it.live("is not refused by a check of a complete configuration", () =>
    Effect.map(checked({}, true), (problems) => assert.deepStrictEqual(problems, []))
  )

  it.live("starts with a complete configuration", () =>
    Effect.gen(function* () {
      const report = yield* Deployment.started(yield* within({}), { isNew: true })
      assert.deepInclude(report, { publicBaseUrl: "https://pay.example/gateway", merchants: ["shop"] })
    })
  )

  it.live("accepts only https in merchants' addresses, and calls only public addresses", () =>
    Effect.gen(function* () {
      const { config } = yield* Effect.provide(ProductionProcess.prepare, yield* within({}))
      const { addressPolicy, production } = config.settings
      const problem = (url: string) => Result.merge(CallbackUrl.check(url, { production, addressPolicy }))
      assert.strictEqual(problem("http://shop.example/callback"), "must be an https address")
      assert.isUndefined(problem("https://shop.example/callback"))
      assert.isDefined(problem("https://127.0.0.1/callback"))
    })
  )

  const sandbox = SandboxMerchant.merchant
  const refused: ReadonlyArray<readonly [what: string, start: Start, says: RegExp]> = [
    [
      "the sandbox's login",
      { file: { merchants: [{ ...merchant, login: sandbox.login }] } },
      /login sandbox-merchant is published/
    ],
    [
      "the sandbox's control key",
      { file: { merchants: [{ ...merchant, controlKeys: [sandbox.controlKey] }] } },
      /a control key of shop is published/
    ],
    [
      "the sandbox's RSA key",
      { file: { merchants: [{ ...merchant, publicKeys: [sandbox.publicKeyPem] }] } },
      /a public key of shop is published/
    ],
    [
      "the sandbox's approver",
      {
        file: { merchants: [{ ...merchant, approvers: [{ name: "Ada", publicKey: sandbox.approver.publicKeyPem }] }] }
      },
      /approver Ada is published/
    ],
    ["no public address", { file: { publicBaseUrl: undefined } }, /publicBaseUrl is missing/],
    ["a plain http address", { file: { publicBaseUrl: "http://pay.example" } }, /publicBaseUrl must be a public https/],
    ["a loopback address", { file: { publicBaseUrl: "https://127.0.0.1" } }, /publicBaseUrl must be/],
    ["no master key", { environment: { PAY_MASTER_KEY: "" } }, /no master key: PAY_MASTER_KEY/],
    ["a missing key ring", { file: { keyRing: "/nowhere/keys.json" } }, /no master key: .*\/nowhere\/keys.json/],
    [
      "a folder in which a sandbox has run",
      { left: "bank.journal" },
      /a sandbox has run in dataDirectory \(bank.journal\)/
    ],
    [
      "a simulated bank world",
      { environment: { PAY_SANDBOX_WORLD: "http://127.0.0.1:8090" } },
      /sandboxWorld names a simulated bank/
    ],
    [
      "a terminal of an acquirer without an adapter",
      {
        file: {
          merchants: [
            {
              ...merchant,
              endpoints: [{ id: "5001", currencies: ["USD"], terminals: [{ mid: "TEA", acquirer: "tea-bank" }] }]
            }
          ]
        }
      },
      /endpoint 5001: the terminal TEA is of the acquirer tea-bank, which has no adapter/
    ],
    ["no adapters", { file: { adapters: undefined } }, /adapters is missing/],
    ["a missing adapter module", { file: { adapters: "./other.mjs" } }, /other.mjs cannot be loaded/],
    [
      "an adapter module without a default export",
      { module: "export const bank = 1" },
      /gave no object with an acquirer/
    ],
    ["adapters without an acquirer", { module: bank("") }, /acquirer is missing/],
    [
      "an acquirer without a method and a deadline",
      { module: bank(`acquirer: ${acquirer("{ longestProcessingMs: 1 }", "eligible")}`) },
      /acquirer.eligible must be a function\n.*deadlineMs must be/
    ],
    [
      "an incomplete payout rail",
      { module: bank(`acquirer: ${acquirer()}, payoutRail: { pay: 1 }`) },
      /payoutRail.check must be a function/
    ],
    [
      "a simulated bank",
      { module: bank(`acquirer: ${acquirer("{ ...promised, simulated: true }")}`) },
      /acquirer.capabilities.simulated must be left out/
    ],
    ["no merchants", { environment: { PAY_CONFIG: "" } }, /merchants are missing/]
  ]
  for (const [what, start, says] of refused) {
    it.live(`does not start with ${what}, and a check says the same`, () =>
      Effect.gen(function* () {
        assert.match(yield* refusal(start), says)
        assert.match((yield* checked(start, true)).join("\n"), says)
      })
    )
  }

  it.live("does not start with a key ring inside the data folder", () =>
    Effect.gen(function* () {
      const message = yield* refusal({ file: { dataDirectory: "/tmp/pay-data", keyRing: "/tmp/pay-data/keys.json" } })
      assert.match(message, /keyRing lies in dataDirectory/)
    })
  )

  it.live("reports all problems together", () =>
    Effect.gen(function* () {
      const message = yield* refusal({
        file: {
          merchants: Sandbox.merchants.length > 0 ? SandboxMerchant.directory : [],
          publicBaseUrl: "http://x.example"
        },
        module: bank(""),
        environment: { PAY_MASTER_KEY: "" }
      })
      for (const word of ["sandbox-merchant", "publicBaseUrl", "no master key", "acquirer is missing"])
        assert.include(message, word)
    })
  )

  it.live("does not start on a store that holds a key of the sandbox", () =>
    Effect.gen(function* () {
      const around = yield* within({})
      const folder = yield* Effect.provide(ServerConfig.fromEnvironment, around)
      const vault = Server.keyVault({ dataDirectory: folder.dataDirectory ?? "" }, KeyRing.generate)
      const store = SqliteStore.layer({ path: `${folder.dataDirectory}/gateway.db` })
      const error = yield* Effect.gen(function* () {
        yield* Effect.provide(Effect.void, Directory.layer(Sandbox.merchants), { local: true })
        return yield* Effect.flip(
          Effect.provide(Effect.void, Directory.layer([]), { local: true }).pipe(
            Effect.provideService(PublicSecrets.PublicSecrets, SandboxMarks.all)
          )
        )
      }).pipe(Effect.provide(Layer.merge(store, Layer.provide(vault, ShortLivedKeyTable.layerMemory))))
      assert.match(error.message, /sandbox-merchant\/control-1 in the store is published/)
    })
  )

  it.live("refuses every port of the sandbox", () =>
    Effect.gen(function* () {
      const acquirer = yield* Acquirer
      const payoutRail = yield* PayoutRail
      const threeDSServer = yield* ThreeDSServer
      assert.deepStrictEqual(
        Adapters.problems({ acquirer, payoutRail, threeDSServer }).map((problem) => problem.split(" ")[0]),
        [
          "acquirer.capabilities.simulated",
          "payoutRail.capabilities.simulated",
          "threeDSServer.capabilities.simulated",
          "threeDSServer.capabilities.hints"
        ]
      )
    }).pipe(Effect.provide(SandboxWorld.layer()))
  )

  it.effect("recognizes every published login and key of the sandbox", () =>
    Effect.gen(function* () {
      const merchants = yield* Effect.fromResult(CheckedMerchants.check(Sandbox.merchants))
      assert.lengthOf(merchants, 2)
      for (const described of merchants) {
        const { approvers, controlKeys, publicKeys } = described
        assert.lengthOf(
          PublicSecrets.problems(described, SandboxMarks.all),
          1 + controlKeys.length + publicKeys.length + approvers.length
        )
      }
    })
  )
})
