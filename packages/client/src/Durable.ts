/**
 * The client whose flows survive their process: each step is on the disk before the next one begins, and the next process
 * continues at the same step. It needs a file of its own, and Node for `node:sqlite`.
 *
 * @module
 */
import "./OldNode.ts"
import { createHash } from "node:crypto"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Flows from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as WebFile from "@pay/flows/durable/WebFile"
import type * as Flow from "@pay/flows/Flow"
import { FlowEngine, type OpenExecution } from "@pay/flows/FlowEngine"
import * as FlowSettings from "@pay/flows/FlowSettings"
import type { VisitStore } from "@pay/flows/VisitStore"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as Loopback from "@pay/schema/Loopback"
import * as FetchWire from "@pay/transport/FetchWire"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Duration, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as Client from "./Client.ts"
import type * as Types from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import * as Failing from "./Failing.ts"
import * as FlowTable from "./FlowTable.ts"
import * as Keys from "./Keys.ts"
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
  /**
   * How long a request whose answer was lost may still be under way, in milliseconds. An order counts as never made only after "not
   * found" both before and after this time. Less than the default is accepted only for a gateway on this machine, for tests. Default
   * 45,000.
   */
  readonly quietPeriodMs?: number | undefined
}

/** A flow that has not ended. */
export interface WaitingFlow {
  /** The flow, its merchant and its identity: `CardSale@shop-7@gateway.example/INV-1`. */
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
  readonly merchant: (options: Types.ClientOptions & Pick<DurableOptions, "quietPeriodMs">) => Promise<Types.Client>
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

const defaultQuietMs = Duration.toMillis(FlowSettings.defaults.quietPeriod)

/** Makes the settings of the flows at a gateway. Throws `InvalidSettingError` for a quiet period that is too short for it. */
const flowSettingsOf = (baseUrl: string, quietPeriodMs = defaultQuietMs): FlowSettings.Settings => {
  const leastMs = Loopback.isOn(baseUrl) ? 1 : defaultQuietMs
  if (!(Number.isFinite(quietPeriodMs) && quietPeriodMs >= leastMs))
    Keys.invalid(
      "quietPeriodMs",
      `must be at least ${leastMs}: less than ${defaultQuietMs} only at a gateway on this machine`
    )
  return { ...FlowSettings.defaults, quietPeriod: Duration.millis(quietPeriodMs) }
}

type MerchantOptions = Types.ClientOptions & Partial<DurableOptions>

/** The names of the options of the file. The compiler refuses a list that lacks one. */
const ofFile: Readonly<Record<Exclude<keyof DurableOptions, keyof Types.ClientOptions>, true>> = {
  path: true,
  encryptionKey: true,
  browser: true,
  quietPeriodMs: true
}

const names = [...Settings.names, ...Object.keys(ofFile)]

/** Makes the settings and services of a merchant, or throws `InvalidSettingError`. Options of the file concern no merchant. */
const merchantOf = ({ browser: _, encryptionKey: __, path: ___, quietPeriodMs, ...options }: MerchantOptions) => {
  const settings = Settings.read(options)
  const services = Client.servicesOf(settings, FetchWire.make(options.fetch))
  return { flowSettings: flowSettingsOf(options.baseUrl, quietPeriodMs), settings, services }
}

/** Longest name of a merchant in the name of a file. A longer one is hashed, because file systems limit the length. */
const longestName = 100

const fileNameOf = (merchant: string): string => {
  const name = encodeURIComponent(merchant)
  return name.length <= longestName ? name : createHash("sha256").update(merchant).digest("hex")
}

/** Number of flows that one query reads. */
const limit = 1000

const openFlows = ({ list }: FlowEngine["Service"]) =>
  Effect.gen(function* () {
    // A flow may change its state between two queries.
    const open = new Map<string, OpenExecution>()
    for (const state of ["waiting", "running", "stuck"] as const) {
      for (let page = yield* list({ state, limit }); ; page = yield* list({ state, limit, after: page.at(-1) })) {
        for (const execution of page) open.set(execution.id, execution)
        if (page.length < limit) break
      }
    }
    return [...open.values()]
      .sort((one, other) => one.changedAtMs - other.changedAtMs)
      .map(({ id, state, stuckOn }) => ({ id, state, ...(stuckOn === undefined ? {} : { stuckOn }) }))
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
  const options = Keys.optionsOf(callerOptions, names, Settings.needed)
  const { browser, encryptionKey, path } = options
  if (typeof path !== "string" || path === "") Keys.invalid("path", "must name the file of the flows")
  if (typeof encryptionKey !== "string") Keys.invalid("encryptionKey", "must be 32 bytes in base64")
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

  const { merchant: firstName } = first.services.client
  const stores = new Map<string, Promise<VisitStore>>()
  /** Returns the visits of a merchant, whose clients share them. */
  const visitsOf = (merchant: string): Promise<VisitStore> => {
    const webPath = merchant === firstName ? `${path}.web` : `${path}.${fileNameOf(merchant)}.web`
    const store =
      stores.get(merchant) ??
      opened(Effect.map(WebFile.open({ path: webPath }), ({ visits }) => visits)).catch((error: unknown) => {
        stores.delete(merchant)
        throw error
      })
    stores.set(merchant, store)
    return store
  }

  const clientOf = async ({
    flowSettings,
    services,
    settings
  }: ReturnType<typeof merchantOf>): Promise<Types.Client> => {
    const visits = await visitsOf(services.client.merchant)
    const port = browser === undefined ? WebCustomerBrowser.port(visits) : browserOf(browser)
    const layer = everyFlow.pipe(
      Layer.provide([
        Layer.succeed(FlowEngine, engine),
        Layer.succeed(PayClient, services.client),
        Layer.succeed(CustomerBrowser, port),
        Layer.succeed(FlowSettings.FlowSettings, flowSettings)
      ])
    )
    await Effect.runPromise(Layer.buildWithScope(layer, scope))
    return Client.build({ ...services, engine, visits }, settings.controlKeys)
  }

  return {
    ...(await clientOf(first).catch(closing(close))),
    merchant: async (options) => clientOf(merchantOf(Keys.optionsOf(options, names, Settings.needed))),
    waiting: () => Effect.runPromise(Effect.mapError(openFlows(engine), Failing.ofEngine)),
    close
  }
}
