/**
 * The banks of a deployment, as a module of its own that the configuration names: its default export is given what it
 * needs to speak the gateway's ports, and answers with them. They are checked against the ports' shapes before anything is
 * opened. docs/production.md has an example.
 */
import { pathToFileURL } from "node:url"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as BankBooks from "@pay/gateway/BankBooks"
import * as Booking from "@pay/gateway/Booking"
import * as PayoutRail from "@pay/gateway/PayoutRail"
import * as PortShape from "@pay/gateway/PortShape"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import { Effect, Layer, Predicate, Redacted, Schema } from "effect"

/** What a module is given: the gateway's own, so that it need not bring another Effect along. */
export const toolkit = { Effect, Redacted, Schema, Acquirer, Booking, PayoutRail, ThreeDSServer }
export type Toolkit = typeof toolkit

export interface Adapters {
  readonly acquirer: Acquirer.Acquirer["Service"]
  /** The bank's list of its bookings; left out: after a restore an operator imports it, and parity cannot compare with it. */
  readonly bankBooks?: BankBooks.BankBooks["Service"]
  /** Left out: payouts are not served. */
  readonly payoutRail?: PayoutRail.PayoutRail["Service"]
  /** The rail's list of its bookings, as `bankBooks`. */
  readonly railBooks?: BankBooks.RailBooks["Service"]
  /** Left out: endpoints go without 3-D Secure. */
  readonly threeDSServer?: ThreeDSServer.ThreeDSServer["Service"]
}

/** A module's default export. */
export type Make = (pay: Toolkit) => Adapters | Promise<Adapters>

type Shapes = { readonly [Name in keyof Adapters]-?: PortShape.PortShape<NonNullable<Adapters[Name]>> }

/** What each port must be. */
export const shapes: Shapes = {
  acquirer: Acquirer.shape,
  bankBooks: BankBooks.shape,
  payoutRail: PayoutRail.shape,
  railBooks: BankBooks.railShape,
  threeDSServer: ThreeDSServer.shape
}

/** What is missing, wrong or not for production; none: these are adapters. */
export const problems = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) return ["the default export gave no object with an acquirer"]
  return [
    ...(Reflect.get(value, "acquirer") === undefined ? ["acquirer is missing"] : []),
    ...Object.entries(shapes).flatMap(([name, shape]) => {
      const port: unknown = Reflect.get(value, name)
      return port === undefined ? [] : PortShape.problems(name, port, shape)
    })
  ]
}

const areAdapters = (value: unknown): value is Adapters => problems(value).length === 0

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Loads the module; fails with every problem. `base`: the folder from which a relative path counts. */
export const load = Effect.fn("Adapters.load")(function* (specifier: string, base: string) {
  const where = /^\.{0,2}\//.test(specifier) ? new URL(specifier, pathToFileURL(`${base}/`)).href : specifier
  const made: unknown = yield* Effect.tryPromise({
    try: async () => {
      const module: { readonly default?: unknown } = await import(where)
      if (typeof module.default !== "function") return undefined
      return module.default(toolkit)
    },
    catch: (error) => [`adapters: ${specifier} cannot be loaded: ${reason(error)}`]
  })
  if (!areAdapters(made)) return yield* Effect.fail(problems(made).map((problem) => `adapters: ${problem}`))
  return made
})

/** The ports for a gateway. */
export const layer = ({ acquirer, bankBooks, payoutRail, railBooks, threeDSServer }: Adapters) =>
  Layer.mergeAll(
    Layer.succeed(Acquirer.Acquirer, acquirer),
    bankBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.BankBooks, bankBooks),
    railBooks === undefined ? Layer.empty : Layer.succeed(BankBooks.RailBooks, railBooks),
    payoutRail === undefined ? Layer.empty : Layer.succeed(PayoutRail.PayoutRail, payoutRail),
    threeDSServer === undefined ? Layer.empty : Layer.succeed(ThreeDSServer.ThreeDSServer, threeDSServer)
  )
