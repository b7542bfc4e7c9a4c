/** A shop's callback address on plain `node:http`; with Express, `app.get("/pay/callback", …)` does the same. */
import { createServer } from "node:http"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Console, Deferred, Effect, Redacted } from "effect"

const { SALE } = PayApi.operations
const keys = { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] }

/** Serves callbacks until the scope closes; gives the port. */
const serve = Effect.fn(function* (inbox: CallbackInbox.CallbackInbox["Service"]) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const server = createServer(async ({ headers, method = "", url = "" }, response) => {
    const { body, status } = await run(inbox.receive({ method, url, headers }))
    response.writeHead(status, { "content-type": "text/plain" }).end(body)
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
})

const program = Effect.gen(function* () {
  const paid = yield* Deferred.make<void>()
  const inbox = yield* CallbackInbox.make({
    keys,
    // What the shop does with an outcome. It may be told twice; a failure makes the gateway call again.
    onOrder: ({ clientOrderId, status }) =>
      Effect.andThen(Console.log(`${clientOrderId} is ${status}`), Deferred.succeed(paid, undefined))
  })
  const port = yield* serve(inbox)

  const client = yield* PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields({ ...Sample.request(SALE), client_orderid: "INV-1" }))
  yield* client.sale({ ...payment, server_callback_url: `http://127.0.0.1:${port}/pay/callback` })
  yield* inbox.expect({ clientOrderId: "INV-1" })
  yield* Deferred.await(paid)
}).pipe(Effect.scoped, Effect.timeout("1 minute"))

await Effect.runPromise(Effect.provide(program, Sandbox.listen()))
