import { createServer } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as ShopProcess from "../src/ShopProcess.ts"

/** A port on which another server listens. */
const takenPort = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => void server.close())
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })
)

it.live("npm start reports a shop whose port is in use, and does not wait for it", () =>
  Effect.gen(function* () {
    const port = yield* takenPort
    const dataDirectory = yield* temporaryFolder
    const options = { gateway: "http://127.0.0.1:9", dataDirectory, port, officePassword: "test" }
    const { message } = yield* Effect.flip(ShopProcess.open(options)).pipe(Effect.timeout("30 seconds"))
    assert.include(message, `EADDRINUSE: address already in use 127.0.0.1:${port}`)
  })
)
