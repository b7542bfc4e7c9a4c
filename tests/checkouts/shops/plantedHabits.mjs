/** Faults that are planted into the plain shop, of kinds that no page of the documentation lists. */
import { gateway, orders } from "./habitShop.mjs"

/** How often the status of an order was asked while nothing was known. */
const polls = new Map()

/** Callbacks that are not written yet. */
const received = []

const writeAll = () => {
  for (const { client_orderid: name, orderid, status, type } of received.splice(0)) {
    if (type === "reversal") orders.markRefund("done", name)
    else if (status !== "approved") orders.markFailed(name)
    else {
      orders.markPaid(orderid, name)
      orders.ship(name)
    }
  }
}

const locked = new Set()

export const planted = {
  /** Calls an order paid that is still processing at the third question: "it always was approved in the end". */
  paidAfterThreePolls: {
    ask: async ({ id, name }) => {
      const answer = await gateway.status(id)
      if (answer.status !== "processing" && answer.status !== "unknown") return answer
      const count = (polls.get(name) ?? 0) + 1
      polls.set(name, count)
      return count < 3 || answer.gatewayId === undefined ? answer : { ...answer, status: "approved" }
    }
  },
  /** Acknowledges a callback, and writes it a moment later together with others. It asks only whether the gateway has the order. */
  acknowledgesBeforeWriting: {
    onStart: () => setInterval(writeAll, 1_500),
    onCallback: async (query) => {
      received.push(query)
      return 200
    },
    ask: async ({ id }) => {
      const { status } = await gateway.status(id)
      return { status: status === "missing" ? status : "waiting for the callback" }
    },
    goOn: async () => {}
  },
  /** Takes every answer to its question for the answer about its order. */
  believesAnotherOrdersStatus: { ask: ({ id }) => gateway.status(id, () => true) },
  /** Locks an order while it works on it, and forgets to unlock it if the work fails: a lost answer is an error here. */
  neverUnlocks: {
    alone: async (name, work) => {
      if (locked.has(name)) return
      locked.add(name)
      await work(orders.find(name))
      locked.delete(name)
    },
    ask: async ({ id }) => {
      const answer = await gateway.status(id)
      if (answer.status === "unknown" && answer.gatewayId === undefined) throw new Error("no answer")
      return answer
    },
    onCallback: async () => 200,
    goOn: async () => {}
  }
}
