/**
 * Sends one request to each address, one after the other, and prints for each how the wire reports its end. Arguments: the wire, then
 * the addresses. It runs on each runtime that the packages support.
 */
import { argv } from "node:process"
import { Effect } from "effect"
import * as FetchWire from "../../src/FetchWire.ts"
import type { Wire } from "../../src/WirePort.ts"

const [, , name = "", ...urls] = argv
const headers = { accept: "*/*", "content-type": "application/x-www-form-urlencoded" }

const print = ({ send }: Wire["Service"]) =>
  Effect.forEach(urls, (url) =>
    send({ url, headers, body: "a=1", timeoutMs: 20_000 }).pipe(
      Effect.match({
        onFailure: ({ code, reason }) => `${reason} ${code}`,
        onSuccess: ({ status }) => `Answered ${status}`
      }),
      Effect.flatMap((line) => Effect.sync(() => console.log(line)))
    )
  )

/** undici is loaded only where it is used, because Bun and Deno need none. */
const undici = Effect.promise(async () => {
  const { load } = await import("../../src/UndiciExchange.ts")
  const { makeUndici } = await import("../../src/Wire.ts")
  return Effect.flatMap(load, (module) => makeUndici({}, module))
})

await Effect.runPromise(
  name === "undici" ? Effect.scoped(Effect.flatMap(Effect.flatten(undici), print)) : print(FetchWire.make())
)
