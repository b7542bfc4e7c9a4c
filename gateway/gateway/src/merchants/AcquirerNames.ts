/** The names of the acquirers that have an adapter. A terminal must name one of them, so that a mistake shows before an order. */
import { Context } from "effect"
import type { Described } from "./CheckedMerchants.ts"
import { defaultAcquirer } from "./Terminal.ts"

/** Undefined: the terminals are not compared with the adapters. */
export const AcquirerNames = Context.Reference<ReadonlySet<string> | undefined>("@pay/gateway/AcquirerNames", {
  defaultValue: () => undefined
})

/** Returns the endpoints whose new orders would have an acquirer without an adapter, in words for an operator. */
export const problems = (
  { endpoints }: Pick<Described, "endpoints">,
  names: ReadonlySet<string> | undefined
): ReadonlyArray<string> =>
  endpoints
    .filter(({ enabled }) => enabled && names !== undefined)
    .flatMap(({ currencies, id, terminals }) => {
      const lacks = (acquirer: string) => names?.has(acquirer) === false
      const bare = [...currencies].filter(
        (currency) => !terminals.some((terminal) => terminal.currencies?.has(currency) ?? true)
      )
      return [
        ...terminals.flatMap(({ acquirer = defaultAcquirer, terminal: { mid } }) =>
          lacks(acquirer)
            ? [`endpoint ${id}: the terminal ${mid} is of the acquirer ${acquirer}, which has no adapter`]
            : []
        ),
        ...(bare.length > 0 && lacks(defaultAcquirer)
          ? [
              `endpoint ${id}: it has no terminal for ${bare.join(", ")}, and no adapter has the name ${defaultAcquirer}`
            ]
          : [])
      ]
    })
