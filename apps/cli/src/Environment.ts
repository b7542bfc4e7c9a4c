/** What the program takes from outside before Effect is loaded, which most of it never is: settings and wall time. */
import { enableCompileCache } from "node:module"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"
import * as Io from "./Io.ts"

/** An environment variable; an empty one counts as not set. */
export const variable = (name: string): string | undefined => variables()[name] || undefined

/** All of them, for the layers of the client. */
export const variables = (): Readonly<Record<string, string | undefined>> => Io.current()?.env ?? process.env

/** Whose account the program runs under; a number where the machine knows no name for it. */
export const account = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/** Wall time, for `oauth_timestamp`. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Wall time. */
export const nowMs = (): number => Date.now()

/**
 * Compiled code is kept in the user's own folder: in the shared one of the system, which is the default, another user
 * could have put it there first.
 */
export const keepCompiledCode = (): void => {
  if (Io.current()?.stdout !== undefined) return
  const folder = variable("NODE_COMPILE_CACHE") ?? join(variable("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "pay")
  enableCompileCache(folder)
}
