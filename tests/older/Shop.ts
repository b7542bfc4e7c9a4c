/** The shop behind a module: callbacks arrive there, as the queries that came over the wire; and its customer's browser. */
import { assert } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Context, Effect, Layer } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Older from "./OlderClient.ts"

export class Shop extends Context.Service<
  Shop,
  {
    readonly callbackUrl: string
    /** The callbacks about an order, each proved as PHP and Ruby do: 40 lower-case digits, compared strictly. */
    readonly callbacks: (orderid: string) => ReadonlyArray<Older.Fields>
  }
>()("tests/older/Shop") {}

const required = ["status", "orderid", "merchant_order", "client_orderid", "amount", "type", "control"]

export const prove = (fields: Older.Fields): void => {
  const { client_orderid = "", control, orderid = "", status = "" } = fields
  assert.strictEqual(control, Older.sha1(status, orderid, client_orderid, Older.controlKey))
}

export const layer = Layer.effect(
  Shop,
  Effect.gen(function* () {
    const arrived: Array<Older.Fields> = []
    const port = yield* serve(({ method, url = "" }, response) => {
      assert.strictEqual(method, "GET")
      arrived.push(Older.parse(url.slice(url.indexOf("?") + 1)))
      response.writeHead(200).end()
    })
    return {
      callbackUrl: `http://127.0.0.1:${port}/callback?shop=1`,
      callbacks: (orderid) => {
        const own = arrived.filter((fields) => fields.orderid === orderid)
        for (const fields of own) {
          assert.strictEqual(fields.shop, "1")
          for (const name of required) assert.isNotEmpty(fields[name], name)
          assert.strictEqual(fields.merchant_order, fields.client_orderid)
          prove(fields)
        }
        return own
      }
    }
  })
)

/** What a merchant would have of a proxy: the gateway's public address leads to the one that listens. */
const local = Effect.fnUntraced(function* (url: string) {
  const { host, port } = yield* NodeServer
  return url.replace("https://pay.example", `http://${host}:${port}`)
})

/** Opens a page, or posts a form, and follows redirects. */
export const browse = Effect.fnUntraced(function* (url: string, form?: Older.Fields) {
  return yield* HostedPage.browse(yield* local(url), form === undefined ? {} : { form })
})
