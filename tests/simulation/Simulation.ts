/**
 * One simulated run of a payment world: steps that are drawn from a seed, then an end without faults in which everything must
 * become final and right. A step draws from a chance of its own, so that leaving one out changes no other.
 */
import type { Duration, Effect } from "effect"
import * as Chance from "./Chance.ts"
import * as Checks from "./checks/Checks.ts"
import type { CoverageGoal } from "./goals/CoverageGoal.ts"
import * as Network from "./Network.ts"
import * as SimulationRun from "./SimulationRun.ts"
import * as BankFaults from "./steps/BankFaults.ts"
import * as Configuration from "./steps/Configuration.ts"
import * as Operators from "./steps/Operators.ts"
import * as Steps from "./steps/Steps.ts"
import * as TimeFaults from "./steps/TimeFaults.ts"
import * as RandomStorage from "./storage/RandomStorage.ts"
import type { Storage } from "./storage/Storage.ts"
import type * as TransitionRecorder from "./TransitionRecorder.ts"
import * as World from "./World.ts"

export interface Plan {
  readonly seed: number
  readonly steps: number
  /** Steps that are left out, to find the shortest run that still fails. */
  readonly without?: ReadonlySet<number>
  /** Default: as the seed draws. */
  readonly storage?: Effect.Effect<Storage>
  /** Whether the flows of the second and the third merchant are durable. Default: as the seed draws. */
  readonly durable?: boolean
  /** Names of files of durable flows whose syncs do nothing, to see that it is noticed. */
  readonly unsynced?: (name: string) => boolean
  /** The name of a fault that happens far more often than others. Default: as the seed draws. */
  readonly frequentFault?: string
  /** What the run is to have much of. Default: as the seed draws. */
  readonly goal?: CoverageGoal
  /** How many payments a merchant begins at once, at most. Default: few. */
  readonly maxConcurrent?: number
  /** Waits between the status requests of merchants' flows. Default: those of the flows. */
  readonly pauses?: ReadonlyArray<Duration.Duration> | undefined
  /** Is given the world before anything happens in it. */
  readonly watch?: (world: World.World) => void
}

export interface Result {
  readonly hash: string
  readonly payments: number
  readonly counts: Readonly<Record<string, number>>
  /** Moves of orders, and the faults that each met. */
  readonly transitions: TransitionRecorder.Transitions
  /** Paths of the operations that the gateway has answered with 200. */
  readonly answered: ReadonlySet<string>
  readonly problems: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

const dayMs = 86_400_000
/** Sums over everything are made so often. */
const sumsEvery = 1000

/**
 * No more faults; a day passes, and so many more as the gateway's clock may have been set back: what was due by it is due that much
 * later.
 */
const calm = async (simulation: SimulationRun.SimulationRun): Promise<void> => {
  const { counts, world } = simulation
  world.network.set(Network.quiet)
  world.customers.set({})
  world.gateway.resume()
  world.stub.set("open")
  world.stub.decline(0)
  for (const { machine, start } of world.merchants) {
    machine.resume()
    await world.run(start)
  }
  await world.run(world.gateway.start)
  await Configuration.restore(simulation)
  const backMs = TimeFaults.longestJumpMs * (counts["step gatewayJumps"] ?? 0)
  await TimeFaults.right(world)
  await world.pass(dayMs + backMs)
}

/** Everything becomes final, and an unknown outcome is inquired about until it is certain. */
const conclude = async (simulation: SimulationRun.SimulationRun, chance: Chance.Chance): Promise<void> => {
  const { begin, actions, world } = simulation
  await world.run(BankFaults.clarity(world, chance))
  await world.pass(20 * dayMs)
  for (let round = 0; round < 3; round += 1) {
    for (const action of actions.values()) {
      if (action.intent.status === "unknown" || action.intent.status === "running") begin(action)
    }
    await world.pass(dayMs)
    await world.run(BankFaults.clarity(world, chance))
    await world.pass(2 * dayMs)
  }
  // Holds that were made just now have lapsed by then.
  await world.pass(8 * dayMs)
  await world.run(BankFaults.clarity(world, chance))
  await world.pass(2 * dayMs)
  await Operators.settleAll(simulation, chance)
}

export const run = async ({
  goal,
  durable,
  maxConcurrent,
  frequentFault,
  pauses,
  seed,
  steps,
  storage = RandomStorage.storage(seed),
  unsynced,
  watch = () => {},
  without = new Set()
}: Plan): Promise<Result> => {
  const world = await World.make({ seed, storage, durable, maxConcurrent, pauses, unsynced })
  watch(world)
  const simulation = SimulationRun.make(world)
  const checks = Checks.all.map(({ begin }) => begin(simulation))
  const draw = Steps.swarm(Chance.make(Chance.part(seed, "swarm")), world.storage.files !== undefined, {
    goal,
    most: frequentFault
  })
  const problems: Array<string> = []
  for (let index = 0; index < steps && problems.length === 0; index += 1) {
    if (without.has(index)) continue
    const chance = Chance.make(Chance.part(seed, index))
    const step = draw(chance)
    simulation.count(`step ${step.name}`)
    if (step.isFault) simulation.transitions.fault(step.name)
    await step.happen(simulation, chance, index)
    await world.settle()
    const touched = new Set(simulation.touched)
    simulation.touched.clear()
    for (const { afterStep, sums } of checks) {
      if (afterStep !== undefined) problems.push(...(await afterStep(touched)))
      if (sums !== undefined && index % sumsEvery === sumsEvery - 1) problems.push(...(await sums()))
    }
  }
  if (problems.length === 0) {
    await calm(simulation)
    for (const { afterADay } of checks) if (afterADay !== undefined) problems.push(...(await afterADay()))
    await conclude(simulation, Chance.make(Chance.part(seed, "end")))
    for (const { atEnd } of checks) if (atEnd !== undefined) problems.push(...(await atEnd()))
  }
  await world.end()
  return {
    hash: world.trace.hash(),
    payments: simulation.created(),
    counts: { ...simulation.counts, ...world.network.counts, ...world.customers.counts },
    transitions: simulation.transitions.transitions(),
    answered: new Set(world.exchanges.flatMap(({ path, status }) => (status === 200 ? [path] : []))),
    problems,
    lines: world.trace.lines()
  }
}
