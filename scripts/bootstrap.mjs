// Runs a command of this repository on any machine that has Node ≥ 18 and npm.
//
//   node scripts/bootstrap.mjs start|test|test:all|build|typecheck|check|bench|docs|docs:site|test:external|simulate|soak|drill|mutate|conformance|conformance:planted|release:dry|node [arguments…]
//
// The first run installs the exact pnpm into .tools, the packages into node_modules and, with them, the pinned Node;
// later runs find a stamp and start at once, without network. Plain JavaScript and built-ins only: it has to start on
// whatever Node the host has, before anything is installed.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const commands = {
  start: ["tools/demo/src/main.ts"],
  test: ["scripts/test.ts"],
  "test:all": ["scripts/test.ts", "--all"],
  build: ["node_modules/turbo/bin/turbo", "run", "build"],
  typecheck: ["node_modules/turbo/bin/turbo", "run", "typecheck"],
  check: ["scripts/test.ts", "--project", "rules"],
  bench: ["scripts/bench.ts"],
  docs: ["scripts/docs.ts"],
  "docs:site": ["tools/docs/src/main.ts"],
  "test:external": ["tools/docs/scripts/external.ts"],
  simulate: ["tests/simulation/simulate.ts"],
  soak: ["tests/processes/soak.ts"],
  drill: ["tests/drill/drill.ts"],
  mutate: ["tests/mutation/mutate.ts"],
  conformance: ["tests/gateways/reports.ts"],
  "conformance:planted": ["tests/gateways/planted.ts"],
  "release:dry": ["scripts/release.ts"],
  "crashtest:examples": ["tools/crashtest/scripts/examples.ts"],
  node: []
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, "node_modules/.bin")
const pinnedNode = join(bin, "node")
const pnpm = join(root, ".tools/node_modules/.bin/pnpm")
const stamp = join(root, "node_modules/.installed")

const main = () => {
  const [command = "", ...rest] = process.argv.slice(2)
  if (!Object.hasOwn(commands, command)) stop(`the command is one of: ${Object.keys(commands).join(", ")}`)
  const inputs = fingerprint()
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== inputs) install(inputs)
  run(nodeToUse(), [...commands[command], ...rest])
}

/** Returns everything on which an installation depends, as one text. A different platform needs a different installation. */
const fingerprint = () => {
  const folders = ["packages", "gateway", "acquirers", "tools", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name))
  )
  const manifests = [".", "tests", "examples", ...folders].map((folder) => join(folder, "package.json")).sort()
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}

const install = (inputs) => {
  if (process.platform === "win32") stop("Windows is not supported; run this inside WSL 2 (a Linux shell)")
  if (!writable(root))
    stop(`this user may not write to ${root}; run the command once as the owner of the folder, or use your own clone`)
  mkdirSync(join(root, ".tools"), { recursive: true })
  const { packageManager, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const platform = `${process.platform}-${process.arch}`
  if (!Object.keys(optionalDependencies).some((name) => name.endsWith(platform))) hostNode()
  const [, version] = packageManager.split("@")
  if (installedPnpm() !== version) installPnpm(version)
  say("installing the packages and the pinned Node (the first time this takes up to a minute)")
  // Supply-chain policies are checked when the lockfile is written; here, its integrity hashes are sufficient.
  const flags = ["--frozen-lockfile", "--trust-lockfile", "--prefer-offline", "--reporter=append-only"]
  const { status, error } = spawnSync(pnpm, ["install", ...flags], quietly())
  if (error || status !== 0) {
    stop(
      "the packages could not be installed; the reason is in pnpm's lines above.\n" +
        "  No network: the first run needs the npm registry once. Behind a mirror or proxy: npm config set registry URL, or proxy URL.\n" +
        `  If pnpm-lock.yaml is out of date: run ${pnpm} install, and commit the file.`
    )
  }
  // The pinned Node needs glibc. Where it does not run, it is removed, and the host's Node is used.
  if (spawnSync(pinnedNode, ["--version"]).status !== 0) rmSync(pinnedNode, { force: true })
  writeFileSync(stamp, inputs)
}

/** Limits the retries of the installers, which would otherwise try for minutes without a network. */
const patience = Object.fromEntries(
  ["npm", "pnpm"].flatMap((name) => [
    [`${name}_config_fetch_retries`, "2"],
    [`${name}_config_fetch_retry_mintimeout`, "1000"],
    [`${name}_config_fetch_retry_maxtimeout`, "5000"]
  ])
)

/** Options for the installers: output on stderr, no questions. A user without a home folder gets one in .tools for the caches. */
const quietly = () => {
  const home = join(root, ".tools/home")
  const own = writable(process.env.HOME ?? "") ? {} : { HOME: home, npm_config_cache: join(home, ".npm") }
  return { cwd: root, stdio: ["ignore", 2, 2], env: { ...patience, ...process.env, ...own } }
}

const installedPnpm = () => {
  const manifest = join(root, ".tools/node_modules/pnpm/package.json")
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined
}

/** Installs into a separate folder and renames it, so that an interrupted installation is never taken for a complete one. */
const installPnpm = (version) => {
  say(`installing pnpm ${version} into .tools`)
  const beside = join(root, `.tools/${process.pid}`)
  const flags = ["--no-save", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
  const npm = spawnSync("npm", ["install", "--prefix", beside, ...flags, `pnpm@${version}`], quietly())
  if (npm.error?.code === "ENOENT") stop("npm was not found; it comes with Node.js: https://nodejs.org")
  if (npm.status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    stop(
      "pnpm could not be installed; the reason is in npm's lines above.\n" +
        "  No network: the first run needs the npm registry once. Behind a mirror or proxy: npm config set registry URL, or proxy URL."
    )
  }
  // Another process may have completed the same installation first.
  if (installedPnpm() !== version) {
    rmSync(join(root, ".tools/node_modules"), { recursive: true, force: true })
    renameSync(join(beside, "node_modules"), join(root, ".tools/node_modules"))
  }
  rmSync(beside, { recursive: true, force: true })
}

/** Returns the pinned Node if its binary runs here, otherwise (another libc or processor) the host's Node. */
const nodeToUse = () => (existsSync(pinnedNode) ? pinnedNode : hostNode())

const hostNode = () => {
  const { engines } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"))
  const oldestNode = engines.node.match(/\d+/g).map(Number)
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath
  return stop(
    `there is no pinned Node for ${process.platform}-${process.arch}, and this one is ${process.versions.node}: ` +
      `install Node ≥ ${oldestNode.join(".")} and run the command again`
  )
}

/** Runs the command in place of this process: its output, its signals and its exit code pass through unchanged. */
const run = (node, args) => {
  const path = [bin, dirname(pnpm), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: "1" }
  // `start` gets an IPC channel, which closes when this process ends for any reason, so that the child ends, too.
  const stdio = ["inherit", "inherit", "inherit", ...(args.includes(commands.start[0]) ? ["ipc"] : [])]
  const child = spawn(node, args, { cwd: root, env, stdio })
  // A terminal sends SIGINT to the whole process group, so the child already has it. A second SIGINT would force the child to
  // quit.
  const forward = { SIGINT: !process.stdin.isTTY, SIGTERM: true, SIGHUP: true }
  for (const [signal, pass] of Object.entries(forward)) process.on(signal, () => pass && child.kill(signal))
  if (process.env.npm_lifecycle_event !== undefined) {
    const before = ancestry()
    setInterval(() => ancestry() === before || child.kill("SIGTERM"), 500).unref()
  }
  child.on("error", (error) => stop(`${node} does not start: ${error.message}`))
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of Object.keys(forward)) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

/**
 * Returns the ids of the parent and the grandparent process. They change when npm is killed, which sends no signal to its
 * children.
 */
const ancestry = () => {
  try {
    return `${process.ppid} ${readFileSync(`/proc/${process.ppid}/stat`, "utf8")
      .replace(/^.*\) \S /s, "")
      .split(" ", 1)}`
  } catch {
    return `${process.ppid}`
  }
}

const say = (text) => process.stderr.write(`pay: ${text}\n`)

const stop = (text) => {
  say(text)
  process.exit(1)
}

const writable = (folder) => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

main()
