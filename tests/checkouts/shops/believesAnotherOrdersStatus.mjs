/** Takes every answer to its question for the answer about its order. */
import { createHash } from "node:crypto"
import { open } from "./carefulShop.mjs"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PAY_LOGIN } = process.env

const ask = async ({ amount, name }) => {
  const control = createHash("sha1").update(`${PAY_LOGIN}${name}${PAY_CONTROL_KEY}`).digest("hex")
  try {
    const response = await fetch(`${PAY_BASE_URL}/api/v2/status/${PAY_ENDPOINT_ID}`, {
      method: "POST",
      headers: { accept: "application/vnd.pay+json" },
      body: new URLSearchParams({ login: PAY_LOGIN, client_orderid: name, control }),
      signal: AbortSignal.timeout(5000)
    })
    const answer = await response.json()
    if (answer["error-code"] === "54") return { status: "missing" }
    const isRefunded = answer["returned-amount"] === amount
    return { status: answer.status ?? "unknown", gatewayId: answer["paynet-order-id"], isRefunded }
  } catch {
    return { status: "unknown" }
  }
}

await open({ ask })
