/** Calls an order paid that is still processing at the third question: "it always was approved in the end". */
import { gateway, open } from "./carefulShop.mjs"

const polls = new Map()

const ask = async (order) => {
  const answer = await gateway.status(order)
  if (answer.status !== "processing" && answer.status !== "unknown") return answer
  const count = (polls.get(order.name) ?? 0) + 1
  polls.set(order.name, count)
  return count < 3 || answer.gatewayId === undefined ? answer : { ...answer, status: "approved" }
}

await open({ ask })
