/**
 * The other JavaScript runtimes that are tested: the oldest Node version that the packages support and the next one, Bun and Deno, each
 * from the npm registry. A Node that is too old shows what it is told.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Workspace.ts"

interface Runtime {
  /** The package in the npm registry, with its exact version. */
  readonly install: string
  readonly program: string
  readonly arguments: ReadonlyArray<string>
}

const denoFlags = ["run", "--quiet", "--allow-all", "--node-modules-dir=manual"]

const runtimes = {
  node: { install: "node@22.19.0", program: "node", arguments: [] },
  node24: { install: "node@24.9.0", program: "node", arguments: [] },
  // The first of each, whose parser knows the least, and the last. None knows `with { type: "json" }` before 18.20 and 20.10.
  node18: { install: "node@18.0.0", program: "node", arguments: [] },
  node20: { install: "node@20.0.0", program: "node", arguments: [] },
  node20Newer: { install: "node@20.10.0", program: "node", arguments: [] },
  bun: { install: "bun@1.4.5", program: "bun", arguments: [] },
  deno: { install: "deno@2.9.6", program: "deno", arguments: denoFlags }
} as const satisfies Record<string, Runtime>
export type Name = keyof typeof runtimes

/** A runtime with its version, and the command with the arguments that precede a file. */
export interface Command {
  readonly name: string
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
}

/** Versions that are too old. */
export const older: ReadonlyArray<Name> = ["node18", "node20", "node20Newer"]

/** The runtimes on which every promise of the packages holds. */
export const promised: ReadonlyArray<Name> = ["node", "bun", "deno"]

const folderOf = (name: Name): string => join(root, ".tools/runtimes", name)

const commandOf = (name: Name): Command => {
  const { arguments: given, install, program } = runtimes[name]
  return { name: install.replace("@", " "), command: [join(folderOf(name), "node_modules/.bin", program), ...given] }
}

const isRunnable = ({ command: [program] }: Command): boolean => spawnSync(program, ["--version"]).status === 0

/** Installs missing runtimes into `.tools`. Returns those that can run on this machine. */
export const install = (names: ReadonlyArray<Name> = promised): ReadonlyArray<Command> => {
  for (const name of names) {
    if (existsSync(commandOf(name).command[0])) continue
    console.log(`Installing ${runtimes[name].install} into .tools/runtimes`)
    mkdirSync(folderOf(name), { recursive: true })
    writeFileSync(join(folderOf(name), "package.json"), JSON.stringify({ private: true }))
    const flags = ["--no-audit", "--no-fund", "--loglevel=error"]
    spawnSync("npm", ["install", ...flags, runtimes[name].install], { cwd: folderOf(name), stdio: "inherit" })
  }
  return names.map(commandOf).filter(isRunnable)
}

/** Installs the runtimes. Returns the names of those that cannot run on this machine. */
export const missing = (): ReadonlyArray<string> => {
  const found = new Set(install().map(({ name }) => name))
  return promised.map((name) => commandOf(name).name).filter((name) => !found.has(name))
}
