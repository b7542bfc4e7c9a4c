import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { serve } from "../../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as ShopProcess from "../src/ShopProcess.ts"

it.live("npm start reports a shop whose port is in use, and does not wait for it", () =>
  Effect.gen(function* () {
    const port = yield* serve((_, response) => response.end())
    const dataDirectory = yield* temporaryFolder
    const options = { gateway: "http://127.0.0.1:9", dataDirectory, port, officePassword: "test" }
    const { message } = yield* Effect.flip(ShopProcess.open(options)).pipe(Effect.timeout("30 seconds"))
    assert.include(message, `EADDRINUSE: address already in use 127.0.0.1:${port}`)
  })
)
