/**
 * A coverage goal: some faults and one transition of orders that a run should have often. Most merchant actions then prepare the
 * transition, and bank, issuer and customers behave accordingly. All other steps are less frequent.
 */
import type { Chance } from "@pay/crashtest/Chance"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import * as Configuration from "../steps/Configuration.ts"
import { someMerchant } from "../steps/Merchants.ts"
import type { Step } from "../steps/Step.ts"
import * as GoalSetups from "./GoalSetups.ts"
import * as OrderTransitions from "./OrderTransitions.ts"

export interface CoverageGoal {
  /** The transition, as `kind: from → to`. */
  readonly transition: string
  /** Names of faults. */
  readonly faults: ReadonlyArray<string>
}

/** The shares, out of about 100 steps, of the steps that prepare the transition, and of all faults of the goal together. */
const setupShare = 30
const faultShare = 60
/** The share of each other step that the transition requires. */
const requiredShare = 10
/** The share of the steps that prepare the faults of the goal, together. */
const faultSetupShare = 30
/** The share of other merchant steps, and the probability of other faults, relative to ordinary runs. */
const merchantShare = 0.5
const sharePercent = 30

const merchantOfOurs = (simulation: SimulationRun, chance: Chance): MerchantProcess => {
  const [first] = simulation.system.merchants
  const result = someMerchant(simulation, chance)
  return result.remote.isOurs || first === undefined ? result : first
}

/** A step that starts merchant actions for a setup, and prepares bank, issuer and customers. */
const setupStep = (setup: GoalSetups.GoalSetup): Step => ({
  name: "goalSetup",
  group: "merchant",
  what: "A merchant starts actions that prepare a transition of orders.",
  weight: setupShare,
  isFault: false,
  happen: async (simulation, chance, index) => {
    const {
      amountMinor,
      bank,
      configuration,
      followers = [],
      behaviours,
      rail,
      threeds,
      endpointCurrency,
      actions
    } = setup
    const { system } = simulation
    if (behaviours !== undefined) system.customers.set(behaviours)
    if (configuration !== undefined) {
      const { change, when } = configuration
      const isChanged = chance.percent(50)
      await Configuration.configure(simulation, chance, isChanged ? change : "is as it was")
      if (isChanged && when === "between") return
    }
    const isFollowing = followers.length > 0 && chance.percent(70)
    for (let left = 1 + chance.below(isFollowing ? 4 : 2); left > 0; left -= 1) {
      const merchant =
        setup.steps?.includes("approve") === true ? system.merchants[0] : merchantOfOurs(simulation, chance)
      if (merchant === undefined) return
      const isMoving = isFollowing || followers.length === 0
      if (bank !== undefined && isMoving) await system.run(system.bank.next(bank.kind, bank.plan(chance)))
      if (rail !== undefined) await system.run(system.rail.next(rail.kind, rail.plan(chance)))
      if (threeds !== undefined) await system.run(system.threeds.next(threeds))
      if (isFollowing) simulation.follow(merchant, chance, `lead-${index}-${left}`, followers)
      else
        simulation.create(merchant, chance, actions, {
          ...(endpointCurrency === undefined ? {} : { endpointCurrency }),
          ...(amountMinor === undefined ? {} : { amountMinor })
        })
    }
  }
})

/** Returns each possible step with its share of all steps. */
export const shares = (
  { faults, transition }: CoverageGoal,
  possible: ReadonlyArray<Step>,
  chance: Chance
): ReadonlyArray<{ readonly step: Step; readonly share: number }> => {
  const result = OrderTransitions.parse(transition)
  const setup = result === undefined ? undefined : GoalSetups.forTransition(result)
  const share = ({ isFault, name, weight }: Step): number => {
    const own = setup?.steps?.includes(name) === true ? requiredShare : 0
    if (faults.includes(name)) return Math.max(own, Math.ceil(faultShare / faults.length))
    if (!isFault) return name === "passTime" ? weight : Math.ceil(weight * merchantShare)
    return Math.max(own, chance.percent(sharePercent) ? chance.below(weight + 1) : 0)
  }
  const needs = faults.flatMap((name) => GoalSetups.forFault[name] ?? [])
  return [
    ...possible.map((step) => ({ step, share: share(step) })),
    ...(setup === undefined ? [] : [{ step: setupStep(setup), share: setupShare }]),
    ...needs.map((need) => ({ step: setupStep(need), share: Math.ceil(faultSetupShare / needs.length) }))
  ]
}
