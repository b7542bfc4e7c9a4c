/** Projects in folders outside of the repository, into which npm installs the files of a release, and in which they run. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { libraries, programs, read } from "./Workspace.ts"

/** The tarballs by the names of their packages. */
export type Tarballs = ReadonlyMap<string, string>

const settings = { NODE_OPTIONS: "", NO_COLOR: "1" }

interface Project {
  readonly folder: string
  /** Runs a program to its end, and returns what it prints. */
  readonly run: (program: string, args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => string
}

const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]

/** Makes a project with these tarballs and packages of the registry. */
const install = (parent: string, name: string, packages: ReadonlyArray<string>): Project => {
  const folder = mkdtempSync(join(parent, `${name} `))
  const run: Project["run"] = (program, args, env = {}) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", env: { ...process.env, ...settings, ...env } })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  run("npm", ["install", ...flags, ...packages])
  return { folder, run }
}

const tarballOf = (tarballs: Tarballs, name: string): string => {
  const file = tarballs.get(name)
  if (file === undefined) throw new Error(`the release has no ${name}`)
  return file
}

const bin = ({ folder }: Project, name: string): string => join(folder, "node_modules/.bin", name)

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return String(typeof address === "object" && address !== null ? address.port : 0)
}

/** The merchant of the sandbox, whose values `pay gateway start` prints; none is a secret. */
const sale = `
import { Pay } from "@pay/client"
const pay = Pay.fromEnv()
const { order, error } = await pay.cardSale({
  clientOrderId: "RELEASE-1", amount: "10.42", currency: "USD",
  card: { number: "4444555566661111", holder: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv: "123" },
  customer: { email: "ada@example.com", address1: "1 Main Street", city: "London", zipCode: "N1", country: "GB", ipAddress: "203.0.113.7" }
})
if (error !== undefined) throw error
console.log(order.status)
`

const expectText = (what: string, printed: string, part: string) => {
  if (!printed.includes(part)) throw new Error(`${what} printed no "${part}": ${printed.slice(0, 500)}`)
}

/** Starts the gateway's program, and waits until it answers. */
const openGateway = async (project: Project, port: string): Promise<ChildProcess> => {
  const env = { ...process.env, ...settings, PAY_PORT: port, PAY_DATA: join(project.folder, "data") }
  const child = spawn(bin(project, "pay-gateway"), ["sandbox"], {
    cwd: project.folder,
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = text(child.stdout).then((printed) =>
    Promise.reject(new Error(`the gateway ended: ${printed.slice(0, 500)}`))
  )
  const answers = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setImmediate(resolve))
    return answers()
  }
  await Promise.race([answers(), ended])
  ended.catch(() => undefined)
  return child
}

/** A payment with the three programs of a release, each in a project of its own. */
const pay = async (
  parent: string,
  tarballs: Tarballs,
  env: Readonly<Record<string, string>>,
  say: (text: string) => void
) => {
  const gateway = install(parent, "gateway", [tarballOf(tarballs, "@pay/gateway-program")])
  const port = await freePort()
  const child = await openGateway(gateway, port)
  try {
    const merchant = { ...env, PAY_BASE_URL: `http://127.0.0.1:${port}` }
    const shop = install(parent, "shop", [tarballOf(tarballs, "@pay/client")])
    writeFileSync(join(shop.folder, "sale.js"), sale)
    expectText("a sale", shop.run(process.execPath, ["sale.js"], merchant), "approved")
    say("the gateway's program and a sale of the client ran")
    const terminal = install(parent, "terminal", [tarballOf(tarballs, "@pay/cli")])
    expectText("pay status", terminal.run(bin(terminal, "pay"), ["status", "RELEASE-1"], merchant), "approved")
    for (const command of ["doctor", "explain", "listen", "crashtest", "conformance"])
      expectText(`pay ${command} --help`, terminal.run(bin(terminal, "pay"), [command, "--help"]), command)
    say("the command pay ran")
  } finally {
    child.kill()
  }
}

const importAll = `
const manifests = process.argv.slice(2)
const { readFileSync } = await import("node:fs")
let count = 0
for (const name of manifests) {
  const { exports } = JSON.parse(readFileSync("node_modules/" + name + "/package.json", "utf8"))
  for (const subpath of Object.keys(exports)) {
    await import(name + subpath.slice(1))
    count += 1
  }
}
console.log(count)
`

/** The version of a package that the repository is tested with. */
const versionOf = (name: string): string => {
  const line = read("pnpm-workspace.yaml")
    .split("\n")
    .find((each) => each.startsWith(`  ${name}: `))
  return line?.split(": ")[1] ?? ""
}

/** Every module of the libraries, in a project with what they need beside them. */
const load = (parent: string, tarballs: Tarballs, say: (text: string) => void) => {
  const names = libraries.map(({ manifest }) => manifest.name)
  // npm installs the peers that are not optional by itself.
  const optional = ["undici"].map((name) => `${name}@${versionOf(name)}`)
  const project = install(parent, "libraries", [...names.map((name) => tarballOf(tarballs, name)), ...optional])
  writeFileSync(join(project.folder, "import.js"), importAll)
  say(
    `${project.run(process.execPath, ["import.js", ...names]).trim()} modules of ${names.length} libraries were imported`
  )
}

/** What else is in the release contains data: npm installs it. */
const others = (parent: string, tarballs: Tarballs) => {
  const known = new Set([...libraries, ...programs].map(({ manifest }) => manifest.name))
  const data = [...tarballs].filter(([name]) => !known.has(name)).map(([, file]) => file)
  if (data.length > 0) install(parent, "data", data)
}

/** Installs and runs each tarball of a release. */
export const check = async (
  tarballs: Tarballs,
  merchant: Readonly<Record<string, string>>,
  say: (text: string) => void
): Promise<void> => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "pay release ")))
  try {
    await pay(parent, tarballs, merchant, say)
    load(parent, tarballs, say)
    others(parent, tarballs)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}
