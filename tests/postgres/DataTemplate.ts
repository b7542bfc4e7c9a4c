/** The data folder of a new server: made by `initdb` once for a version of PostgreSQL, then copied. */
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { root } from "../../scripts/Workspace.ts"
import { account, give, run, writeSecret } from "./ServerAccount.ts"

/** The password of the superuser `postgres`, which clients need on the port and nobody needs on the socket. */
export const superuserPassword = "only-for-tests"

/** The name of the setting with the folder of a data folder whose database has the tables of a store. `Build.ts` makes it. */
export const setting = "PAY_TEST_STORE_TEMPLATE"

/** The name of the setting with the URL of the superuser on the server that all tests of a run share. `Build.ts` starts it. */
export const serverSetting = "PAY_TEST_STORE_SERVER"

/** The database of the shared server that has the tables of a store. It is unused, so that it can be copied. */
export const storeDatabase = "pay_store"

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const modules = join(root, "node_modules")
const cache = mayWrite(modules) ? join(modules, ".cache/pay") : tmpdir()

const initialize = (programs: string, data: string, passwordFile: string) => {
  writeSecret(passwordFile, superuserPassword)
  mkdirSync(data, { mode: 0o700 })
  give(data)
  const rules = ["--auth-local", "trust", "--auth-host", "scram-sha-256", "--pwfile", passwordFile]
  const args = ["--pgdata", data, "--username", "postgres", "--encoding", "UTF8", "--no-locale", "--no-sync", ...rules]
  return run(join(programs, "initdb"), args)
}

/** The data folder of a new server, made if it does not exist. */
const templateOf = Effect.fnUntraced(function* (programs: string, folder: string) {
  const version = spawnSync(join(programs, "postgres"), ["--version"], { encoding: "utf8" }).stdout
  const template = join(cache, `${version.trim()} ${process.getuid?.() ?? ""}`.replace(/[^\w.]+/g, "-"))
  if (!existsSync(template)) {
    yield* initialize(programs, join(folder, "template"), join(folder, "password"))
    mkdirSync(cache, { recursive: true })
    const beside = mkdtempSync(`${template}-`)
    yield* run("cp", ["-R", join(folder, "template"), join(beside, "data")], {})
    // Another process may have been first, whose template is as good.
    yield* Effect.ignore(Effect.try(() => renameSync(beside, template)))
    for (const path of [beside, join(folder, "template")]) rmSync(path, { recursive: true, force: true })
  }
  return template
})

/**
 * Makes `data`, which does not exist yet, the data folder of a new server; `folder` belongs to the account. With `hasStore` its database
 * has the tables of a store, if they were made for this run.
 */
export const copyTo = Effect.fnUntraced(function* (programs: string, folder: string, data: string, hasStore: boolean) {
  const made = hasStore ? process.env[setting] : undefined
  const template = made ?? (yield* templateOf(programs, folder))
  yield* run("cp", ["-R", join(template, "data"), data], {})
  if (account.uid !== undefined) yield* run("chown", ["-R", `${account.uid}:${account.gid}`, data], {})
})
