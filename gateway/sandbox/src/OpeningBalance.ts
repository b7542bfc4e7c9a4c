/**
 * The opening balance of the sandbox's merchants, from which they can pay out: the same amount in each currency of each endpoint,
 * once.
 */
import type { Decision } from "@pay/gateway/Decision"
import { Directory } from "@pay/gateway/Directory"
import { Fund } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as Currency from "@pay/schema/Currency"
import { Clock, Effect, Layer } from "effect"
import * as SandboxMerchant from "./SandboxMerchant.ts"
import * as SandboxOlderMerchant from "./SandboxOlderMerchant.ts"

/** The opening balance in major units, for every currency. */
export const amount = 10_000

const reference = (endpointId: string, currency: string): string => `opening-${endpointId}-${currency}`

export interface Place {
  readonly merchantId: string
  readonly endpointId: string
  readonly currencies: Iterable<string>
}

/** Adds the opening balance of each endpoint and currency that has not received it before, in major units. */
export const open = Effect.fnUntraced(function* (places: ReadonlyArray<Place>, balance = amount) {
  const store = yield* Store
  const createdAtMs = yield* Clock.currentTimeMillis
  const decisions: Array<Decision> = []
  for (const { currencies, endpointId, merchantId } of places) {
    for (const currency of currencies) {
      const name = reference(endpointId, currency)
      if ((yield* store.load(Fund.Funding, [name])) !== undefined) continue
      const amountMinor = balance * 10 ** (Currency.digits(currency) ?? 0)
      decisions.push(Fund.decide({ reference: name, merchantId, endpointId, currency, amountMinor, createdAtMs }))
    }
  }
  if (decisions.length === 0) return
  yield* store.commit({
    guards: decisions.flatMap(({ guards }) => guards),
    writes: decisions.flatMap(({ writes }) => writes)
  })
})

/** Adds these opening balances when a sandbox starts. A store that has received them keeps its present balances. */
export const layerOf = (balance: number) =>
  Layer.effectDiscard(
    Effect.flatMap(Directory, (directory) =>
      open(
        [SandboxMerchant.merchant, SandboxOlderMerchant.merchant].flatMap(({ endpoints, login }) =>
          Object.values(endpoints).flatMap((id) => {
            const endpoint = directory.endpoint(id)
            return endpoint === undefined || directory.route(id)?.merchant.login !== login
              ? []
              : [{ merchantId: login, endpointId: id, currencies: endpoint.currencies }]
          })
        ),
        balance
      )
    )
  )

export const layer = layerOf(amount)
