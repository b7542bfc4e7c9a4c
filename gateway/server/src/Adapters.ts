/**
 * The adapters to the banks of a deployment, in a module that the configuration names. Its default export is a function that gets
 * the {@link toolkit} and returns implementations of the gateway's ports. Their shapes are validated before anything is opened.
 * docs/operators/adapters.md has an example.
 */
import { pathToFileURL } from "node:url"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as BankBooks from "@pay/gateway/BankBooks"
import * as Booking from "@pay/gateway/BankBooks"
import { PortShape } from "@pay/gateway/Gateway"
import * as Notifications from "@pay/gateway/Notifications"
import * as PayoutRail from "@pay/gateway/PayoutRail"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import { Effect, Layer, Predicate, Redacted, Schema } from "effect"

/** The modules that the adapters get as an argument. They are the gateway's own, so that no second copy of Effect is needed. */
const toolkit = { Effect, Redacted, Schema, Acquirer, Booking, Notifications, PayoutRail, ThreeDSServer }
export type Toolkit = typeof toolkit

/** The ports that an adapter module implements. Only the acquirer is required. */
export interface Adapters {
  readonly acquirer: Acquirer.Adapter
  /**
   * The bank's list of its bookings. Without it, an operator must import the list after a restore, and reconciliation cannot
   * compare with it.
   */
  readonly bankBooks?: BankBooks.BankBooksAdapter
  /** What the bank sends by itself. Without it, the gateway has no route for the bank. */
  readonly notifications?: Notifications.Adapter
  /** The adapter for payouts. Without it, payouts are not available. */
  readonly payoutRail?: PayoutRail.Adapter
  /** The payout rail's list of its bookings, with the same use as `bankBooks`. */
  readonly railBooks?: BankBooks.RailBooksAdapter
  /** The adapter for 3-D Secure. Without it, endpoints work without 3-D Secure. */
  readonly threeDSServer?: ThreeDSServer.Adapter
}

/** The type of the default export of an adapter module. */
export type Make = (pay: Toolkit) => Adapters | Promise<Adapters>

type Shapes = { readonly [Name in keyof Adapters]-?: PortShape.PortShape<NonNullable<Adapters[Name]>> }

/** The shapes against which the ports are validated. */
export const shapes: Shapes = {
  acquirer: Acquirer.shape,
  bankBooks: BankBooks.shape,
  notifications: Notifications.shape,
  payoutRail: PayoutRail.shape,
  railBooks: BankBooks.railShape,
  threeDSServer: ThreeDSServer.shape
}

/** Returns the problems of adapters: what is missing, wrong or not suitable for production. */
export const problems = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) return ["the default export gave no object with an acquirer"]
  return [
    ...(PortShape.property(value, "acquirer") === undefined ? ["acquirer is missing"] : []),
    ...Object.entries(shapes).flatMap(([name, shape]) => {
      const port = PortShape.property(value, name)
      return port === undefined ? [] : PortShape.problems(name, port, shape)
    })
  ]
}

const areAdapters = (value: unknown): value is Adapters => problems(value).length === 0

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Loads an adapter module. Fails with all problems. `base` is the folder to which a relative path refers. `limitMs`: longest time
 * until the module gives its adapters.
 */
export const load = Effect.fn("Adapters.load")(function* (specifier: string, base: string, limitMs = 60_000) {
  const where = /^\.{0,2}\//.test(specifier) ? new URL(specifier, pathToFileURL(`${base}/`)).href : specifier
  const adapters: unknown = yield* Effect.tryPromise({
    try: async () => {
      const module: { readonly default?: unknown } = await import(where)
      if (typeof module.default !== "function") return undefined
      return module.default(toolkit)
    },
    catch: (error) => [`adapters: ${specifier} cannot be loaded: ${reason(error)}`]
  }).pipe(
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.fail([`adapters: ${specifier} gave no adapters within ${limitMs / 1000} s`])
    })
  )
  if (!areAdapters(adapters)) return yield* Effect.fail(problems(adapters).map((problem) => `adapters: ${problem}`))
  return adapters
})

/** Provides the ports of the adapters to a gateway, with every answer decoded. */
export const layer = ({ acquirer, bankBooks, notifications, payoutRail, railBooks, threeDSServer }: Adapters) =>
  Layer.mergeAll(
    Layer.succeed(Acquirer.Acquirer, Acquirer.Acquirer.checked(acquirer)),
    bankBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.BankBooks, BankBooks.BankBooks.checked(bankBooks)),
    notifications === undefined
      ? Layer.empty
      : Layer.succeed(
          Notifications.Notifications,
          new Map([["acquirer", Notifications.Notifications.checked(notifications)]])
        ),
    railBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.RailBooks, BankBooks.RailBooks.checked(railBooks)),
    payoutRail === undefined
      ? Layer.empty
      : Layer.succeed(PayoutRail.PayoutRail, PayoutRail.PayoutRail.checked(payoutRail)),
    threeDSServer === undefined
      ? Layer.empty
      : Layer.succeed(ThreeDSServer.ThreeDSServer, ThreeDSServer.ThreeDSServer.checked(threeDSServer))
  )
