/** Backups of the gateway's store, restores of them, and merchants who send again what the restored copy lacks. */
import type { Chance } from "@pay/crashtest/Chance"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer } from "effect"
import * as Context from "effect/Context"
import { isKnown } from "../../../gateway/sandbox/src/Booking.ts"
import { report } from "../checks/Durability.ts"
import * as Repeats from "../checks/Repeats.ts"
import * as Intents from "../Intents.ts"
import type { Exchange } from "../OwnGateway.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Step } from "./Step.ts"

const momentOf = ({ system: { gateway } }: SimulationRun) => ({
  clock: gateway.machine.clock,
  businessMs: gateway.businessMs()
})

/** Replaces the gateway's store by the last backup, while the gateway is down. */
const restore = async (simulation: SimulationRun): Promise<void> => {
  const { restores, system } = simulation
  const { backup } = restores
  if (backup === undefined) return
  await system.run(system.gateway.kill())
  // The store is restored on another machine, whose clock is right.
  system.gateway.machine.correct()
  await backup.restore(momentOf(simulation))
  const reading = Effect.flatMap(Layer.build(Layer.fresh(system.storage.layer)), (context) =>
    system.committed.reread(Context.get(context, Store))
  )
  await system.run(Effect.orDie(Effect.scoped(reading)))
  restores.restored({
    atMs: system.loop.nowMs(),
    exchanges: system.exchanges.length,
    sends: system.sends.length,
    results: system.customers.returnedStatuses.length
  })
}

/** Sometimes the inquiries of bank and rail find nothing of what they have booked and listed since the backup. */
const hideBookings = async ({ restores, system }: SimulationRun, chance: Chance): Promise<void> => {
  system.notFound.clear()
  if (!chance.percent(30)) return
  const { atMs = 0 } = restores.backup ?? {}
  const bookings = [...(await system.run(system.bank.books.all)), ...(await system.run(system.rail.books.all))]
  for (const booking of bookings) {
    const { kind, reference } = booking.request
    const isListed = kind !== "check" && kind !== "eligible" && isKnown(booking, system.loop.nowMs())
    if (booking.bookedAtMs > atMs && isListed) system.notFound.add(reference)
  }
  system.trace.note(`inquiries do not find ${system.notFound.size} bookings`)
}

/** The last requests that a restored copy lacks. */
const recent = 40

/** Sends again a request that was acknowledged, and whose order the restored copy lacks. */
const repeatLost = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { restores, system } = simulation
  /** A merchant repeats no payment that it has been told is not made. */
  const hasFailed = ({ answer, login }: Exchange) => {
    const clientOrderId = report(answer, "merchant-order-id") ?? ""
    return simulation.intentsOf(Intents.nameOf({ clientOrderId, login })).some(({ status }) => status === "failed")
  }
  const lost = restores
    .lost(system.exchanges)
    .filter((exchange) => Repeats.isCreation(exchange))
    .slice(-recent)
    .filter(
      (exchange) => system.committed.row(Order, Repeats.orderIdOf(exchange)) === undefined && !hasFailed(exchange)
    )
  for (let left = 1 + chance.below(5); left > 0; left -= 1) {
    const exchange = chance.someOf(lost)
    if (exchange === undefined) return
    const reply = await Repeats.send(simulation, exchange)
    simulation.count(`lost request ${reply?.status ?? "without an answer"}`)
    system.trace.note(`${exchange.login} sends ${exchange.path} again: ${reply?.status} ${reply?.answer.slice(0, 80)}`)
  }
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "backup",
    group: "restore",
    what: "A backup of the gateway's store is taken.",
    weight: 5,
    isFault: false,
    happen: async (simulation) => {
      const { gateway, loop, storage, trace } = simulation.system
      // The list of bookings begins an hour before the last commit, so that no clock may be wrong by more.
      if (!gateway.isUp() || Math.abs(gateway.businessMs() - loop.nowMs()) > 60_000) return
      simulation.restores.backup = {
        atMs: loop.nowMs(),
        exchanges: simulation.system.exchanges.length,
        restore: await storage.backup(momentOf(simulation))
      }
      trace.note("a backup is taken")
    }
  },
  {
    name: "restore",
    group: "restore",
    what: "The gateway's store is replaced by the last backup, as `pay restore` does. Bank, rail, merchants and customers go on. Sometimes inquiries do not find what is listed.",
    weight: 3,
    isFault: false,
    happen: async (simulation, chance) => {
      const { gateway, pass, run, trace } = simulation.system
      if (simulation.restores.backup === undefined) return
      await restore(simulation)
      await hideBookings(simulation, chance)
      trace.note("the last backup is restored")
      await pass(chance.oneOf([0, 5_000, 600_000]))
      await run(gateway.start)
      trace.note("the gateway is up")
      await pass(chance.oneOf([0, 1_000, 30_000, 130_000, 300_000]))
    }
  },
  {
    name: "repeatLost",
    group: "restore",
    what: "Merchants send creations again that were acknowledged, and whose orders the restored copy lacks.",
    weight: 5,
    isFault: false,
    happen: repeatLost
  }
]
