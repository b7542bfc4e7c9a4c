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
  /** `why`: what keeps the promise from being checked. */
  | { readonly _tag: "NotChecked"; readonly why: string }

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
  const message = Predicate.hasProperty(failure, "message") ? String(failure.message) : String(failure)
  // Node adds the difference of the values to the message.
  return failure instanceof AssertionError ? (message.split("+ actual - expected")[0] ?? "").trimEnd() : message
}

class TooLong extends Data.Error<{ readonly message: string }> {}

const howTo = "docs/operators/adapters.md#how-to-write-an-adapter"

/** Whether the adapter says itself that it got no answer. */
const isReported = (failure: unknown): failure is AcquirerError | RailError =>
  (failure instanceof AcquirerError || failure instanceof RailError) && unreadableIn(failure) === undefined

const reach = "Check the address of the bank's test system, the network, and the credentials."

const brokenBy = (failure: unknown, given: string): Outcome => {
  const unreadable = unreadableIn(failure)
  const advice = isReported(failure) && failure.reason._tag === "NotSent" ? reach : given
  const what = LogText.of(saying(failure))
  if (failure instanceof TooLong)
    return { _tag: "Broken", what, advice: "End each call with an answer or a failure within capabilities.deadlineMs." }
  return unreadable === undefined
    ? { _tag: "Broken", what, advice }
    : { _tag: "Broken", what: `${what}. It gave ${unreadable}`, advice: `Return what the port has: ${howTo}.` }
}

/** `silent`: what the adapter says instead of an answer. */
interface Checked {
  readonly outcome: Outcome
  readonly silent?: string
}

const tried = <E>({ advice, run }: Contract.Case<E, never>, limitMs: number): Effect.Effect<Checked> =>
  run.pipe(
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.die(new TooLong({ message: `it did not end within ${limitMs / 1000} s` }))
    }),
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isSuccess(exit)) return { outcome: { _tag: "Kept" } }
      const failure = Cause.squash(exit.cause)
      return { outcome: brokenBy(failure, advice), ...(isReported(failure) && { silent: saying(failure) }) }
    })
  )

const checkedBy = <E>(promise: Contract.Case<E, never>, limitMs: number): Effect.Effect<Checked> =>
  Effect.flatMap(promise.notChecked ?? Effect.undefined, (why) =>
    why === undefined ? tried(promise, limitMs) : Effect.succeed({ outcome: { _tag: "NotChecked", why } })
  )

/** The cases of one port, in the context of its adapters. */
interface Suite {
  readonly port: Result["port"]
  readonly cases: ReadonlyArray<Contract.Case<unknown, never>>
  /** Why further promises of the port are not checked. */
  readonly why?: string
}

const within = <E, R>(
  cases: ReadonlyArray<Contract.Case<E, R>>,
  context: Context.Context<R>
): ReadonlyArray<Contract.Case<unknown, never>> =>
  cases.map(({ notChecked = Effect.undefined, run, ...rest }) => ({
    ...rest,
    notChecked: Effect.provideContext(notChecked, context),
    run: Effect.provideContext(run, context)
  }))

const suitesOf = (adapters: Adapters.Adapters, options: Options): ReadonlyArray<Suite> => {
  const { cards, recipients, skewMs, terms, threeDSCards } = options
  const { payoutRail, railBooks, threeDSServer } = adapters
  const checked = Adapters.banksOf(adapters).get(options.acquirer)
  const why = `the module has no acquirer with the name ${options.acquirer}`
  if (checked === undefined) return [{ port: "acquirer", cases: [], why }]
  const { bankBooks, notifications } = checked
  const acquirer = Acquirer.checked(checked.acquirer)
  const bank = Context.make(Acquirer, acquirer)
  return [
    { port: "acquirer", cases: within(AcquirerContract.cases({ ...terms, ...cards }), bank) },
    ...(acquirer.reverse === undefined
      ? []
      : [{ port: "acquirer", cases: [], why: "no suite calls reverse: lose an answer on purpose" } as const]),
    ...(notifications === undefined
      ? []
      : [
          {
            port: "notifications",
            cases: [],
            why: "only the bank can send them: let it send some to a gateway"
          } as const
        ]),
    ...(bankBooks === undefined
      ? [{ port: "bankBooks", cases: [], why: "the module has none" } as const]
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
            ? ({ port: "payoutRail", cases: [], why: "it needs recipients of payouts (payouts)" } as const)
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
      : [{ port: "railBooks", cases: [], why: "compare with pay reconciliation" } as const]),
    ...(threeDSServer === undefined
      ? []
      : [
          threeDSCards === undefined
            ? ({ port: "threeDSServer", cases: [], why: "it needs cards for 3-D Secure (threeDS)" } as const)
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

const further = "all further promises"

/**
 * Checks each promise of each port of the adapters, one after the other. `tell` gets each result. If the adapter says twice in a row why
 * it got no answer, the bank is not reached, and further promises of the port are not checked.
 */
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
  for (const { cases, port, why } of suitesOf(adapters, options)) {
    let before: string | undefined
    if (why !== undefined) add({ port, promise: further, outcome: { _tag: "NotChecked", why } })
    for (const promise of cases) {
      const { outcome, silent } = yield* checkedBy(promise, options.limitMs)
      add({ port, promise: promise.name, outcome })
      if (silent !== undefined && silent === before) {
        add({ port, promise: further, outcome: { _tag: "NotChecked", why: `the bank was not reached. ${reach}` } })
        break
      }
      if (outcome._tag !== "NotChecked") before = silent
    }
  }
  return results
})
