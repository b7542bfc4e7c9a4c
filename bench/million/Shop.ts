/** A shop in front of a gateway of its own, and how long each of its sales took, from the request to the callback. */

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

/** A card of its own for each sale: fifteen digits and the one that fits them. */
const cardOf = (turn: number): string => {
  const body = `444433${String(scattered(turn)).padStart(10, "0").slice(-9)}`
  return [..."0123456789"].map((digit) => body + digit).find(Card.luhn) ?? ""
}

/** Merchants' names of orders need not rise. */
const scattered = (turn: number): number => Math.imul(turn, 2_246_822_519) >>> 0

export interface Shop {
  /** So many sales, by so many customers who each wait for the callback of one before they begin the next. */
  readonly sell: (count: number, customers: number) => Promise<void>
  /** Of every sale since it was last emptied. */
  readonly micros: Array<number>
  /** Processor time that the gateway took for a sale, on average of a `sell`. */
  readonly cpuMicros: Array<number>
  /** How long the gateway takes to answer an operator; with a body it is posted. */
  readonly ask: (path: string, body?: unknown) => Promise<number>
  readonly close: () => void
}

/**
 * On a folder that is empty, or another gateway's that has ended. `url`: a database in place of the folder's file. `before`: how many
 * sales another shop made there.
 */
export const open = async (folder: string, url?: string, before = 0): Promise<Shop> => {
  const waiting = new Map<string, (status: string) => void>()
  const ear = await Load.listen((target) => {
    const query = new URL(target, "http://shop").searchParams
    waiting.get(query.get("client_orderid") ?? "")?.(query.get("status") ?? "")
  })
  const server = await Servers.start("GatewayServer.ts", folder, "running", ...(url === undefined ? [] : [url]))
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 64, pipelining: 1 })
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
      server_callback_url: ear.url
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
    ask: async (path, body) => {
      const begun = Measure.wallMicros()
      const answer = await pool.request({
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
      ear.close()
      void pool.destroy()
    }
  }
}
