/** A stub gateway that refuses every request in the same way, after a while. */
import { Effect } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

/** Starts the gateway. `load` counts its requests, and how many of them waited at once. */
export const start = Effect.fnUntraced(function* (delayMs: (request: number) => number) {
  const load = { all: 0, atOnce: 0 }
  let waiting = 0
  const port = yield* serve((request, response) => {
    load.all += 1
    waiting += 1
    load.atOnce = Math.max(load.atOnce, waiting)
    request.resume()
    setTimeout(() => {
      waiting -= 1
      response
        .writeHead(400, { "content-type": "application/json" })
        .end('{"type":"validation-error","error-code":"1"}')
    }, delayMs(load.all))
  })
  return { baseUrl: `http://127.0.0.1:${port}`, load }
})
