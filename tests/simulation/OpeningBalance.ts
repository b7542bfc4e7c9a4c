/** Every merchant of the world has money to pay out from the start: so much in each currency of each endpoint, once. */
import { Funding } from "@pay/gateway/entities/Funding"
import * as Fund from "@pay/gateway/Fund"
import { LiveDirectory } from "@pay/gateway/LiveDirectory"
import { Store } from "@pay/gateway/Store"
import * as Currency from "@pay/schema/Currency"
import { Clock, Effect, Layer } from "effect"

/** In major units of whatever currency. */
const amount = 10_000

const open = Effect.gen(function* () {
  const directory = yield* LiveDirectory
  const store = yield* Store
  const createdAtMs = yield* Clock.currentTimeMillis
  for (const { endpoints, login } of directory.described()) {
    for (const { currencies, id } of endpoints) {
      for (const currency of currencies) {
        const reference = `opening-${id}-${currency}`
        if ((yield* store.load(Funding, [reference])) !== undefined) continue
        const amountMinor = amount * 10 ** (Currency.digits(currency) ?? 0)
        yield* store.commit(
          Fund.decide({ reference, merchantId: login, endpointId: id, currency, amountMinor, createdAtMs })
        )
      }
    }
  }
})

export const layer = Layer.effectDiscard(open)
