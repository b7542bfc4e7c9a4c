/** The pages of the operators' console, each beside the bare query that its answer rests on, read from the same file. */
import { DatabaseSync } from "node:sqlite"
import { Order, OrderRequest } from "@pay/gateway/Entities"
import { Pool } from "undici"
import * as Measure from "../Measure.ts"

const rounds = 15
const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
const newest = `SELECT * FROM ${Order.name} ORDER BY createdAtMs DESC, orderId DESC LIMIT`
const unknown = `SELECT * FROM ${OrderRequest.name} WHERE progress = 'unknown' ORDER BY acceptedAtMs LIMIT`

interface Page {
  readonly id: string
  readonly name: string
  readonly path: string
  /** The fields of a form, beside its token. Without them the page is read. */
  readonly fields?: Readonly<Record<string, string>>
  readonly query: string
}

const pagesOf = (order: string): ReadonlyArray<Page> => [
  { id: "M5", name: "Now", path: "now", query: `${unknown} 1000` },
  { id: "M6", name: "Orders", path: "orders", query: `${newest} 50` },
  { id: "M7", name: "Order", path: `orders/${order}`, query: `SELECT * FROM ${Order.name} WHERE orderId = '${order}'` },
  { id: "M8", name: "Unknown", path: "unknown", query: `${unknown} 50` },
  {
    id: "M9",
    name: "search by e-mail",
    path: "search",
    fields: { q: "nobody@shop.example" },
    query: `SELECT * FROM ${Order.name} WHERE customer = 'nobody@shop.example' LIMIT 50`
  }
]

/** Signs in at a gateway that has no operators. Returns what asks for a page, and the token of its forms. */
const signIn = async (pool: Pool) => {
  const answer = await pool.request({ method: "POST", path: "/console/sign-in", headers: form, body: "token=" })
  await answer.body.dump()
  const cookie = String(answer.headers["set-cookie"]).split(";", 1)[0] ?? ""
  const ask = async (path: string, fields?: Readonly<Record<string, string>>): Promise<string> => {
    const { body } = await pool.request({
      method: fields === undefined ? "GET" : "POST",
      path: `/console/${path}`,
      headers: { cookie, ...(fields === undefined ? { "sec-fetch-site": "same-origin" } : form) },
      body: fields === undefined ? null : new URLSearchParams(fields).toString()
    })
    return body.text()
  }
  const [, formToken = ""] = /name="formToken" value="([^"]+)"/.exec(await ask("orders")) ?? []
  return { ask, formToken }
}

/** Returns a row for each page: the median time until its answer, and that of the bare query. `path`: the file of the store. */
export const rows = async (operatorUrl: string, path: string): Promise<ReadonlyArray<Measure.Row>> => {
  const database = new DatabaseSync(path, { readOnly: true })
  const pool = new Pool(operatorUrl, { connections: 1, pipelining: 1 })
  try {
    const { ask, formToken } = await signIn(pool)
    const order = String(database.prepare(`SELECT orderId FROM ${Order.name} LIMIT 1`).get()?.orderId)
    const measured: Array<Measure.Row> = []
    for (const { fields, id, name, path: page, query } of pagesOf(order)) {
      const statement = database.prepare(query)
      const [ours, bare]: [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round < rounds; round++) {
        const begunMicros = Measure.wallMicros()
        await ask(page, fields && { ...fields, formToken })
        const answeredMicros = Measure.wallMicros()
        statement.all()
        ours.push(answeredMicros - begunMicros)
        bare.push(Measure.wallMicros() - answeredMicros)
      }
      const [oursMicros, baselineMicros] = [Measure.median(ours), Measure.median(bare)]
      measured.push(
        Measure.noted({
          id,
          measure: `page of the console: ${name} / its bare query`,
          ours: Measure.micros(oursMicros),
          baseline: Measure.micros(baselineMicros),
          ratio: oursMicros / baselineMicros,
          aim: "none"
        })
      )
    }
    return measured
  } finally {
    database.close()
    await pool.destroy()
  }
}
