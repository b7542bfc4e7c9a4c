/** Locks an order while it works on it, and forgets to unlock it if the work fails: a lost answer is an error here. */
import { gateway, open, orders } from "./carefulShop.mjs"

const locked = new Set()

const alone = async (name, work) => {
  if (locked.has(name)) return
  locked.add(name)
  await work(orders.find(name))
  locked.delete(name)
}

const ask = async (order) => {
  const answer = await gateway.status(order)
  if (answer.status === "unknown" && answer.gatewayId === undefined) throw new Error("no answer")
  return answer
}

await open({ alone, ask, onCallback: async () => 200, goOn: async () => {} })
