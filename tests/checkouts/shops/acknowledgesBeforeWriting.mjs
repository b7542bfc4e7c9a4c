/** Acknowledges a callback, and writes it a moment later together with others. It asks only whether the gateway has the order. */
import { gateway, open, orders } from "./carefulShop.mjs"

let received = []

const onCallback = async (query) => {
  received.push(query)
  return 200
}

const writeAll = () => {
  const batch = received
  received = []
  for (const { client_orderid: name, orderid, status, type } of batch) {
    if (type === "reversal") orders.markRefund("done", name)
    else if (status === "approved") orders.markPaid(orderid, name)
    else orders.markFailed(name)
  }
}
setInterval(writeAll, 400)

const ask = async (order) => {
  const { status } = await gateway.status(order)
  return { status: status === "missing" ? status : "waiting for the callback" }
}

await open({ onCallback, ask, goOn: async () => {} })
