/**
 * Shops with other habits than the examples, careful and careless ones: `node habits.mjs NAME`. Each is the plain shop of
 * `habitShop.mjs` with some parts of its own.
 */
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { gateway, isFinal, open, orders } from "./habitShop.mjs"
import { planted } from "./plantedHabits.mjs"

const lost = Symbol("no answer")
const orLost = (answer) => answer.catch(() => lost)

/** Waits for the outcome, by status, for two seconds. */
const settleSoon = async (order, refresh) => {
  for (let ms = 50; ms < 1000 && !isFinal(orders.find(order.name)); ms *= 2) {
    await refresh(order)
    await sleep(ms)
  }
}

/** Refunds a part or the whole under keys, until the status shows it. */
const refundUnder = async (order, parts) => {
  for (const [index, amount] of parts.entries())
    await orLost(gateway.refund({ ...order, amount }, `${order.id}-${index}`))
}

const half = (amount) => (Math.floor(Number(amount) * 50) / 100).toFixed(2)
const rest = (amount) => (Number(amount) - Number(half(amount))).toFixed(2)
const halves = ({ amount }) => [half(amount), rest(amount)]

const newId = (name) => `${name}-${randomUUID().slice(0, 8)}`
const renamed = ({ name }) => orders.rename(name, newId(name))

/** Sells without a memory of the order before it is accepted. */
const storesAfterAnswer =
  (idOf, workMs = 0) =>
  async ({ amount, name }, card, { refresh }) => {
    const id = idOf(name)
    const answer = await orLost(gateway.sale(id, amount, card))
    if (answer === lost || answer["paynet-order-id"] === undefined) throw new Error("no answer")
    await sleep(workMs)
    orders.add(name, amount)
    orders.rename(name, id)
    await settleSoon(orders.find(name), refresh)
  }

/** Cards of orders that wait. A shop that was killed asks the customer again. */
const queue = new Map()

const drops = { isStoredLater: true, goOn: async () => {} }

const habits = {
  plain: {},

  // Careful
  answersWhenKnown: {
    sell: async (order, card, { refresh }) => {
      await orLost(gateway.sale(order.id, order.amount, card))
      for (let tries = 0; tries < 200 && !isFinal(orders.find(order.name)); tries += 1) {
        await refresh(order)
        await sleep(100)
      }
    }
  },
  capturesLater: {
    sell: async (order, card, { refresh }) => {
      await orLost(gateway.sale(order.id, order.amount, card, "preauth"))
      await settleSoon(order, refresh)
    },
    shipsAt: ({ captured }, { amount }) => captured === amount,
    goOn: async (order, helpers) => {
      const now = await helpers.refresh(order)
      const { id, name, state } = orders.find(order.name)
      if (state === "paid" && now.captured !== order.amount)
        await orLost(gateway.capture({ amount: order.amount, gatewayId: now.gatewayId, id }))
      else await helpers.goOn(order, now)
      await helpers.refresh(orders.find(name))
    }
  },
  pollsEvery3Seconds: {
    sell: (order, card) => orLost(gateway.sale(order.id, order.amount, card)),
    pollMs: 3000,
    onCallback: async () => 200,
    statusOfPress: ({ state }) => (state === "open" ? 409 : 200)
  },
  ownQueue: {
    sell: async ({ name }, card) => void queue.set(name, card),
    statusOfPress: ({ state }) => (state === "open" ? 202 : 200),
    goOn: async (order, { goOn, refresh }) => {
      const now = await refresh(order)
      const card = queue.get(order.name)
      if (now.status === "missing" && card !== undefined) return orLost(gateway.sale(order.id, order.amount, card))
      await goOn(order, now)
    }
  },
  givesDuplicatesBack: {
    sell: async (order, card, { refresh }) => {
      const answer = await orLost(gateway.sale(order.id, order.amount, card))
      // It cannot know whether the first was charged: it sells again, and looks at both later.
      if (answer === lost) {
        orders.remember(order.name, order.id)
        const again = renamed(order)
        if ((await orLost(gateway.sale(again.id, order.amount, card))) === lost) return
      }
      await settleSoon(orders.find(order.name), refresh)
    },
    goOn: async (order, { goOn, refresh }) => {
      const now = await refresh(order)
      const { former, state } = orders.find(order.name)
      if (former !== null && state !== "open") {
        const first = await gateway.status(former)
        if (first.status === "approved" && state === "failed") orders.rename(order.name, former)
        else if (first.status === "approved" && first.returned === "0.00")
          await orLost(gateway.refund({ ...order, id: former, gatewayId: first.gatewayId }, `twin-${former}`))
        else if (first.status === "missing" || isFinal({ state: first.status }) || first.returned !== "0.00")
          orders.forget(order.name)
      }
      await goOn(order, now)
    }
  },
  refundsInHalves: { refundOnce: (order) => refundUnder(order, halves(order)) },
  refundsPart: {
    refundOnce: (order) => refundUnder(order, ["5.00"]),
    isRefunded: ({ returned }) => returned === "5.00"
  },
  repeatsByItself: {
    sell: async (order, card, { refresh }) => {
      const once = () => gateway.sale(order.id, order.amount, card)
      await orLost(once().catch((error) => (error.cause?.code === undefined ? lost : once())))
      await settleSoon(order, refresh)
    },
    onPress: async (order, sell) => (isFinal(order) || order.presses > 1 ? undefined : sell())
  },

  // Careless
  failsToContinue: {
    onStart: () => {
      if (orders.unfinished().length === 0) return
      console.error("cannot continue an order")
      process.exit(4)
    }
  },
  failsAfterLostAnswer: {
    sell: async (order, card, { refresh }) => {
      if ((await orLost(gateway.sale(order.id, order.amount, card))) === lost) return "failed"
      await settleSoon(order, refresh)
    }
  },
  newNumberAfterKill: { ...drops, goOn: undefined, sell: storesAfterAnswer(newId, 50) },
  dropsUnknownCallback: {
    ...drops,
    sell: storesAfterAnswer((name) => name),
    ask: async () => ({ status: "unknown" }),
    believes: true
  },
  waitsForCallbacks: {
    sell: (order, card) => orLost(gateway.sale(order.id, order.amount, card)),
    believes: true,
    goOn: async () => {}
  },
  firstStatusIsFinal: {
    sell: async (order, card) => {
      await orLost(gateway.sale(order.id, order.amount, card))
      await sleep(300)
      const { gatewayId, status } = await gateway.status(order.id)
      if (status === "approved") orders.markPaid(gatewayId, order.name)
      else orders.markFailed(order.name)
    },
    onCallback: async () => 200
  },
  lastCallbackWins: {
    onCallback: async (query) => {
      const name = orders.named(query.client_orderid)?.name
      if (query.type === "reversal") orders.markRefund("done", name)
      else if (query.status === "approved") {
        orders.markPaid(query.orderid, name)
        orders.markRefund(null, name)
      }
      return 200
    },
    refund: async (order) => {
      await orLost(gateway.refund(order, order.id))
      return "done"
    },
    isRefunded: () => false,
    goOn: async () => {}
  },
  writesRefundedFirst: {
    refund: async (order) => {
      orders.markRefund("done", order.name)
      await orLost(gateway.refund(order, order.id))
    }
  },
  refundsAgainWithNewName: {
    refund: async (order) => {
      for (let tries = 0; tries < 3; tries += 1) {
        const answer = await orLost(gateway.refund({ ...order, amount: "5.00" }, randomUUID()))
        if (answer !== lost) return orders.markRefund(answer.errors === undefined ? "done" : "failed", order.name)
      }
    }
  },
  refundsAllAgain: {
    refund: async (order) => {
      for (let tries = 0; tries < 3; tries += 1) {
        const answer = await orLost(gateway.refund(order, randomUUID()))
        if (answer !== lost) return orders.markRefund(answer.errors === undefined ? "done" : "failed", order.name)
      }
    },
    onCallback: async () => 200,
    isRefunded: () => false
  },
  tellsClerkFailed: {
    refund: async (order) => {
      const isLost = (await orLost(gateway.refund(order, order.id))) === lost
      if (!isLost) await sleep(200)
      return isLost ? "failed" : undefined
    }
  },
  refundsWholeForPart: { refundOnce: (order) => refundUnder(order, [order.amount]) },
  endsAtHtml: {
    sell: async (order, card, { refresh }) => {
      const answer = await orLost(gateway.sale(order.id, order.amount, card))
      if (answer === lost) {
        console.error("cannot read the answer of the gateway")
        process.exit(3)
      }
      await settleSoon(order, refresh)
    }
  },

  // Careless in ways of which no list knows
  capturesOnce: {
    sell: async (order, card, { refresh }) => {
      await orLost(gateway.sale(order.id, order.amount, card, "preauth"))
      await settleSoon(order, refresh)
      const { gatewayId, state } = orders.find(order.name)
      if (state === "paid") await orLost(gateway.capture({ ...order, gatewayId }))
    }
  },
  forgetsSecondHalf: {
    refund: async (order) => {
      const [first, second] = halves(order)
      const answer = await orLost(gateway.refund({ ...order, amount: first }, `${order.id}-0`))
      if (answer !== lost) await orLost(gateway.refund({ ...order, amount: second }, `${order.id}-1`))
      orders.markRefund("done", order.name)
    },
    isRefunded: () => false
  },
  givesUpAfterASecond: {
    goOn: async (order, { goOn, refresh }) => {
      if (Date.now() - order.createdMs > 1000) return orders.markFailed(order.name)
      await goOn(order, await refresh(order))
    },
    onCallback: async () => 200
  },
  cancelsWithoutLooking: {
    sell: async (order, card, { refresh }) => {
      if ((await orLost(gateway.sale(order.id, order.amount, card))) !== lost) return settleSoon(order, refresh)
      const { gatewayId } = await gateway.status(order.id)
      if (gatewayId !== undefined) await orLost(gateway.refund({ ...order, gatewayId }, order.id))
      orders.markFailed(order.name)
    },
    onCallback: async () => 200
  },
  ordersAtEachPress: {
    sell: async (order, card, { refresh }) => {
      const { id } = renamed(order)
      await orLost(gateway.sale(id, order.amount, card))
      await settleSoon(orders.find(order.name), refresh)
    },
    alone: (name, work) => work(orders.find(name))
  },
  ...planted
}

const [name] = process.argv.slice(2)
await open(habits[name])
