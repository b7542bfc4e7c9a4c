/** Money: what flows reported is what bank and rail did, once; and the books agree with those of bank and rail. */
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { Context, Effect } from "effect"
import * as Intents from "../Intents.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

const effects = async ({ intentsOf, merchantOf, world }: SimulationRun, names: Iterable<string>): Promise<Problems> => {
  const problems: Array<string> = []
  for (const name of names) {
    const intents = intentsOf(name)
    const [first] = intents
    if (first === undefined) continue
    const booked = await world.run(merchantOf(first.login).remote.booked(first.clientOrderId))
    problems.push(...Intents.problems(name, intents, booked))
  }
  return problems
}

const reconciliation = async ({ world }: SimulationRun): Promise<Problems> => {
  const store = world.store()
  if (store === undefined) return []
  const { findings } = await world.run(
    Reconciliation.check.pipe(Effect.provideContext(Context.add(world.outside, Store, store)))
  )
  return findings.map(({ expected, actual, where }) => `${where}: expected ${expected}, found ${actual}`)
}

export const oneEffect: Check = {
  name: "one effect",
  what: "Bank and rail did once what a flow reported as done, never what it reported as failed, and at most once what it reported as unknown.",
  begin: (simulation) => ({
    afterStep: (touched) => effects(simulation, touched),
    atEnd: () =>
      effects(simulation, new Set([...simulation.actions.values()].map(({ intent }) => Intents.nameOf(intent))))
  })
}

export const approvals: Check = {
  name: "approvals",
  what: "The rail has paid no payout that its approver has refused.",
  begin: ({ rejected, world: { rail, run } }) => ({
    atEnd: async () => {
      const paid = (await run(rail.books.all)).filter(
        ({ answer, request }) => request.kind === "pay" && answer._tag === "Approved"
      )
      return paid.flatMap(({ request: { orderId } }) =>
        rejected.has(orderId) ? [`payout ${orderId} was paid, though its approver has refused it`] : []
      )
    }
  })
}

export const books: Check = {
  name: "books",
  what: "The gateway's books add up, and agree with those of bank and rail in both directions.",
  begin: (simulation) => ({
    atEnd: async () => [
      ...(await reconciliation(simulation)),
      ...(await simulation.world.run(simulation.world.bank.violations)),
      ...(await simulation.world.run(simulation.world.rail.violations))
    ]
  })
}
