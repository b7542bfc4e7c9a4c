/** A shop with its own gateway, which measures the time of each sale from the request to the callback. */

import * as Card from "@pay/schema/Card"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Pool } from "undici"
import * as Load from "../gateway/Load.ts"
import * as Servers from "../gateway/Servers.ts"
import * as Measure from "../Measure.ts"

const { SALE } = PayApi.operations
const sample = Sample.request(SALE)

const headers = { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" }

/** Returns a different card number for each sale: fifteen digits and the check digit. */
const cardOf = (turn: number): string => {
  const body = `444433${String(scattered(turn)).padStart(10, "0").slice(-9)}`
  return [..."0123456789"].map((digit) => body + digit).find(Card.luhn) ?? ""
}

/** Scatters a running number, because merchants' names of orders do not rise. */
const scattered = (turn: number): number => Math.imul(turn, 2_246_822_519) >>> 0

export interface Shop {
  /** Makes `count` sales by `customers` customers. Each customer waits for the callback of a sale before the next one. */
  readonly sell: (count: number, customers: number) => Promise<void>
  /** Times of all sales since the array was last emptied, in microseconds. */
  readonly micros: Array<number>
  /** Average processor time of the gateway for one sale, for each call of `sell`. */
  readonly cpuMicros: Array<number>
  /** Sends a request to the operator's API, as a POST if there is a body. Returns the time until the answer, in microseconds. */
  readonly ask: (path: string, body?: unknown) => Promise<number>
  /** The address of the gateway for operators. */
  readonly operatorUrl: string
  readonly close: () => void
}

/**
 * Opens a shop on an empty folder, or on the folder of a gateway that has ended. `url`: a database to use instead of the folder's
 * file. `before`: the number of sales that another shop made with the same database.
 */
export const open = async (folder: string, url?: string, before = 0): Promise<Shop> => {
  const waiting = new Map<string, (status: string) => void>()
  const listener = await Load.listen((target) => {
    const query = new URL(target, "http://shop").searchParams
    waiting.get(query.get("client_orderid") ?? "")?.(query.get("status") ?? "")
  })
  const server = await Servers.start("GatewayServer.ts", folder, "running", ...(url === undefined ? [] : [url]))
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 64, pipelining: 1 })
  const operators = new Pool(server.operatorUrl, { connections: 1, pipelining: 1 })
  const micros: Array<number> = []
  const cpuMicros: Array<number> = []
  let turn = before

  const sale = async (): Promise<void> => {
    const name = `sale-${scattered(++turn).toString(16)}`
    const card = cardOf(turn)
    const { body, path } = Load.form(SALE, {
      ...sample,
      client_orderid: name,
      credit_card_number: card,
      server_callback_url: listener.url
    })
    const callback = new Promise<string>((resolve) => waiting.set(name, resolve))
    const begun = Measure.wallMicros()
    const answer = await pool.request({ method: "POST", path, body, headers })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(text)
    const status = await callback
    micros.push(Measure.wallMicros() - begun)
    waiting.delete(name)
    if (status !== "approved") throw new Error(`The sale of ${name} with ${card} is ${status}`)
  }

  return {
    micros,
    cpuMicros,
    operatorUrl: server.operatorUrl,
    ask: async (path, body) => {
      const begun = Measure.wallMicros()
      const answer = await (path === "/readyz" ? pool : operators).request({
        method: body === undefined ? "GET" : "POST",
        path,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body)
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`)
      return Measure.wallMicros() - begun
    },
    sell: async (count, customers) => {
      const { cpuMicros: each } = await Servers.turn(server, count, async () =>
        Measure.inFlight(customers, sale)(count)
      )
      cpuMicros.push(each)
    },
    close: () => {
      server.stop()
      listener.close()
      void pool.destroy()
      void operators.destroy()
    }
  }
}
