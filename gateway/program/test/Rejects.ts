/** A program with a promise that is rejected and that nothing awaits, as an adapter may leave one. */
import { Effect } from "effect"
import * as Running from "../src/Running.ts"

Running.main(() =>
  Effect.gen(function* () {
    void Promise.reject(new Error("the second request failed, too"))
    yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
    yield* Effect.log("It goes on")
    return yield* Effect.interrupt
  })
)
