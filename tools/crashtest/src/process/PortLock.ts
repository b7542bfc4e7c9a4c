/**
 * Keeps a second crash test from a shop's port, also while the shop is killed and the port is free. It ends with the process that
 * has it, in each case.
 */
import { unlinkSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/** A socket by name. Only on macOS and BSD it is a file, which stays when its process is killed. */
const nameOf = (port: number): string => {
  const name = `pay-crashtest-${port}`
  if (process.platform === "linux") return `\0${name}`
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

const listening = (name: string): Effect.Effect<Server | undefined> =>
  Effect.callback((resume) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen(name, () => resume(Effect.succeed(server)))
  })

const isAnswered = (name: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect(name)
    socket.once("connect", () => resume(Effect.succeed(true))).once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

const open = Effect.fnUntraced(function* (name: string) {
  const server = yield* listening(name)
  if (server !== undefined || (yield* isAnswered(name))) return server
  yield* Effect.ignore(Effect.try(() => unlinkSync(name)))
  return yield* listening(name)
})

/** Returns whether this crash test has the port until the end of the scope. */
export const take = (port: number): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.acquireRelease(open(nameOf(port)), (server) => Effect.sync(() => server?.close())).pipe(
    Effect.map((server) => server !== undefined)
  )
