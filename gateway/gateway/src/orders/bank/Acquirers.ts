/**
 * The acquirers that a gateway can call, by name. An order keeps the name of its acquirer: follow-ups, inquiries, bookings and
 * notifications are that one's, also when no terminal names it any more. A gateway with one acquirer provides `Acquirer` alone.
 */
import { Context, Effect, Option } from "effect"
import { acquirerOf, defaultAcquirer } from "../../merchants/Terminal.ts"
import { Acquirer } from "./Acquirer.ts"
import { BankBooks } from "./BankBooks.ts"

/** An acquirer and its list of bookings, if it has one. */
export interface Bank {
  readonly acquirer: Acquirer["Service"]
  readonly bankBooks?: BankBooks["Service"] | undefined
}

/** Several acquirers by name. It takes the place of `Acquirer` and `BankBooks`. */
export class Acquirers extends Context.Service<Acquirers, ReadonlyMap<string, Bank>>()("@pay/gateway/Acquirers") {}

/** The list of bookings of an acquirer. */
export type Books = BankBooks["Service"]

/** Returns the name as orders keep it. */
export const columnOf = (name: string): string | null => (name === defaultAcquirer ? null : name)

const named = <A>(service: A | undefined): ReadonlyMap<string, A> =>
  new Map(service === undefined ? [] : [[defaultAcquirer, service]])

/** The acquirers of this process. There are none where only operators' pages run. */
export const all: Effect.Effect<ReadonlyMap<string, Acquirer["Service"]>> = Effect.gen(function* () {
  const several = Option.getOrUndefined(yield* Effect.serviceOption(Acquirers))
  return several === undefined
    ? named(Option.getOrUndefined(yield* Effect.serviceOption(Acquirer)))
    : new Map([...several].map(([name, { acquirer }]) => [name, acquirer]))
})

/** The lists of bookings of the acquirers that have one. */
export const books: Effect.Effect<ReadonlyMap<string, Books>> = Effect.gen(function* () {
  const several = Option.getOrUndefined(yield* Effect.serviceOption(Acquirers))
  return several === undefined
    ? named(Option.getOrUndefined(yield* Effect.serviceOption(BankBooks)))
    : new Map([...several].flatMap(([name, { bankBooks }]) => (bankBooks === undefined ? [] : [[name, bankBooks]])))
})

/** Finds the acquirer of an order. One without an adapter sends nothing and can say nothing, so that its orders wait. */
export const lookup = Effect.map(all, (acquirers) => (order: Parameters<typeof acquirerOf>[0]): Acquirer["Service"] => {
  const name = acquirerOf(order)
  return acquirers.get(name) ?? Acquirer.absent(name)
})
