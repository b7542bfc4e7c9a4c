/** The stub gateway does what its merchant requests once, and the results of flows are compared with its bookings. */

import * as Chance from "@pay/crashtest/Chance"
import { CardSale } from "@pay/flows/CardPayment"
import { PayOut } from "@pay/flows/PayOut"
import { assert, describe, it } from "vitest"
import { exactlyOnce } from "./checks/Money.ts"
import * as Intents from "./Intents.ts"
import * as Account from "./merchant/Account.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as Network from "./Network.ts"
import * as SimulatedSystem from "./SimulatedSystem.ts"
import * as SimulationRun from "./SimulationRun.ts"

const plain = MerchantActions.creations.filter(({ flow }) => flow === CardSale.name || flow === PayOut.name)
const hourMs = 3_600_000
const names = Array.from({ length: 10 }, (_, index) => `order-${index + 1}`)

/** Runs ten payments of the third merchant. The network sends each of its requests twice. */
const runPayments = async (seed: number) => {
  const system = await SimulatedSystem.make({ seed, durable: false })
  const simulation = SimulationRun.make(system)
  const merchant = simulation.merchantOf(Account.third.login)
  system.network.set({ ...Network.quiet, requestTwice: 1000 }, Account.third.login)
  for (const _ of names) simulation.create(merchant, Chance.make(seed), plain)
  await system.pass(hourMs)
  const booked = await Promise.all(names.map((name) => system.run(merchant.remote.approvedBookings(name))))
  const problems = await exactlyOnce.begin(simulation).atEnd?.()
  await system.end()
  return { simulation, merchant, booked, problems }
}

describe("the stub gateway of a simulated run", () => {
  it("differs between seeds", async () => {
    const kinds = new Set<string>()
    for (let seed = 1; seed <= 12; seed += 1) {
      const { end, stub } = await SimulatedSystem.make({ seed })
      await end()
      kinds.add(stub.settings.repeats).add(`terse ${stub.settings.isTerse}`).add(`hidden ${stub.settings.hiddenMs}`)
      kinds.add(stub.settings.dialect ?? "")
    }
    assert.includeMembers(
      [...kinds],
      ["refused", "doubled", "terse true", "terse false", "hidden 0", "hidden 120000", "json", "pairs"]
    )
  })

  it.each([1, 2, 3, 4, 5, 6])("moves money once when each request arrives twice: seed %i", async (seed) => {
    const { booked, simulation, merchant, problems } = await runPayments(seed)
    assert.deepStrictEqual(problems, [])
    assert.isAtLeast(booked.filter(({ length }) => length === 1).length, 5)
    // One more movement, or an unrequested one, is reported.
    const [name = ""] = names.filter((_, index) => booked[index]?.length === 1)
    const once = booked[names.indexOf(name)] ?? []
    assert.lengthOf(
      Intents.problems(
        name,
        simulation.intentsOf(Intents.nameOf({ clientOrderId: name, login: merchant.account.login })),
        [...once, ...once]
      ),
      1
    )
    assert.isAtLeast(Intents.problems(name, [], once).length, 1)
  })
})
