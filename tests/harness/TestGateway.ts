/**
 * A whole gateway on a folder and a port of its own, with its bank world, for one test; and a merchant who sends requests
 * by hand, so that a test can get every part of them wrong.
 */
import * as NodeServer from "@pay/gateway/NodeServer"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Logger, Metric, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { approver, clientSettings, controlKey, endpoints, login } from "./Credentials.ts"
import * as Http from "./Http.ts"

export { approver, controlKey, endpoints, login }

/** The typed client of the sandbox merchant, on the gateway of the context. */
export const client = Layer.unwrap(
  Effect.map(NodeServer.NodeServer, ({ publicBaseUrl }) => PayClient.layer(clientSettings(publicBaseUrl)))
)

export type Options = Partial<Omit<Sandbox.Options, "dataDirectory">>

/** Numbers of a gateway of its own: without it they are counted for all tests of a worker together. */
const ownNumbers = Layer.sync(Metric.MetricRegistry, () => new Map())

const onFolder = (dataDirectory: string, options: Options) =>
  client.pipe(
    Layer.provideMerge(Sandbox.layer({ dataDirectory, port: 0, logLevel: "warning", ...options })),
    Layer.provide(ownNumbers)
  )

/** A gateway in this process, on SQLite and a real socket; gone with the scope. */
export const layer = (options: Partial<Sandbox.Options> = {}) =>
  Layer.unwrap(Effect.map(temporaryFolder, (dataDirectory) => onFolder(dataDirectory, options)))

/** Settings of a gateway without the older dialect, which is the default of a gateway. */
export const jsonOnly = { dialects: ["json"] } as const

/** Runs an effect on a gateway with this data folder, which another gateway can use afterwards. */
export const running =
  (dataDirectory: string, options: Options = {}) =>
  <A, E, R>(play: Effect.Effect<A, E, R>) =>
    Effect.provide(play, onFolder(dataDirectory, options), { local: true })

/** Like {@link running}, without logs: for tests that cause failures on purpose. */
export const quietly =
  (dataDirectory: string, options: Options = {}) =>
  <A, E, R>(play: Effect.Effect<A, E, R>) =>
    Effect.provide(play, Layer.provide(onFolder(dataDirectory, options), Logger.layer([])), { local: true })

export interface Reply {
  readonly status: number
  readonly headers: Http.Answer["headers"]
  readonly body: Readonly<Record<string, unknown>>
}

export const standardHeaders = {
  accept: "application/vnd.pay+json",
  ...Http.form
}

/** Sends exactly this; the answer must be one JSON object whatever the status. */
export const raw = (
  options: Http.Request & { readonly path: string }
): Effect.Effect<Reply, never, NodeServer.NodeServer> =>
  Effect.gen(function* () {
    const { host, port } = yield* NodeServer.NodeServer
    const { path, ...request } = options
    const { headers, status, text } = yield* Http.send(`http://${host}:${port}${path}`, {
      method: "POST",
      headers: standardHeaders,
      ...request
    })
    return { status, headers, body: Http.json(text) }
  })

/** A sale of these fields, its `control` over this form of the amount whatever the endpoint wants. */
export const controlledAs = (
  mode: Canonical.ControlAmount,
  fields: Readonly<Record<string, string>>,
  endpointId: string
): Readonly<Record<string, string>> => {
  const { SALE } = PayApi.operations
  const values = Canonical.controlValues(SALE, fields, { endpointId, mode })
  return {
    ...fields,
    control: Control.sign(SALE.signing._tag === "Control" ? SALE.signing.recipe : [], values, controlKey)
  }
}

/** The fields with the `control` that the merchant with this key would compute. */
export const controlled = (
  operation: Operation,
  fields: Readonly<Record<string, string>>,
  endpointId: string = endpoints.usd,
  key: string = controlKey
): Readonly<Record<string, string>> =>
  operation.signing._tag === "Control"
    ? {
        ...fields,
        control: Control.sign(
          operation.signing.recipe,
          Canonical.controlValues(operation, canonical(operation, fields), {
            endpointId,
            mode: endpointId === endpoints.x100 ? "x100" : "minor"
          }),
          key
        )
      }
    : fields

const canonical = (operation: Operation, fields: Readonly<Record<string, string>>) =>
  Canonical.fields(operation, Object.entries(fields)).fields

/** A signed request with these fields; `change` spoils it after it was signed. */
export const post = (
  operation: Operation,
  fields: Readonly<Record<string, string>>,
  options: {
    readonly endpointId?: string
    readonly key?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly change?: (fields: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  } = {}
) => {
  const { change = (same) => same, endpointId = endpoints.usd, headers, key } = options
  return raw({
    path: `${operation.path}/${endpointId}`,
    body: Form.write(Object.entries(change(controlled(operation, fields, endpointId, key)))),
    headers: { ...standardHeaders, ...headers }
  })
}

/** A sale that the sandbox approves. */
export const saleFields: Readonly<Record<string, string>> = Sample.request(PayApi.operations.SALE)

/** The HTTP status of the gateway's readiness. */
export const readiness = Effect.gen(function* () {
  const { host, port } = yield* NodeServer.NodeServer
  return (yield* Http.send(`http://${host}:${port}/readyz`)).status
})

export const untilReadiness = (status: number) =>
  Effect.repeat(readiness, { schedule: Schedule.spaced("20 millis"), until: (now) => now === status })
