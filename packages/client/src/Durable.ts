/**
 * The client whose flows survive their process: each step is on the disk before the next one begins, and the next process
 * continues at the same step. It needs a file of its own, and Node for `node:sqlite`.
 *
 * @module
 */
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Flows from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import type * as Flow from "@pay/flows/Flow"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as FetchWire from "@pay/transport/FetchWire"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as Client from "./Client.ts"
import type * as Types from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import * as Failing from "./Failing.ts"
import * as FlowTable from "./FlowTable.ts"
import { browserOf } from "./Running.ts"
import * as Settings from "./Settings.ts"

/** The options of the client, and of its file. */
export interface DurableOptions extends Types.ClientOptions {
  /** The file of the flows. It is made if it does not exist; its folder must exist. One process at a time uses it. */
  readonly path: string
  /** 32 bytes in base64, which encrypt card numbers, expiries and recipients in the file. The security code is never written. */
  readonly encryptionKey: string
  /**
   * Takes customers to their next page, also in flows that an earlier process began. Default: the pages that `web` of the returned
   * client makes. Their state is in a file beside `path`, whose name ends with `.web`. The option `browser` of a call has no effect.
   */
  readonly browser?: Types.Browser | undefined
}

/** A flow that has not ended. */
export interface WaitingFlow {
  /** The flow and its identity: `CardSale/INV-1`. */
  readonly id: string
  /** `waiting` and `running` continue by themselves; a `stuck` one needs an operator. */
  readonly state: string
  /** The reason of a `stuck` flow. */
  readonly stuckOn?: string
}

/** The client with its file. */
export interface DurableClient extends Types.Client {
  /** Flows that have not ended, the longest unchanged first. */
  readonly waiting: () => Promise<ReadonlyArray<WaitingFlow>>
  /**
   * Returns the client of another merchant, or at another gateway, whose flows are in the same file. After a restart, its flows
   * continue when it is made again.
   */
  readonly merchant: (options: Types.ClientOptions) => Promise<Types.Client>
  /** Closes the file. Flows that have not ended continue in the next process. */
  readonly close: () => Promise<void>
}

type Registration = ReturnType<typeof registration>

const registration = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, FlowEngine | PayClient | CustomerBrowser>
) => flow.layer

/** All flows that this process continues. */
const everyFlow: Registration = Object.values<Registration>({
  ...FlowTable.flowsOf<Registration>(registration),
  ...FlowTable.actionsOf<Registration>(registration),
  ...FlowTable.hostedOf<Registration>(registration)
}).reduce((all, one) => Layer.merge(all, one))

type OpeningError = Layer.Error<ReturnType<typeof Flows.layer>>

/** Closes what was opened before the error, which is thrown again. */
const closing =
  (close: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await close()
    throw error
  }

/** Makes the error of a file that was not opened. */
const unopened = (error: OpeningError) =>
  Errors.make("StorageFailed", { message: error.message, cause: error, retryable: error._tag === "SqliteError" })

/** Makes the settings and services of a merchant, or throws `InvalidSettingError`. */
const merchantOf = (options: Types.ClientOptions) => {
  const settings = Settings.read(options)
  return { settings, services: Client.servicesOf(settings, FetchWire.make(options.fetch)) }
}

/** Largest number of flows of each state that are listed. */
const limit = 1000

const openFlows = ({ list }: FlowEngine["Service"]) =>
  Effect.gen(function* () {
    const pages = yield* Effect.forEach(["waiting", "running", "stuck"] as const, (state) => list({ state, limit }))
    return pages.flat().map(({ id, state, stuckOn }) => ({ id, state, ...(stuckOn === undefined ? {} : { stuckOn }) }))
  })

/**
 * Opens the file and continues its flows. It throws `InvalidSettingError` if an option is wrong, and `StorageFailedError` if the file
 * cannot be used; the message says what to do.
 *
 * @example
 * import * as Durable from "@pay/client/durable"
 *
 * const pay = await Durable.open({ ...options, path: "flows.db", encryptionKey: process.env.SHOP_FLOWS_KEY })
 * const sale = await pay.cardSale(payment) // continues after a restart, when it is called again with the same values
 */
export const open = async (callerOptions: DurableOptions): Promise<DurableClient> => {
  const { browser, encryptionKey, path, ...options } = Settings.optionsOf(callerOptions)
  if (typeof path !== "string" || path === "") Settings.invalid("path", "must name the file of the flows")
  if (typeof encryptionKey !== "string") Settings.invalid("encryptionKey", "must be 32 bytes in base64")
  const first = merchantOf(options)
  const cipher = Settings.orThrow(
    Effect.mapError(Cipher.make({ key: Redacted.make(encryptionKey) }), () =>
      Settings.wrong("encryptionKey", "must be 32 bytes in base64")
    )
  )
  const scope = Effect.runSync(Scope.make())
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const opened = <A, E extends OpeningError>(open: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
    Effect.runPromise(open.pipe(Scope.provide(scope), Effect.mapError(unopened)))
  const context = await opened(Layer.build(Flows.layer({ path, cipher }))).catch(closing(close))
  const engine = Context.get(context, FlowEngine)

  const clientOf = async (
    { services, settings }: ReturnType<typeof merchantOf>,
    webPath: string
  ): Promise<Types.Client> => {
    const { visits } = await opened(WebFile.open({ path: webPath }))
    const port = browser === undefined ? WebCustomerBrowser.port(visits) : browserOf(browser)
    const layer = everyFlow.pipe(
      Layer.provide([
        Layer.succeed(FlowEngine, engine),
        Layer.succeed(PayClient, services.client),
        Layer.succeed(CustomerBrowser, port)
      ])
    )
    await Effect.runPromise(Layer.buildWithScope(layer, scope))
    return Client.build({ ...services, engine, visits }, settings.controlKeys)
  }

  return {
    ...(await clientOf(first, `${path}.web`).catch(closing(close))),
    merchant: (options) => {
      const other = merchantOf(Settings.optionsOf(options))
      return clientOf(other, `${path}.${encodeURIComponent(other.services.client.merchant)}.web`)
    },
    waiting: () => Effect.runPromise(Effect.mapError(openFlows(engine), Failing.ofEngine)),
    close
  }
}
