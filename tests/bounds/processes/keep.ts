/** Gives one collection many short texts, each cut out of a long one: `node keep.ts NAME`. Prints `kept` when it has all of them. */
import * as CallbackStore from "@pay/flows/CallbackStore"
import * as Steps from "@pay/flows/Steps"
import { Effect } from "effect"

const [, , name = ""] = process.argv
const count = 1000
const callbacks = CallbackStore.makeMemory()
const steps = Steps.makeMemory()

/** Returns 40 characters of a text of 200 KB. */
const part = (n: number): string => Buffer.alloc(200_000, `${n} is a number. `).toString().slice(0, 40)

const collections: Readonly<Record<string, (n: number) => Effect.Effect<unknown, unknown>>> = {
  "early callbacks": (n) => callbacks.addEarly({ clientOrderId: part(n), webhookId: part(n) }),
  "signals of flows": (n) => steps.signal(String(n), part(n))
}

for (let n = 0; n < count; n += 1) await Effect.runPromise(collections[name]?.(n) ?? Effect.fail("no such collection"))
console.log("kept")
