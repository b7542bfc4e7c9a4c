/** Runs of the conformance suite against sandbox gateways of this repository. */
import * as Conformance from "@pay/conformance/Conformance"
import * as Settings from "@pay/conformance/Settings"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as ConformanceFile from "@pay/sandbox/ConformanceFile"
import * as Sandbox from "@pay/server/Sandbox"
import { Array as Arr, Context, Effect, Layer, Metric, Result } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"

const { controlKey, endpointId: endpoint, login } = Merchants.other

/** The sandbox's own file, and the other merchant of tests. */
export const settings = Result.getOrThrow(
  Settings.parse(JSON.stringify({ ...ConformanceFile.content, other: { login, controlKey, endpoint } }))
)

/** A sandbox gateway for both merchants, gone with the scope. Returns its address; its clock stays its own. */
export const gateway = Effect.fnUntraced(function* (options: Partial<Sandbox.Options> = {}) {
  const dataDirectory = yield* temporaryFolder
  const ownNumbers = Layer.sync(Metric.MetricRegistry, () => new Map())
  const layer = Sandbox.layer({
    dataDirectory,
    port: 0,
    logLevel: "error",
    merchants: Merchants.both(),
    ...options
  })
  const context = yield* Layer.build(Layer.provide(layer, ownNumbers))
  return Context.get(context, NodeServer.NodeServer).publicBaseUrl
})

/** Runs the suite against the gateway at this address. */
export const at = (baseUrl: string, options: Partial<Conformance.Options> = {}) =>
  Effect.scoped(Conformance.run({ baseUrl, settings, ...options }))

/** Each check that failed, or that the gateway lacks something for, with the reason. */
export const problems = ({ results }: Conformance.Run): ReadonlyArray<string> =>
  results.flatMap(({ check, outcome }) =>
    outcome._tag === "Passed" ? [] : [`${outcome._tag} ${check.id}: ${outcome.message}`]
  )

const pairs = ["pairs"] as const

/** The settings of a merchant whose endpoints take the older dialect only, and the merchants of the gateway. */
export const older = {
  settings: { ...settings, dialect: "pairs" } satisfies Settings.Settings,
  merchants: Merchants.both().map((merchant) => ({
    ...merchant,
    endpoints: Arr.map(merchant.endpoints, (endpoint) => ({ ...endpoint, dialects: pairs }))
  }))
}
