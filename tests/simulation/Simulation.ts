/**
 * Runs one simulation: steps that are drawn from a seed, then a period without faults after which everything must be final and
 * right. Each step has a random generator of its own, so leaving one step out changes no other.
 */

import * as Chance from "@pay/crashtest/Chance"
import type { Way } from "@pay/gateway/Acquirer"
import type { Duration, Effect } from "effect"
import * as Checks from "./checks/Checks.ts"
import type { CoverageGoal } from "./goals/CoverageGoal.ts"
import * as Network from "./Network.ts"
import * as SimulatedSystem from "./SimulatedSystem.ts"
import * as SimulationRun from "./SimulationRun.ts"
import * as BankFaults from "./steps/BankFaults.ts"
import * as Configuration from "./steps/Configuration.ts"
import * as Operators from "./steps/Operators.ts"
import * as Steps from "./steps/Steps.ts"
import * as TimeFaults from "./steps/TimeFaults.ts"
import * as RandomStorage from "./storage/RandomStorage.ts"
import type { Storage } from "./storage/Storage.ts"
import type * as TransitionRecorder from "./TransitionRecorder.ts"

export interface Plan {
  readonly seed: number
  readonly steps: number
  /** Steps that are left out, to find the shortest run that still fails. */
  readonly without?: ReadonlySet<number>
  /** Default: drawn from the seed. */
  readonly storage?: Effect.Effect<Storage>
  /** Whether the flows of the second and the third merchant are durable. Default: drawn from the seed. */
  readonly durable?: boolean
  /** Selects files of durable flows whose syncs do nothing, so that a test can see that the checks notice it. */
  readonly unsynced?: (name: string) => boolean
  /** Whether backups of the gateway's store are taken and restored. Default: drawn from the seed. */
  readonly restores?: boolean | undefined
  /** How the bank ends lost answers to requests of every kind. Default: drawn. */
  readonly ways?: ReadonlyArray<Way> | undefined
  /** The name of a fault that is far more frequent than the others. Default: drawn from the seed. */
  readonly frequentFault?: string
  /** The transition and the faults that the run should reach. Default: none. */
  readonly goal?: CoverageGoal
  /** The maximum number of payments that a merchant starts at once. Default: 20. */
  readonly maxConcurrent?: number
  /** The number of payments after which no further step happens. Default: no limit. */
  readonly maxPayments?: number
  /** Waits between the status requests of merchants' flows. Default: those of the flows. */
  readonly pauses?: ReadonlyArray<Duration.Duration> | undefined
}

export interface Result {
  readonly hash: string
  readonly payments: number
  readonly counts: Readonly<Record<string, number>>
  /** Transitions of orders, and the faults that preceded each. */
  readonly transitions: TransitionRecorder.TransitionCounts
  /** Paths of the operations that the gateway has answered with 200. */
  readonly answered: ReadonlySet<string>
  readonly problems: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

const dayMs = 86_400_000
/** The share of seeds in which backups are restored. */
const restoresPercent = 20
/** The checks that sum over all rows run every so many steps. */
const sumsEvery = 1000

/**
 * Stops all faults, and lets a day pass. If the gateway's clock may have been set back, what was due becomes due later, so that
 * time passes too.
 */
const stopFaults = async (simulation: SimulationRun.SimulationRun): Promise<void> => {
  const { counts, system } = simulation
  system.network.set(Network.quiet)
  system.customers.set({})
  system.gateway.resume()
  system.stub.setAvailability("open")
  system.stub.decline(0)
  system.notFound.clear()
  for (const { machine, start } of system.merchants) {
    machine.resume()
    await system.run(start)
  }
  await system.run(system.gateway.start)
  await Configuration.restore(simulation)
  const backMs = TimeFaults.longestJumpMs * (counts["step gatewayClockJump"] ?? 0)
  await TimeFaults.correctClocks(system)
  await system.pass(dayMs + backMs)
}

/** Lets everything become final: flows with an unknown outcome run again until they have a certain one. */
const finish = async (simulation: SimulationRun.SimulationRun, chance: Chance.Chance): Promise<void> => {
  const { begin, actions, system } = simulation
  await system.run(BankFaults.decideAll(system, chance))
  await system.pass(20 * dayMs)
  for (let round = 0; round < 3; round += 1) {
    await Operators.resolveAll(simulation)
    for (const action of actions.values()) {
      if (action.intent.status === "unknown" || action.intent.status === "running") begin(action)
    }
    await system.pass(dayMs)
    await system.run(BankFaults.decideAll(system, chance))
    await system.pass(2 * dayMs)
  }
  // New holds lapse within this time.
  await system.pass(8 * dayMs)
  await system.run(BankFaults.decideAll(system, chance))
  await system.pass(2 * dayMs)
  await Operators.settleAll(simulation, chance)
}

export const run = async ({
  goal,
  durable,
  maxConcurrent,
  frequentFault,
  maxPayments = Number.POSITIVE_INFINITY,
  pauses,
  seed,
  restores = Chance.make(Chance.part(seed, "restores")).percent(restoresPercent),
  steps,
  storage = RandomStorage.storage(seed),
  unsynced,
  ways,
  without = new Set()
}: Plan): Promise<Result> => {
  const system = await SimulatedSystem.make({ seed, storage, durable, maxConcurrent, pauses, unsynced, ways })
  const simulation = SimulationRun.make(system)
  const checks = Checks.all.map(({ begin }) => begin(simulation))
  const possible = { hasFiles: system.storage.files !== undefined, hasRestores: restores && goal === undefined }
  const drawStep = Steps.drawing(Chance.make(Chance.part(seed, "swarm")), possible, { goal, most: frequentFault })
  const problems: Array<string> = []
  for (let index = 0; index < steps && problems.length === 0; index += 1) {
    if (simulation.created() >= maxPayments) break
    if (without.has(index)) continue
    const chance = Chance.make(Chance.part(seed, index))
    const step = drawStep(chance)
    simulation.count(`step ${step.name}`)
    if (step.isFault) simulation.transitions.fault(step.name)
    await step.happen(simulation, chance, index)
    await system.settle()
    const changedOrders = new Set(simulation.changedOrders)
    simulation.changedOrders.clear()
    for (const { afterStep, sums } of checks) {
      if (afterStep !== undefined) problems.push(...(await afterStep(changedOrders)))
      if (sums !== undefined && index % sumsEvery === sumsEvery - 1) problems.push(...(await sums()))
    }
  }
  if (problems.length === 0) {
    await stopFaults(simulation)
    for (const { afterADay } of checks) if (afterADay !== undefined) problems.push(...(await afterADay()))
    await finish(simulation, Chance.make(Chance.part(seed, "end")))
    for (const { atEnd } of checks) if (atEnd !== undefined) problems.push(...(await atEnd()))
  }
  await system.end()
  return {
    hash: system.trace.hash(),
    payments: simulation.created(),
    counts: { ...simulation.counts, ...system.network.counts, ...system.customers.counts },
    transitions: simulation.transitions.transitions(),
    answered: new Set(system.exchanges.flatMap(({ path, status }) => (status === 200 ? [path] : []))),
    problems,
    lines: system.trace.lines()
  }
}
