/** What customers do wrong, and what others do in their name. */
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import type { Chance } from "../Chance.ts"
import * as FollowUps from "../merchant/actions/FollowUps.ts"
import { behaviours } from "../merchant/CustomerBehaviour.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { oneMerchant } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const junk = ["", "x", "eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ"] as const

/** What anybody could post to a shop's return address. */
const bring = (chance: Chance) =>
  chance.oneOf<Readonly<Record<string, string>>>([
    {},
    { cres: chance.oneOf(junk) },
    { PaRes: chance.oneOf(junk), MD: "" },
    { threeDSMethodData: chance.oneOf(junk) }
  ])

const recentAction = ({ actions }: SimulationRun, chance: Chance) => {
  const [first, ...others] = [...actions.values()].slice(-20)
  return first === undefined ? undefined : chance.oneOf([first, ...others])
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "rivals",
    group: "people",
    what: "A merchant's people capture, release and return one payment at the same time.",
    weight: 6,
    isFault: true,
    happen: async (simulation, chance, index) =>
      simulation.rival(oneMerchant(simulation.world, chance), chance, `step-${index}`, FollowUps.followUps)
  },
  {
    name: "people",
    group: "people",
    what: "From now on customers press twice, go back, pay in two tabs, leave, forge results and more, each as often as is drawn.",
    weight: 6,
    isFault: true,
    happen: async ({ world: { customers, trace } }, chance) => {
      const mix = Object.fromEntries(
        behaviours.map((behaviour) => [behaviour, chance.percent(50) ? chance.below(400) : 0])
      )
      customers.set(mix)
      trace.note(`people are ${JSON.stringify(mix)}`)
    }
  },
  {
    name: "oldPage",
    group: "people",
    what: "A customer opens an old page and posts its form again.",
    weight: 4,
    isFault: true,
    happen: async ({ touched, transitions, world }, chance) => {
      const order = world.customers.remember(chance)
      if (order === undefined) return transitions.withdraw()
      touched.add(order)
      world.trace.note(`the customer of ${order} posts an old form`)
    }
  },
  {
    name: "falseReturn",
    group: "people",
    what: "Somebody comes back to the shop in a customer's name, with nothing or with an invented result.",
    weight: 3,
    isFault: true,
    happen: async (simulation, chance) => {
      const action = recentAction(simulation, chance)
      if (action === undefined) return simulation.transitions.withdraw()
      const { clientOrderId, login } = action.intent
      simulation.world.trace.note(`somebody comes back for ${clientOrderId}`)
      await simulation.world.run(
        simulation.merchantOf(login).serve(CustomerBrowsers.cameBack(clientOrderId, bring(chance)))
      )
    }
  }
]
