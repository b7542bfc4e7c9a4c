/**
 * The other JavaScript runtimes that are tested: the oldest Node version that the packages support, Bun and Deno, each from the
 * npm registry.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Workspace.ts"

interface Runtime {
  /** The package in the npm registry, with its exact version. */
  readonly install: string
  readonly arguments: ReadonlyArray<string>
}

const runtimes = {
  node: { install: "node@22.19.0", arguments: [] },
  bun: { install: "bun@1.4.5", arguments: [] },
  deno: { install: "deno@2.9.6", arguments: ["run", "--quiet", "--allow-all", "--node-modules-dir=manual"] }
} as const satisfies Record<string, Runtime>
export type Name = keyof typeof runtimes

/** A runtime with its version, and the command with the arguments that precede a file. */
export interface Command {
  readonly name: string
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
}

const names: ReadonlyArray<Name> = ["node", "bun", "deno"]
const folder = join(root, ".tools/runtimes")

const commandOf = (name: Name): Command => {
  const { arguments: given, install } = runtimes[name]
  return { name: install.replace("@", " "), command: [join(folder, "node_modules/.bin", name), ...given] }
}

const isRunnable = ({ command: [program] }: Command): boolean => spawnSync(program, ["--version"]).status === 0

/** Installs missing runtimes into `.tools`. Returns the runtimes that can run on this machine. */
export const install = (): ReadonlyArray<Command> => {
  const missing = names.filter((name) => !existsSync(commandOf(name).command[0]))
  if (missing.length > 0) {
    console.log(`Installing ${missing.join(", ")} into .tools/runtimes`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
    const flags = ["--no-audit", "--no-fund", "--loglevel=error"]
    const wanted = names.map((name) => runtimes[name].install)
    spawnSync("npm", ["install", ...flags, ...wanted], { cwd: folder, stdio: "inherit" })
  }
  return names.map(commandOf).filter(isRunnable)
}

/** Installs the runtimes. Returns the names of those that cannot run on this machine. */
export const missing = (): ReadonlyArray<string> => {
  const found = new Set(install().map(({ name }) => name))
  return names.map((name) => commandOf(name).name).filter((name) => !found.has(name))
}
