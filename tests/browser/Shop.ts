/** A merchant's site on the loopback, to which customers return with the fields that the gateway sends along. */
import type { IncomingMessage } from "node:http"
import { assert } from "@effect/vitest"
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import { Context, Effect, Layer } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"
import { controlKey } from "../harness/Credentials.ts"

export interface CustomerReturn {
  readonly status: string
  readonly orderid: string
  readonly client_orderid: string
}

export class Shop extends Context.Service<
  Shop,
  {
    readonly url: string
    /** The returns of an order's customer that the gateway has signed, in the order of arrival. */
    readonly returns: (orderid: string) => ReadonlyArray<CustomerReturn>
  }
>()("tests/browser/Shop") {}

const read = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  const parsed = Form.parse(text)
  assert(parsed.ok)
  return parsed.parameters
}

const thanks = (status: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,"></head><body><h1>Welcome back: ${status}</h1></body></html>`

export const layer = Layer.effect(
  Shop,
  Effect.gen(function* () {
    const returned: Array<CustomerReturn> = []
    const port = yield* serve(async (request, response) => {
      const parameters = request.method === "POST" ? await read(request) : []
      const isSigned = Callback.verify(parameters, [controlKey]).ok
      const { client_orderid = "", orderid = "", status = "" } = Object.fromEntries(parameters)
      if (isSigned) returned.push({ status, orderid, client_orderid })
      response
        .writeHead(isSigned ? 200 : 403, { "content-type": "text/html" })
        .end(thanks(isSigned ? status : "unsigned"))
    })
    return {
      url: `http://127.0.0.1:${port}/back?basket=7`,
      returns: (orderid: string) => returned.filter((customer) => customer.orderid === orderid)
    }
  })
)
