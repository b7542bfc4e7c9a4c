/** The check of memory reports leaks, and processes retain little memory after many payments. */

import * as Chance from "@pay/crashtest/Chance"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as Account from "../merchant/Account.ts"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import * as SimulatedSystem from "../SimulatedSystem.ts"
import * as SimulationRun from "../SimulationRun.ts"
import * as Memory from "./Memory.ts"

const payments = 200
const megabyte = 1_000_000

const inSystem = async <A>(use: (system: SimulatedSystem.SimulatedSystem) => Promise<A>): Promise<A> => {
  const system = await SimulatedSystem.make({ seed: 3, durable: false })
  try {
    return await use(system)
  } finally {
    await system.end()
  }
}

describe("the check of memory", () => {
  it("finds that gateway and merchants retain little memory after many payments", { timeout: 120_000 }, () =>
    inSystem(async (system) => {
      const simulation = SimulationRun.make(system)
      const chance = Chance.make(5)
      for (let count = 0; count < payments; count += 1) {
        simulation.create(
          simulation.merchantOf((count % 2 === 0 ? Account.first : Account.second).login),
          chance,
          MerchantActions.creations
        )
        if (count % 20 === 0) await system.pass(600_000)
      }
      await system.pass(40 * 86_400_000)
      const gateway = await Memory.retainedUntil(system, system.gateway.kill(), true)
      assert.deepStrictEqual(Memory.exceeded("the gateway", gateway, 5, payments), [])
      // The memory that every process needs shows that the measurement works.
      assert.isAbove(gateway.bytes ?? 0, 100_000)
      assert.isAbove(gateway.waiting, 0)
      for (const { account, kill } of system.merchants)
        assert.deepStrictEqual(
          Memory.exceeded(account.login, await Memory.retainedUntil(system, kill, true), 0, payments),
          []
        )
    })
  )

  it("reports leaked memory and a leaked timer", () =>
    inSystem(async (system) => {
      let kept = Array.from({ length: 2 * megabyte }, (_, index) => index + 0.5)
      const fiber = Effect.runForkWith(system.loop.context)(Effect.sleep("1 day"))
      await system.settle()
      const end = Effect.sync(() => {
        kept = []
        fiber.interruptUnsafe()
      })
      const leak = await Memory.retainedUntil(system, end, true)
      assert.strictEqual(kept.length, 0)
      assert.isAbove(leak.bytes ?? 0, 10 * megabyte)
      assert.strictEqual(leak.waiting, 1)
      assert.match(
        Memory.exceeded("it", leak, 0, 1_000).join(),
        /1 timers are left.*it retains \d+ bytes after 1000 requests/
      )
      assert.deepStrictEqual(Memory.exceeded("it", { waiting: 1, bytes: undefined }, 1, 0), [])
    }))
})
