/** Projects in folders outside of the repository, into which npm installs the files of a release, and in which they run. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { libraries, programs, read } from "./Workspace.ts"

/** The tarballs by the names of their packages. */
export type Tarballs = ReadonlyMap<string, string>

/** The values of the sandbox's merchant, none of which is a secret. */
type Merchant = Readonly<Record<string, string>>

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

/** A sale of the merchant whose values the environment has. */
const sale = (load: string, clientOrderId: string): string => `
${load}
Pay.fromEnv().cardSale({
  clientOrderId: "${clientOrderId}", amount: "10.42", currency: "USD",
  card: { number: "4444555566661111", holder: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv: "123" },
  customer: { email: "ada@example.com", address1: "1 Main Street", city: "London", zipCode: "N1", country: "GB", ipAddress: "203.0.113.7" }
}).then(({ order, error }) => console.log(error ?? order.status))
`

const sales: Readonly<Record<string, string>> = {
  "import.mjs": sale('import { Pay } from "@pay/client"', "RELEASE-1"),
  "require.cjs": sale('const { Pay } = require("@pay/client")', "RELEASE-2")
}

/** What is asked of the command, and what its answer contains. The control of the last one was made of the amount in major units. */
const questions = [
  ["--version", /^\d+\.\d+\.\d+/],
  ["status RELEASE-2", /approved/],
  ["doctor", /^ok +signature +accepted/m],
  [
    "explain sale --client_orderid INV-1 --amount 10.42 --currency USD --email ada@example.com --received WRONG || true",
    /^The amount was signed in major units/
  ],
  ...["listen", "crashtest", "conformance"].map((command) => [`${command} --help`, /^Usage: pay /m] as const)
] as const satisfies ReadonlyArray<readonly [args: string, answer: RegExp]>

const wrongControl = ({ PAY_CONTROL_KEY = "", PAY_ENDPOINT_ID = "" }: Merchant): string =>
  createHash("sha1").update(`${PAY_ENDPOINT_ID}INV-110.42ada@example.com${PAY_CONTROL_KEY}`).digest("hex")

const expectText = (what: string, printed: string, part: RegExp) => {
  if (!part.test(printed)) throw new Error(`${what} printed no ${part}: ${printed.slice(0, 500)}`)
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

/** Payments with the three programs of a release, each in a project of its own. */
const pay = async (parent: string, tarballs: Tarballs, env: Merchant, ran: (what: string) => void) => {
  const gateway = install(parent, "gateway", [tarballOf(tarballs, "@pay/gateway-program")])
  const port = await freePort()
  const child = await openGateway(gateway, port)
  try {
    ran("the gateway's program starts, and answers")
    const merchant = { ...env, PAY_BASE_URL: `http://127.0.0.1:${port}` }
    const shop = install(parent, "shop", [tarballOf(tarballs, "@pay/client")])
    for (const [file, program] of Object.entries(sales)) {
      writeFileSync(join(shop.folder, file), program)
      expectText(file, shop.run(process.execPath, [file], merchant), /^approved$/m)
      ran(`the client makes a payment: ${file}`)
    }
    const terminal = install(parent, "terminal", [tarballOf(tarballs, "@pay/cli")])
    for (const [args, answer] of questions) {
      const line = `npx pay ${args.replace("WRONG", wrongControl(merchant))}`
      expectText(line, terminal.run("sh", ["-c", line], merchant), answer)
      ran(`the command answers: pay ${args.split(" --", 1)[0]}`)
    }
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

/** Every module of the libraries, in a project with what they need beside them, and the test of the sandbox's README. */
const load = (parent: string, tarballs: Tarballs, ran: (what: string) => void) => {
  const names = libraries.map(({ manifest }) => manifest.name)
  // npm installs the peers that are not optional by itself.
  const optional = ["undici"].map((name) => `${name}@${versionOf(name)}`)
  const project = install(parent, "libraries", [...names.map((name) => tarballOf(tarballs, name)), ...optional])
  writeFileSync(join(project.folder, "import.js"), importAll)
  const count = project.run(process.execPath, ["import.js", ...names]).trim()
  ran(`${count} modules of ${names.length} libraries are imported`)
  const [, code = ""] = read("gateway/sandbox/README.md").split("\n```ts\n")
  const [test] = code.split("\n```\n")
  writeFileSync(join(project.folder, "sandbox.mts"), `${test}\nconsole.log(await run())\n`)
  expectText("the sandbox", project.run(process.execPath, ["sandbox.mts"]), /\[ 'approved' \]/)
  ran("the sandbox sells, and delivers the callback")
}

/** What else is in the release contains data: npm installs it. */
const others = (parent: string, tarballs: Tarballs) => {
  const known = new Set([...libraries, ...programs].map(({ manifest }) => manifest.name))
  const data = [...tarballs].filter(([name]) => !known.has(name)).map(([, file]) => file)
  if (data.length > 0) install(parent, "data", data)
}

/** Installs and runs each tarball of a release, and says what ran. */
export const check = async (tarballs: Tarballs, merchant: Merchant, ran: (what: string) => void): Promise<void> => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "pay release ")))
  try {
    await pay(parent, tarballs, merchant, ran)
    load(parent, tarballs, ran)
    others(parent, tarballs)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}
