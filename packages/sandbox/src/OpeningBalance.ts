/** The sandbox's merchant has money to pay out from the start: so much in each currency of each endpoint, once. */
import type { Decision } from "@pay/gateway/Decision"
import { Directory } from "@pay/gateway/Directory"
import * as Funding from "@pay/gateway/entities/Funding"
import * as Fund from "@pay/gateway/Fund"
import { Store } from "@pay/gateway/Store"
import * as Currency from "@pay/schema/Currency"
import { Clock, Effect, Layer } from "effect"
import * as SandboxMerchant from "./SandboxMerchant.ts"

/** In major units of whatever currency. */
export const amount = 10_000

const reference = (endpointId: string, currency: string): string => `opening-${endpointId}-${currency}`

const open = Effect.gen(function* () {
  const directory = yield* Directory
  const store = yield* Store
  const nowMs = yield* Clock.currentTimeMillis
  const decisions: Array<Decision> = []
  for (const id of Object.values(SandboxMerchant.endpoints)) {
    const endpoint = directory.endpoint(id)
    if (endpoint === undefined || directory.route(id)?.merchant.login !== SandboxMerchant.merchant.login) continue
    for (const currency of endpoint.currencies) {
      const name = reference(id, currency)
      if ((yield* store.load(Funding.Funding, [name])) !== undefined) continue
      const amountMinor = amount * 10 ** (Currency.digits(currency) ?? 0)
      decisions.push(
        Fund.decide({
          reference: name,
          merchantId: SandboxMerchant.merchant.login,
          endpointId: id,
          currency,
          amountMinor,
          createdAtMs: nowMs
        })
      )
    }
  }
  if (decisions.length === 0) return
  yield* store.commit({
    guards: decisions.flatMap(({ guards }) => guards),
    writes: decisions.flatMap(({ writes }) => writes)
  })
})

/** A world that has its money already keeps what is left of it. */
export const layer = Layer.effectDiscard(open)
