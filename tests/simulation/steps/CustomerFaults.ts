/** Faults of customers, of attackers in their name, and of a merchant's staff. */

import type { Chance } from "@pay/crashtest/Chance"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import * as FollowUps from "../merchant/actions/FollowUps.ts"
import { behaviours } from "../merchant/CustomerBehaviour.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { oneMerchant } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const junk = ["", "x", "eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ"] as const

/** Requests that anyone could send to the return address of a shop. */
const forgedFields = (chance: Chance) =>
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
    name: "concurrentFollowUps",
    group: "customer",
    what: "A merchant's staff capture, void and return one payment at the same time.",
    weight: 6,
    isFault: true,
    happen: async (simulation, chance, index) =>
      simulation.followConcurrently(
        oneMerchant(simulation.system, chance),
        chance,
        `step-${index}`,
        FollowUps.followUps
      )
  },
  {
    name: "customerBehaviour",
    group: "customer",
    what: "From now on customers submit twice, go back, pay in two tabs, leave, forge results and more, each with a drawn frequency.",
    weight: 6,
    isFault: true,
    happen: async ({ system: { customers, trace } }, chance) => {
      const mix = Object.fromEntries(
        behaviours.map((behaviour) => [behaviour, chance.percent(50) ? chance.below(400) : 0])
      )
      customers.set(mix)
      trace.note(`customers have ${JSON.stringify(mix)}`)
    }
  },
  {
    name: "repostOldForm",
    group: "customer",
    what: "A customer opens an old page and submits its form again.",
    weight: 4,
    isFault: true,
    happen: async ({ changedOrders, transitions, system }, chance) => {
      const order = system.customers.repostOldForm(chance)
      if (order === undefined) return transitions.withdraw()
      changedOrders.add(order)
      system.trace.note(`the customer of ${order} posts an old form`)
    }
  },
  {
    name: "forgedReturn",
    group: "customer",
    what: "An attacker calls the return address of the shop in a customer's name, without a result or with an invented one.",
    weight: 3,
    isFault: true,
    happen: async (simulation, chance) => {
      const action = recentAction(simulation, chance)
      if (action === undefined) return simulation.transitions.withdraw()
      const { clientOrderId, login } = action.intent
      simulation.system.trace.note(`an attacker returns for ${clientOrderId}`)
      await simulation.system.run(
        simulation.merchantOf(login).serve(CustomerBrowsers.cameBack(clientOrderId, forgedFields(chance)))
      )
    }
  }
]
