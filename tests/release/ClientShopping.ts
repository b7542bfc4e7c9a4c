/** What customers and clerks do at the shop of docs/merchants/client.md. */
import { randomUUID } from "node:crypto"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import { expect } from "vitest"
import { card, customer } from "../../packages/client/test/Samples.ts"
import * as Approver from "../harness/Approver.ts"
import { goodCard } from "../harness/HostedPage.ts"
import { type Shop, submit, visit } from "./ClientShop.ts"

/** The issuer asks the holder of this card. */
const challenged = { ...card, number: "4444000011118888" }

const basket = () => ({ clientOrderId: randomUUID(), amount: "10.42", customer })

const post = async (shop: Shop, path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${shop.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return JSON.parse(await answer.text())
}

const statusOf = async (shop: Shop, { clientOrderId }: { readonly clientOrderId: string }): Promise<unknown> => {
  const { status } = JSON.parse(await (await fetch(`${shop.url}/orders/${clientOrderId}`)).text())
  return status
}

/** Repeats the request until the expectation holds, for a minute at most. */
const eventually = <A>(ask: () => Promise<A>) => expect.poll(ask, { interval: 100, timeout: 60_000 })

/** A payment on the page of the gateway, which the callback reports. */
const hostedSale = async (shop: Shop) => {
  const order = basket()
  const { url } = await post(shop, "/hosted", { basket: order })
  await visit(String(url), goodCard)
  await eventually(() => statusOf(shop, order)).toBe("approved")
  return order
}

/** Approves a payout, as the person whose key the gateway knows. */
const approve = async (publicBaseUrl: string, orderId: string) => {
  const { hostname: host, port } = new URL(publicBaseUrl)
  const decided = Effect.provideService(Approver.decide(orderId, "approve"), NodeServer, {
    ...{ host, port: Number(port), publicBaseUrl, operatorUrl: publicBaseUrl }
  })
  return (await Effect.runPromise(decided)).body
}

interface Gateway {
  readonly baseUrl: string
}

type Programs = Readonly<Record<string, (shop: Shop, gateway: Gateway) => Promise<void>>>

export const programs: Programs = {
  "is paid on the gateway's page, and receives the callback": async (shop) => {
    await hostedSale(shop)
  },

  "takes a card on its own page, with 3-D Secure": async (shop) => {
    const order = basket()
    const { url } = await post(shop, "/card", { basket: order, card: challenged })
    const go = String(url)
    const onPage = async (mark: string) => {
      await eventually(async () => (await visit(go)).body).toContain(mark)
      return visit(go)
    }
    await submit(await onPage("browserJavascriptEnabled"), { browserJavascriptEnabled: "false" })
    const issuer = await submit(await onPage('name="creq"'))
    const back = await submit(issuer, { password: "hint", action: "confirm" })
    await submit(back)
    await eventually(() => statusOf(shop, order)).toBe("approved")
    await eventually(async () => (await visit(go)).body).toContain('"approved"')
  },

  "refuses a forged callback": async (shop) => {
    const forged = new URLSearchParams({
      status: "approved",
      orderid: "1",
      client_orderid: "x",
      control: "0".repeat(40)
    })
    expect((await fetch(`${shop.url}/callback?${forged}`)).status).toBe(403)
  },

  "refunds a part once for repeated requests": async (shop) => {
    const { clientOrderId } = await hostedSale(shop)
    const part = { clientOrderId, name: "slip-17", amount: "2.00" }
    expect(await post(shop, "/refund", part)).toEqual({ returned: "2.00" })
    expect(await post(shop, "/refund", part)).toEqual({ returned: "2.00" })
    expect(await post(shop, "/refund", { ...part, name: "slip-18", amount: "20.00" })).toHaveProperty("code")
  },

  "starts and cancels a subscription": async (shop) => {
    const { id, ...others } = await post(shop, "/subscribe", { basket: basket(), card })
    expect(others).toEqual({})
    expect(await post(shop, "/cancel", { id, name: "moved away" })).toEqual({ status: "cancelled" })
  },

  "pays out after a second person has approved": async (shop, { baseUrl }) => {
    const payout = { clientOrderId: randomUUID(), amount: "5.00", accountNumber: "DE89370400440532013000" }
    const waiting = await post(shop, "/payout", payout)
    expect(waiting).toHaveProperty("orderStage", "payout_waiting_approval")
    expect(await approve(baseUrl, String(waiting.orderId))).toMatchObject({ state: "approved" })
    await eventually(() => post(shop, "/payout", payout)).toEqual({ ...waiting, orderStage: "payout_approved" })
  }
}
