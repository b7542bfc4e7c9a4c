/** Faults of load: many payments at once, and a merchant who floods the gateway. */

import type { Chance } from "@pay/crashtest/Chance"
import { CardSale } from "@pay/flows/CardPayment"
import { PayOut } from "@pay/flows/PayOut"
import { Effect } from "effect"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import { someMerchant } from "./Merchants.ts"
import { merchantOfOurs } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

/** Actions without a page or an approver. */
const plain = MerchantActions.creations.filter(({ flow }) => flow === CardSale.name || flow === PayOut.name)

/** A few, or so many that payments of a merchant are concurrent at every step. Only a few if files make each payment slow. */
const maxConcurrent = (
  { maxConcurrent: most, storage }: SimulatedSystem,
  { isDurable }: MerchantProcess,
  chance: Chance
): number => (chance.percent(80) && !isDurable && storage.files === undefined ? most : few)
const few = 20
const maxFlooded = 100

type Bad = (chance: Chance, body: string) => { readonly path: string; readonly body: string }

/** Requests without an effect: the gateway refuses each, or it is a repeat. */
const bad: Readonly<Record<string, Bad>> = {
  "a wrong signature": (_, body) => ({ path: "/api/v2/sale", body: body.replace(/amount=[^&]*/, "amount=7.77") }),
  "no form": (chance) => ({ path: "/api/v2/sale", body: "%".repeat(1 + chance.below(100)) }),
  "too much": () => ({ path: "/api/v2/sale", body: "a".repeat(300_000) }),
  "too many fields": () => ({ path: "/api/v2/sale", body: "a=b&".repeat(300) }),
  "no such operation": (_, body) => ({ path: "/api/v2/give", body }),
  "the same sale again": (_, body) => ({ path: "/api/v2/sale", body })
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "burst",
    group: "load",
    what: "A merchant starts many payments at once.",
    weight: 5,
    isFault: true,
    happen: async (simulation, chance) => {
      const merchant = someMerchant(simulation, chance)
      const most = maxConcurrent(simulation.system, merchant, chance)
      for (let left = 1 + chance.below(most); left > 0; left -= 1) simulation.create(merchant, chance, plain)
    }
  },
  {
    name: "flood",
    group: "load",
    what: "A merchant sends up to 100 requests at once that are malformed, wrongly signed, too large or repeated.",
    weight: 3,
    isFault: true,
    happen: async ({ count, system }, chance) => {
      const { account, remote } = merchantOfOurs(system, chance)
      const sale = chance.someOf(
        system.exchanges.slice(-500).filter(
          ({ body, path, status }) =>
            // A request that was refused may be accepted when it is repeated, so it is not used.
            path === "/api/v2/sale" && status === 200 && body.includes("control=")
        )
      )
      const [name, make] = chance.someOf(Object.entries(bad)) ?? []
      if (name === undefined || make === undefined) return
      const { body, path } = make(chance, sale?.body ?? "client_orderid=none")
      const request = {
        url: `${remote.baseUrl}${path}/${account.endpoints.usd}`,
        headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
        body,
        timeoutMs: 30_000
      }
      const times = 1 + chance.below(maxFlooded)
      system.trace.note(`${account.login} floods with ${times} × ${name}`)
      count(`flood ${name}`, times)
      const send = Effect.ignore(remote.wire.send(request))
      for (let left = times; left > 0; left -= 1) Effect.runForkWith(system.loop.context)(send)
    }
  }
]
