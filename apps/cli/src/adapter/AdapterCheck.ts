/**
 * Runs the contract suites of the ports against the adapters of a module, on the test systems of their banks. Each promise is kept,
 * broken, or not checked for want of a test card.
 */
import { AssertionError } from "node:assert"
import { Acquirer, AcquirerError } from "@pay/gateway/Acquirer"
import { BankBooks } from "@pay/gateway/BankBooks"
import { LogText } from "@pay/gateway/OperatorApi"
import { PayoutRail, RailError } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as AcquirerContract from "@pay/sandbox/AcquirerContract"
import * as BankBooksContract from "@pay/sandbox/BankBooksContract"
import type * as Contract from "@pay/sandbox/Contract"
import * as PayoutRailContract from "@pay/sandbox/PayoutRailContract"
import * as ThreeDSServerContract from "@pay/sandbox/ThreeDSServerContract"
import * as Adapters from "@pay/server/Adapters"
import { Cause, Context, Data, Effect, Exit, Predicate } from "effect"

export interface Options {
  /** The acquirer to check: the module's `acquirer`, or the name of one of its `acquirers`. */
  readonly acquirer: string
  readonly terms: Contract.ContractOrder
  readonly cards: Pick<AcquirerContract.Options, "approved" | "declined" | "recipient">
  /** Largest difference between the bank's clock and this machine's, in milliseconds. */
  readonly skewMs: number
  readonly recipients?: Pick<PayoutRailContract.Options, "paid" | "refused"> | undefined
  readonly threeDSCards?: Omit<ThreeDSServerContract.Options, keyof Contract.ContractOrder> | undefined
  /** Longest time for each promise, in milliseconds. */
  readonly limitMs: number
}

export type Outcome =
  | { readonly _tag: "Kept" }
  /** `what`: what happened instead. `advice`: what to do. */
  | { readonly _tag: "Broken"; readonly what: string; readonly advice: string }
  /** `needs`: what must be given to check the promise. */
  | { readonly _tag: "NotChecked"; readonly needs: string }

export interface Result {
  /** The port's name in the module. */
  readonly port: keyof typeof Adapters.shapes
  readonly promise: string
  readonly outcome: Outcome
}

const json = (value: unknown): string => JSON.stringify(value) ?? String(value)

/** Returns what the adapter gave instead of an answer of its port; undefined if the failure is another one. */
const unreadableIn = (failure: unknown): string | undefined => {
  const holder = Predicate.hasProperty(failure, "reason") ? failure.reason : failure
  return Predicate.hasProperty(holder, "answer") ? String(holder.answer) : undefined
}

const saying = (failure: unknown): string => {
  if (failure instanceof AcquirerError || failure instanceof RailError)
    return `${failure.reason._tag}: ${failure.reason.message}`
  if (failure instanceof AssertionError && failure.generatedMessage)
    return `it was ${json(failure.actual)} instead of ${json(failure.expected)}`
  return Predicate.hasProperty(failure, "message") ? String(failure.message) : String(failure)
}

class TooLong extends Data.Error<{ readonly message: string }> {}

const howTo = "docs/operators/adapters.md#how-to-write-an-adapter"

const brokenBy = (failure: unknown, advice: string): Outcome => {
  const unreadable = unreadableIn(failure)
  const what = LogText.of(saying(failure))
  if (failure instanceof TooLong)
    return { _tag: "Broken", what, advice: "End each call with an answer or a failure within capabilities.deadlineMs." }
  return unreadable === undefined
    ? { _tag: "Broken", what, advice }
    : { _tag: "Broken", what: `${what}. It gave ${unreadable}`, advice: `Return what the port has: ${howTo}.` }
}

const outcomeOf = <E>({ advice, run }: Contract.Case<E, never>, limitMs: number): Effect.Effect<Outcome> =>
  run.pipe(
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.die(new TooLong({ message: `it did not end within ${limitMs / 1000} s` }))
    }),
    Effect.exit,
    Effect.map((exit) => (Exit.isSuccess(exit) ? { _tag: "Kept" } : brokenBy(Cause.squash(exit.cause), advice)))
  )

/** The cases of one port, in the context of its adapters. */
interface Suite {
  readonly port: Result["port"]
  readonly cases: ReadonlyArray<Contract.Case<unknown, never>>
  /** What must be given to run the suite. */
  readonly needs?: string
}

const within = <E, R>(
  cases: ReadonlyArray<Contract.Case<E, R>>,
  context: Context.Context<R>
): ReadonlyArray<Contract.Case<unknown, never>> =>
  cases.map(({ run, ...rest }) => ({ ...rest, run: Effect.provideContext(run, context) }))

const suitesOf = (adapters: Adapters.Adapters, options: Options): ReadonlyArray<Suite> => {
  const { cards, recipients, skewMs, terms, threeDSCards } = options
  const { payoutRail, railBooks, threeDSServer } = adapters
  const checked = Adapters.banksOf(adapters).get(options.acquirer)
  const needs = `an acquirer with the name ${options.acquirer}`
  if (checked === undefined) return [{ port: "acquirer", cases: [], needs }]
  const { bankBooks } = checked
  const acquirer = Acquirer.checked(checked.acquirer)
  const bank = Context.make(Acquirer, acquirer)
  return [
    { port: "acquirer", cases: within(AcquirerContract.cases({ ...terms, ...cards }), bank) },
    ...(acquirer.capabilities.transfers && cards.recipient === undefined
      ? [{ port: "acquirer", cases: [], needs: "the card that receives transfers (recipient)" } as const]
      : []),
    ...(bankBooks === undefined
      ? []
      : [
          {
            port: "bankBooks",
            cases: within(
              BankBooksContract.cases({ ...terms, ...cards, skewMs }),
              Context.add(bank, BankBooks, BankBooks.checked(bankBooks))
            )
          } as const
        ]),
    ...(payoutRail === undefined
      ? []
      : [
          recipients === undefined
            ? ({ port: "payoutRail", cases: [], needs: "recipients of payouts (payouts)" } as const)
            : ({
                port: "payoutRail",
                cases: within(
                  PayoutRailContract.cases({ ...terms, ...recipients }),
                  Context.make(PayoutRail, PayoutRail.checked(payoutRail))
                )
              } as const)
        ]),
    ...(railBooks === undefined
      ? []
      : [{ port: "railBooks", cases: [], needs: "a reconciliation: compare with pay reconciliation" } as const]),
    ...(threeDSServer === undefined
      ? []
      : [
          threeDSCards === undefined
            ? ({ port: "threeDSServer", cases: [], needs: "cards for 3-D Secure (threeDS)" } as const)
            : ({
                port: "threeDSServer",
                cases: within(
                  ThreeDSServerContract.cases({ ...terms, ...threeDSCards }),
                  Context.make(ThreeDSServer, ThreeDSServer.checked(threeDSServer))
                )
              } as const)
        ])
  ]
}

/** Checks each promise of each port of the adapters, one after the other. `tell` gets each result. */
export const run = Effect.fn("AdapterCheck.run")(function* (
  adapters: Adapters.Adapters,
  options: Options,
  tell: (result: Result) => void
) {
  const results: Array<Result> = []
  const add = (result: Result) => {
    results.push(result)
    tell(result)
  }
  for (const { cases, needs, port } of suitesOf(adapters, options)) {
    if (needs !== undefined) add({ port, promise: "all further promises", outcome: { _tag: "NotChecked", needs } })
    for (const promise of cases)
      add({ port, promise: promise.name, outcome: yield* outcomeOf(promise, options.limitMs) })
  }
  return results
})
