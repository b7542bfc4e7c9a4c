/** One merchant's load is not another's: limits of production, and a merchant who asks far more than they allow. */
import { CardSale } from "@pay/flows/CardPayment"
import * as Settings from "@pay/gateway/Settings"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as Chance from "./Chance.ts"
import * as Life from "./Life.ts"
import * as Wishes from "./merchant/Wishes.ts"
import * as World from "./World.ts"

const { addressRate, merchantRate } = Settings.defaults
const sales = Wishes.creations.filter(({ flow }) => flow === CardSale.name)
const minuteMs = 60_000

describe("a merchant who floods the gateway", () => {
  it("is told to wait, holds up nobody else, and gets its own payments done", async () => {
    const world = await World.make({ seed: 1, settings: { addressRate, merchantRate } })
    const life = Life.make(world)
    const [noisy, other] = world.merchants
    assert(noisy !== undefined && other !== undefined)
    const { account, place } = noisy
    const request = {
      url: `${place.baseUrl}/api/v2/sale/${account.endpoints.usd}`,
      headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
      body: "client_orderid=flood&control=wrong",
      timeoutMs: minuteMs
    }
    for (let left = addressRate.burst + 100; left > 0; left -= 1)
      Effect.runForkWith(world.loop.context)(Effect.ignore(place.wire.send(request)))
    const chance = Chance.make(1)
    life.create(noisy, chance, sales)
    life.create(other, chance, sales)
    await world.settle()
    const refused = world.exchanges.filter(({ status }) => status === 429).length
    assert.isAbove(refused, 0)
    const ended = () => ["Succeeded", "Declined"].reduce((sum, end) => sum + (life.counts[`CardSale ${end}`] ?? 0), 0)
    assert.strictEqual(other.running(), 0)
    await world.pass(minuteMs)
    assert.strictEqual(ended(), 2)
  })
})
