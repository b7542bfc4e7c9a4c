/** The account under which servers of tests run, since PostgreSQL and pgbouncer refuse root, and folders that it may use. */
import { type ExecFileException, execFile, spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Random } from "effect"

const idOf = (flag: "-u" | "-g", user: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout)

/** Options of a process that is a server; empty where this is not root. */
export const account: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: idOf("-u", "nobody"), gid: idOf("-g", "nobody") } : {}

/** Gives a file or a folder to the account. */
export const give = (path: string): void => {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid)
}

/** Writes a file that only the account may read. */
export const writeSecret = (path: string, content: string): void => {
  writeFileSync(path, content, { mode: 0o600 })
  give(path)
}

/** A private folder for temporary files is one that nobody else may enter. */
const mayEnter = (path: string): boolean => spawnSync("test", ["-x", path], account).status === 0
const temporary = [tmpdir(), "/tmp"].find(mayEnter) ?? tmpdir()

/** A folder of the account, removed with the scope. Its path is short, because it contains sockets. */
const folderIn = (place: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = mkdtempSync(join(place, "pay-pg-"))
      chmodSync(path, 0o755)
      give(path)
      return path
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

export const folder = folderIn(temporary)
export const folderInMemory = folderIn(process.env.PAY_TEST_MEMORY ?? temporary)

/** Runs a program of the server's to its end; a failure of it is a defect with what the program printed. */
export const run = (program: string, args: ReadonlyArray<string>, options: object = account) =>
  Effect.callback<void>((resume) => {
    const finish = (error: ExecFileException | null, _: string, stderr: string) =>
      resume(error === null ? Effect.void : Effect.die(new Error(`${program} failed: ${stderr}`)))
    execFile(program, [...args], { env: { LC_ALL: "C", PATH: process.env.PATH }, encoding: "utf8", ...options }, finish)
  })

const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

/** Returns a free port below those that systems give to outgoing connections, so that a restarted server finds it free again. */
export const freePort: Effect.Effect<number> = Effect.gen(function* () {
  for (;;) {
    const port = yield* Random.nextIntBetween(10_000, 32_000)
    if (yield* isFree(port)) return port
  }
})
