/** With the rate limits of production, the load of one merchant does not delay another merchant. */

import * as Chance from "@pay/crashtest/Chance"
import { CardSale } from "@pay/flows/CardPayment"
import * as Settings from "@pay/gateway/Settings"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as SimulatedSystem from "./SimulatedSystem.ts"
import * as SimulationRun from "./SimulationRun.ts"

const { addressRate, merchantRate } = Settings.defaults
const sales = MerchantActions.creations.filter(({ flow }) => flow === CardSale.name)
const minuteMs = 60_000

describe("a merchant who floods the gateway", () => {
  it("gets 429, does not delay other merchants, and completes its own payments", async () => {
    const system = await SimulatedSystem.make({ seed: 1, settings: { addressRate, merchantRate } })
    const simulation = SimulationRun.make(system)
    const [noisy, other] = system.merchants
    assert(noisy !== undefined && other !== undefined)
    const { account, remote } = noisy
    const request = {
      url: `${remote.baseUrl}/api/v2/sale/${account.endpoints.usd}`,
      headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
      body: "client_orderid=flood&control=wrong",
      timeoutMs: minuteMs
    }
    for (let left = addressRate.burst + 100; left > 0; left -= 1)
      Effect.runForkWith(system.loop.context)(Effect.ignore(remote.wire.send(request)))
    const chance = Chance.make(1)
    simulation.create(noisy, chance, sales)
    simulation.create(other, chance, sales)
    await system.settle()
    const refused = system.exchanges.filter(({ status }) => status === 429).length
    assert.isAbove(refused, 0)
    const completed = () =>
      ["Succeeded", "Declined"].reduce((sum, end) => sum + (simulation.counts[`CardSale ${end}`] ?? 0), 0)
    assert.strictEqual(other.running(), 0)
    await system.pass(minuteMs)
    assert.strictEqual(completed(), 2)
  })
})
