/**
 * A run that is to have much of something: of some faults, and of one transition of orders. Merchants mostly ask for what leads to the
 * transition, and bank, issuer and customers do what it takes; all else happens as ever, but less often.
 */
import type { Chance } from "../Chance.ts"
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

/** The shares, out of about 100 drawn steps, of the steps that lead to the transition and of all wanted faults together. */
const leading = 30
const wanted = 60
/** What else the transition takes. */
const needed = 10
/** What the faults befall, of all that need something together. */
const befallen = 30
/** Other steps of merchants, and other faults, for each that ordinary runs have. */
const merchantShare = 0.5
const sharePercent = 30

const ours = (simulation: SimulationRun, chance: Chance): MerchantProcess => {
  const [first] = simulation.world.merchants
  const result = someMerchant(simulation, chance)
  return result.remote.isOurs || first === undefined ? result : first
}

/** Some actions that lead to the transition, with what bank, issuer and customers do about them. */
const leadingTo = (lead: GoalSetups.GoalSetup): Step => ({
  name: "lead",
  group: "merchant",
  what: "A merchant asks for what leads to a transition of orders.",
  weight: leading,
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
    } = lead
    const { world } = simulation
    if (behaviours !== undefined) world.customers.set(behaviours)
    if (configuration !== undefined) {
      const { says, when } = configuration
      const isSaid = chance.percent(50)
      await Configuration.configure(simulation, chance, isSaid ? says : "is as it was")
      if (isSaid && when === "between") return
    }
    const isFollowing = followers.length > 0 && chance.percent(70)
    for (let left = 1 + chance.below(isFollowing ? 4 : 2); left > 0; left -= 1) {
      const merchant = lead.steps?.includes("approve") === true ? world.merchants[0] : ours(simulation, chance)
      if (merchant === undefined) return
      const isMoving = isFollowing || followers.length === 0
      if (bank !== undefined && isMoving) await world.run(world.bank.next(bank.kind, bank.plan(chance)))
      if (rail !== undefined) await world.run(world.rail.next(rail.kind, rail.plan(chance)))
      if (threeds !== undefined) await world.run(world.threeds.next(threeds))
      if (isFollowing) simulation.follow(merchant, chance, `lead-${index}-${left}`, followers)
      else
        simulation.create(merchant, chance, actions, {
          ...(endpointCurrency === undefined ? {} : { endpointCurrency }),
          ...(amountMinor === undefined ? {} : { amountMinor })
        })
    }
  }
})

/** Each step that can happen with how often it does, of the sum of all. */
export const shares = (
  { faults, transition }: CoverageGoal,
  possible: ReadonlyArray<Step>,
  chance: Chance
): ReadonlyArray<{ readonly step: Step; readonly share: number }> => {
  const result = OrderTransitions.parse(transition)
  const lead = result === undefined ? undefined : GoalSetups.of(result)
  const share = ({ isFault, name, weight }: Step): number => {
    const own = lead?.steps?.includes(name) === true ? needed : 0
    if (faults.includes(name)) return Math.max(own, Math.ceil(wanted / faults.length))
    if (!isFault) return name === "pass" ? weight : Math.ceil(weight * merchantShare)
    return Math.max(own, chance.percent(sharePercent) ? chance.below(weight + 1) : 0)
  }
  const needs = faults.flatMap((name) => GoalSetups.ofFault[name] ?? [])
  return [
    ...possible.map((step) => ({ step, share: share(step) })),
    ...(lead === undefined ? [] : [{ step: leadingTo(lead), share: leading }]),
    ...needs.map((need) => ({ step: leadingTo(need), share: Math.ceil(befallen / needs.length) }))
  ]
}
