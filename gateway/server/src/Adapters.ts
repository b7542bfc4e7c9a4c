/**
 * The adapters to the banks of a deployment, in a module that the configuration names. Its default export is a function that gets
 * the {@link toolkit} and returns implementations of the gateway's ports. Their shapes are validated before anything is opened.
 * docs/operators/adapters.md has an example.
 */
import { pathToFileURL } from "node:url"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as BankBooks from "@pay/gateway/BankBooks"
import * as Booking from "@pay/gateway/BankBooks"
import { AcquirerNames, Acquirers, PortShape } from "@pay/gateway/Gateway"
import * as Notifications from "@pay/gateway/Notifications"
import * as PayoutRail from "@pay/gateway/PayoutRail"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import * as Currency from "@pay/schema/Currency"
import * as Money from "@pay/schema/Money"
import { Effect, Layer, Predicate, Redacted, Schema } from "effect"

/** The name of the acquirer that the module gives as `acquirer`. */
export const defaultName = Acquirer.defaultAcquirer

/**
 * The modules that the adapters get as an argument. They are the gateway's own, so that no second copy of Effect is needed. `Money` writes
 * minor units as a decimal amount of their currency, and reads them.
 */
const toolkit = {
  Effect,
  Redacted,
  Schema,
  Acquirer,
  Booking,
  Currency,
  Money,
  Notifications,
  PayoutRail,
  ThreeDSServer
}
export type Toolkit = typeof toolkit

/** The ports that reach one bank. */
export interface BankAdapters {
  readonly acquirer: Acquirer.Adapter
  /**
   * The bank's list of its bookings. Without it, an operator must import the list after a restore, and reconciliation cannot
   * compare with it.
   */
  readonly bankBooks?: BankBooks.BankBooksAdapter
  /** What the bank sends by itself. Without it, the gateway has no route for the bank. */
  readonly notifications?: Notifications.Adapter
}

/** The ports that an adapter module implements. Only an acquirer is required: `acquirer`, or one of `acquirers`. */
export interface Adapters extends Partial<BankAdapters> {
  /**
   * Further banks, by the names that terminals give in their `acquirer`. A bank that gets no new orders stays here as long as orders of
   * it may be captured, refunded or disputed: an order keeps the name, so no other bank may ever get it.
   */
  readonly acquirers?: Readonly<Record<string, BankAdapters>>
  /** The adapter for payouts. Without it, payouts are not available. */
  readonly payoutRail?: PayoutRail.Adapter
  /** The payout rail's list of its bookings, with the same use as `bankBooks`. */
  readonly railBooks?: BankBooks.RailBooksAdapter
  /** The adapter for 3-D Secure. Without it, endpoints work without 3-D Secure. */
  readonly threeDSServer?: ThreeDSServer.Adapter
}

/** The type of the default export of an adapter module. */
export type Make = (pay: Toolkit) => Adapters | Promise<Adapters>

type Shapes<A> = { readonly [Name in keyof A]-?: PortShape.PortShape<NonNullable<A[Name]>> }

const bankShapes: Shapes<BankAdapters> = {
  acquirer: Acquirer.shape,
  bankBooks: BankBooks.shape,
  notifications: Notifications.shape
}

/** The shapes against which the ports are validated. */
export const shapes: Shapes<Omit<Adapters, "acquirers">> = {
  ...bankShapes,
  payoutRail: PayoutRail.shape,
  railBooks: BankBooks.railShape,
  threeDSServer: ThreeDSServer.shape
}

const shapeProblems = (path: string, value: object, expected: typeof shapes | typeof bankShapes) => {
  const names: ReadonlyArray<string> = [...Object.keys(expected), ...(path === "" ? ["acquirers"] : [])]
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  return [
    ...unknown.map((name) => `${path}${name} is no port: ${names.join(", ")}`),
    ...Object.entries(expected).flatMap(([name, shape]) => {
      const port = PortShape.property(value, name)
      return port === undefined ? [] : PortShape.problems(`${path}${name}`, port, shape)
    })
  ]
}

/** Names of other ports start with small letters, too, but contain capital letters. */
const isName = (name: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(name)

const nameProblems = (name: string, bank: unknown): ReadonlyArray<string> => {
  const path = `acquirers.${name}`
  if (!isName(name) || name === defaultName)
    return [`${path}: a name has small letters, digits and -, at most 32, and is not ${defaultName}`]
  if (!Predicate.isObject(bank)) return [`${path} must be an object with an acquirer`]
  return [
    ...(PortShape.property(bank, "acquirer") === undefined ? [`${path}.acquirer is missing`] : []),
    ...shapeProblems(`${path}.`, bank, bankShapes)
  ]
}

/** Returns the problems of adapters: what is missing, wrong or not suitable for production. */
export const problems = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) return ["the default export gave no object with an acquirer"]
  const named = PortShape.property(value, "acquirers")
  const further = Predicate.isObject(named) ? Object.entries(named) : []
  return [
    ...(PortShape.property(value, "acquirer") === undefined && further.length === 0 ? ["acquirer is missing"] : []),
    ...(named === undefined || Predicate.isObject(named) ? [] : ["acquirers must be an object of acquirers by name"]),
    ...shapeProblems("", value, shapes),
    ...further.flatMap(([name, bank]) => nameProblems(name, bank))
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

/** Returns the banks of the adapters by name. */
export const banksOf = ({ acquirer, acquirers = {}, bankBooks, notifications }: Adapters) =>
  new Map<string, BankAdapters>([
    ...(acquirer === undefined
      ? []
      : [
          [
            defaultName,
            {
              acquirer,
              ...(bankBooks === undefined ? {} : { bankBooks }),
              ...(notifications === undefined ? {} : { notifications })
            }
          ] as const
        ]),
    ...Object.entries(acquirers)
  ])

const checked = (name: string, { acquirer, bankBooks }: BankAdapters) => ({
  acquirer: Acquirer.Acquirer.checked(acquirer, name),
  bankBooks:
    bankBooks && BankBooks.BankBooks.checked(bankBooks, name === defaultName ? "bankBooks" : `${name}.bankBooks`)
})

/** Provides the ports of the adapters to a gateway, with every answer decoded. */
export const layer = (adapters: Adapters) => {
  const { payoutRail, railBooks, threeDSServer } = adapters
  const banks = banksOf(adapters)
  const acquirers = new Map([...banks].map(([name, bank]) => [name, checked(name, bank)]))
  const own = acquirers.get(defaultName)
  const notified = [...banks].flatMap(([name, { notifications }]) =>
    notifications === undefined ? [] : [[name, Notifications.Notifications.checked(notifications)] as const]
  )
  return Layer.mergeAll(
    Layer.succeed(AcquirerNames.AcquirerNames, new Set(banks.keys())),
    Layer.succeed(Acquirers, acquirers),
    own === undefined ? Layer.empty : Layer.succeed(Acquirer.Acquirer, own.acquirer),
    own?.bankBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.BankBooks, own.bankBooks),
    notified.length === 0 ? Layer.empty : Layer.succeed(Notifications.Notifications, new Map(notified)),
    railBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.RailBooks, BankBooks.RailBooks.checked(railBooks)),
    payoutRail === undefined
      ? Layer.empty
      : Layer.succeed(PayoutRail.PayoutRail, PayoutRail.PayoutRail.checked(payoutRail)),
    threeDSServer === undefined
      ? Layer.empty
      : Layer.succeed(ThreeDSServer.ThreeDSServer, ThreeDSServer.ThreeDSServer.checked(threeDSServer))
  )
}
