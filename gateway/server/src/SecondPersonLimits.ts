/**
 * The setting `operator.secondPerson`: for which commands of operators a second person is required, and above which amount. An amount has
 * its currency, because 500 means something else in JPY than in KWD.
 */
import * as OperatorApi from "@pay/gateway/OperatorApi"
import * as Currency from "@pay/schema/Currency"
import * as Money from "@pay/schema/Money"
import { Result, Schema } from "effect"

const configurable = OperatorApi.all.filter(({ changes }) => changes?.secondPerson === "configurable")

/** The commands for which a second person can be required. */
export const commands: ReadonlyArray<string> = configurable.map(({ command }) => command)

/** The commands that have an amount. */
const withAmount: ReadonlyArray<string> = configurable.flatMap(({ command, input }) =>
  "amount" in input.fields ? [command] : []
)

export const Setting = Schema.Record(
  Schema.String,
  Schema.Union([Schema.Finite, Schema.Record(Schema.String, Schema.String)])
)
export type Setting = typeof Setting.Type

/** The amounts by command and currency, in minor units, above which a second person confirms. In a currency without one: always. */
export type Limits = Readonly<Record<string, Readonly<Record<string, number>>>>

const example = '{ "USD": "500" }'

const limitsOf = (command: string, setting: Setting[string]): Result.Result<Limits[string], ReadonlyArray<string>> => {
  const refused = (...problems: ReadonlyArray<string>) =>
    Result.fail(problems.map((problem) => `operator.secondPerson, ${command}: ${problem}`))
  if (!commands.includes(command)) return refused(`the commands are ${commands.join(", ")}`)
  if (setting === 0) return Result.succeed({})
  if (!withAmount.includes(command)) return refused("this command has no amount: write 0 for always")
  if (typeof setting === "number") return refused(`an amount needs its currency: ${example}; 0 is for always`)
  const amounts = Object.entries(setting).map(([currency, amount]) =>
    Currency.digits(currency) === undefined
      ? Result.fail(`${currency} is not a currency of ISO 4217, as USD is`)
      : Result.mapBoth(Money.toMinorOrZero(amount, currency), {
          onFailure: ({ says }) => `${amount} ${currency} ${says}`,
          onSuccess: (minor) => [currency, minor] as const
        })
  )
  const problems = amounts.flatMap((each) => (Result.isFailure(each) ? [each.failure] : []))
  if (amounts.length === 0) return refused(`no amount is given: ${example}; 0 is for always`)
  return problems.length > 0
    ? refused(...problems)
    : Result.succeed(Object.fromEntries(amounts.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))))
}

/** Returns the limits, or all problems of the setting. */
export const make = (setting: Setting): Result.Result<Limits, ReadonlyArray<string>> => {
  const each = Object.entries(setting).map(([command, value]) => [command, limitsOf(command, value)] as const)
  const problems = each.flatMap(([, limits]) => (Result.isFailure(limits) ? limits.failure : []))
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed(
        Object.fromEntries(
          each.flatMap(([command, limits]) => (Result.isSuccess(limits) ? [[command, limits.success] as const] : []))
        )
      )
}
