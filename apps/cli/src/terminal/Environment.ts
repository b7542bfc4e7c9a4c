/** Settings and wall time for code that runs before Effect is loaded. Most commands never load Effect. */
import { enableCompileCache } from "node:module"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"
import * as Io from "./Io.ts"

/** Returns an environment variable. An empty one counts as not set. */
export const variable = (name: string): string | undefined => variables()[name] || undefined

/** Returns all environment variables, for the layers of the client. */
export const variables = (): Readonly<Record<string, string | undefined>> => Io.current()?.env ?? process.env

/** Returns the name of the account under which the program runs, or its number if the machine has no name for it. */
export const account = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/** Returns the wall time in seconds since 1970, for `oauth_timestamp`. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Returns the wall time in milliseconds since 1970. */
export const nowMs = (): number => Date.now()

/**
 * Enables the compile cache in the user's own folder. The default is a shared folder of the system, in which another user could
 * have placed code.
 */
export const keepCompiledCode = (): void => {
  if (Io.current()?.stdout !== undefined) return
  const folder = variable("NODE_COMPILE_CACHE") ?? join(variable("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "pay")
  enableCompileCache(folder)
}
