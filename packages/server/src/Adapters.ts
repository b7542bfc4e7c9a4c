/**
 * The banks of a deployment, as a module of its own that the configuration names: its default export is given what it
 * needs to speak the gateway's ports, and answers with them. Checked for the ports' shape before anything is opened.
 *
 * ```js
 * export default ({ Effect, Acquirer }) => ({
 *   acquirer: {
 *     capabilities: { longestProcessingMs: 120_000, deadlineMs: 20_000 },
 *     authorize: (authorization) => Effect.tryPromise({ try: () => ask(authorization), catch: lost }),
 *     …
 *   }
 * })
 * ```
 */
import { pathToFileURL } from "node:url"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as BankBooks from "@pay/gateway/BankBooks"
import * as Booking from "@pay/gateway/Booking"
import * as PayoutRail from "@pay/gateway/PayoutRail"
import * as RailBooks from "@pay/gateway/RailBooks"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import { Effect, Layer, Predicate, Redacted } from "effect"

/** What a module is given: the gateway's own, so that it need not bring another Effect along. */
export const toolkit = { Effect, Redacted, Acquirer, Booking, PayoutRail, ThreeDSServer }
export type Toolkit = typeof toolkit

export interface Adapters {
  readonly acquirer: Acquirer.Acquirer["Service"]
  /** The bank's list of its bookings; left out: after a restore an operator imports it, and parity cannot compare with it. */
  readonly bankBooks?: BankBooks.BankBooks["Service"]
  /** Left out: payouts are not served. */
  readonly payoutRail?: PayoutRail.PayoutRail["Service"]
  /** The rail's list of its bookings, as `bankBooks`. */
  readonly railBooks?: RailBooks.RailBooks["Service"]
  /** Left out: endpoints go without 3-D Secure. */
  readonly threeDSServer?: ThreeDSServer.ThreeDSServer["Service"]
}

/** A module's default export. */
export type Make = (pay: Toolkit) => Adapters | Promise<Adapters>

type Part = readonly [name: string, is: (value: unknown) => boolean, wanted: string]

/** Those that the gateway asks to act. */
type Port = "acquirer" | "payoutRail" | "threeDSServer"
/** Those that only tell what was booked. */
const books = ["bankBooks", "railBooks"] as const

const isPositive = (value: unknown): boolean => typeof value === "number" && value > 0
const ms: ReadonlyArray<string> = ["deadlineMs"]
const bankMs: ReadonlyArray<string> = [...ms, "longestProcessingMs"]

const shapes: Record<
  Port,
  { readonly methods: ReadonlyArray<string>; readonly ms: ReadonlyArray<string>; readonly more: ReadonlyArray<Part> }
> = {
  acquirer: { methods: ["authorize", "capture", "cancel", "refund", "inquire"], ms: bankMs, more: [] },
  payoutRail: {
    methods: ["check", "pay", "inquire"],
    ms: bankMs,
    more: [
      ["destinations", (value) => value instanceof Set, "a Set of kinds"],
      ["lateRefusalAfterMs", Array.isArray, "a list of milliseconds"]
    ]
  },
  threeDSServer: {
    methods: ["enrol", "authenticate", "result"],
    ms,
    more: [["paresRoots", Array.isArray, "a list of certificates in PEM"]]
  }
}

const portProblems = (name: Port, port: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(port)) return [`${name} is missing`]
  const { methods, more, ms } = shapes[name]
  const capabilities: unknown = Reflect.get(port, "capabilities")
  const known = Predicate.isObject(capabilities) ? capabilities : {}
  return [
    ...methods.flatMap((method) =>
      typeof Reflect.get(port, method) === "function" ? [] : [`${name}.${method} must be a function`]
    ),
    ...ms.flatMap((part) =>
      isPositive(Reflect.get(known, part)) ? [] : [`${name}.capabilities.${part} must be milliseconds above 0`]
    ),
    ...more.flatMap(([part, is, wanted]) =>
      is(Reflect.get(known, part)) ? [] : [`${name}.capabilities.${part} must be ${wanted}`]
    ),
    ...(Reflect.get(known, "simulated") === true || Reflect.has(known, "hints")
      ? [`${name} is simulated: no money would move`]
      : [])
  ]
}

const bookProblems = (name: (typeof books)[number], port: unknown): ReadonlyArray<string> =>
  Predicate.isObject(port) && typeof Reflect.get(port, "bookings") === "function"
    ? []
    : [`${name}.bookings must be a function`]

/** What is missing, wrong or not for production; none: these are adapters. */
export const problems = (value: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) return ["the default export gave no object with an acquirer"]
  const optional = (["payoutRail", "threeDSServer"] as const).filter((name) => Reflect.get(value, name) !== undefined)
  return [
    ...(["acquirer", ...optional] as const).flatMap((name) => portProblems(name, Reflect.get(value, name))),
    ...books.flatMap((name) => {
      const port: unknown = Reflect.get(value, name)
      return port === undefined ? [] : bookProblems(name, port)
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
    railBooks === undefined ? Layer.empty : Layer.succeed(RailBooks.RailBooks, railBooks),
    payoutRail === undefined ? Layer.empty : Layer.succeed(PayoutRail.PayoutRail, payoutRail),
    threeDSServer === undefined ? Layer.empty : Layer.succeed(ThreeDSServer.ThreeDSServer, threeDSServer)
  )
