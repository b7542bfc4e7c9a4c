/**
 * Runs public clients of the older dialect against sandboxes. Their code is not part of this repository: `PAY_EXTERNAL_CLIENTS` names
 * a folder that has a clone of each, under the name of its repository. What a Node client needs comes from the npm registry. The
 * programs in `clients/` call the code of a client as its users do, and print a line for each promise.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Sandbox from "@pay/server/Sandbox"
import { root } from "../../../scripts/Workspace.ts"
import * as Progress from "./Progress.ts"

/** One promise of a client, whose name has the commit of its clone: `php-library-payneteasy-api at ff40801`. */
export interface ClientRun {
  readonly client: string
  readonly promise: string
  readonly problem: string | undefined
}

/** A client that was not run, and why. */
export interface Left {
  readonly client: string
  readonly why: string
}

interface Client {
  /** The repository, without its owner. */
  readonly repository: string
  /** The folder of the client's code in its repository. */
  readonly folder: string
  /** The name of the module, for `npm start -- --module`. */
  readonly module: string
  readonly command: readonly [program: string, ...before: ReadonlyArray<string>]
  readonly driver: string
  /** The address that the driver gets. */
  readonly address: string
  /** Packages of the npm registry that the client needs. */
  readonly packages?: ReadonlyArray<string>
  /** Another repository that the client needs, and the folder of its code. */
  readonly library?: { readonly repository: string; readonly folder: string }
}

/** A client, or the sandbox of one, that takes longer than this is ended. */
const timeoutMs = 300_000

const port = 18_443
const plain = `http://127.0.0.1:${port}/`
const library = `${plain}paynet/api/v2/`
const php = { command: ["php"], driver: "php-library.php", module: "php-library", address: library } as const
const phpLibrary = { repository: "php-library-payneteasy-api", folder: "source" } as const
const shop = { command: ["php"], driver: "paynet-api.php", folder: "", address: plain } as const

const clients: ReadonlyArray<Client> = [
  { ...php, ...phpLibrary },
  { ...php, repository: "wooCommerce-pne-module", folder: "" },
  {
    ...php,
    repository: "php-plugin-prestashop",
    folder: "modules/payneteasy",
    driver: "prestashop.php",
    library: phpLibrary
  },
  {
    repository: "php-plugin-woocommerce",
    folder: "wc-payneteasy",
    module: "woocommerce",
    command: ["php"],
    driver: "shop-module.php",
    address: "https://127.0.0.1/"
  },
  { ...shop, repository: "php-plugin-opencart-4", module: "opencart" },
  { ...shop, repository: "php-plugin-magento-2", module: "magento" },
  { ...shop, repository: "php-plugin-cscart", module: "cs-cart" },
  {
    repository: "ruby-integration-examples",
    folder: "",
    module: "ruby-library",
    command: ["ruby", "-W0"],
    driver: "ruby-library.rb",
    address: library
  },
  {
    repository: "node-payneteasy",
    folder: "",
    module: "node",
    command: [process.execPath],
    driver: "node-client.cjs",
    address: "127.0.0.1",
    packages: ["lodash-node@3.10.2", "when@3.7.8"]
  },
  {
    repository: "payneteasy-v4-api-examples-php",
    folder: "",
    module: "oauth",
    command: ["php"],
    driver: "oauth-examples.php",
    address: "127.0.0.1"
  }
]

/** Clients that docs/merchants/older-dialect.md mentions, and that no program in `clients/` calls. */
const withoutProgram: ReadonlyArray<Left> = [
  { client: "Zotapay", why: "it is in C#, and tools/docs/clients has no program that calls it" }
]

/** Finds the clone of a repository, whatever the folder says of its owner: `OWNER+NAME`, `OWNER-NAME` or `NAME`. */
export const cloneOf = (folder: string, repository: string): string | undefined => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const name = readdirSync(folder).find(
    (each) => each === repository || (/[+-]/.test(each.at(-repository.length - 1) ?? "") && each.endsWith(repository))
  )
  return name === undefined ? undefined : join(folder, name)
}

/** Names a client with its commit. A copy without a history of its own has only the name. */
export const labelOf = (folder: string, repository: string): string => {
  const gitFolder = join(cloneOf(folder, repository) ?? folder, ".git")
  const { status, stdout } = spawnSync("git", ["--git-dir", gitFolder, "rev-parse", "--short=7", "HEAD"], {
    encoding: "utf8"
  })
  return status === 0 ? `${repository} at ${stdout.trim()}` : repository
}

/** Folders of a client's code, and of the library's that it needs. */
interface Clones {
  readonly code: string
  readonly library: string
}

/** Returns the name of the repository instead that has no clone in the folder. */
const clonesOf = (folder: string, { folder: inCode, library, repository }: Client): Clones | string => {
  const code = cloneOf(folder, repository)
  if (code === undefined) return repository
  if (library === undefined) return { code: join(code, inCode), library: "" }
  const other = cloneOf(folder, library.repository)
  return other === undefined ? library.repository : { code: join(code, inCode), library: join(other, library.folder) }
}

const isInstalled = (program: string): boolean =>
  program === "php"
    ? spawnSync("php", ["-r", 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0
    : spawnSync(program, ["--version"]).error === undefined

const mayListen = (on: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(on, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** Installs what a client needs from the npm registry. Returns whether it is there. */
const installed = (folder: string, packages: ReadonlyArray<string>): boolean =>
  packages.length === 0 ||
  spawnSync("npm", ["install", "--no-save", "--no-audit", "--prefix", folder, ...packages], { stdio: "ignore" })
    .status === 0

/** Starts the sandbox for a module by the command of docs/merchants/older-dialect.md. Returns after it has printed its settings. */
const startModule = async (module: string, data: string) => {
  const child = spawn(process.execPath, [join(root, "scripts/bootstrap.mjs"), "start", "--module", module], {
    env: { ...process.env, PAY_DATA: data, PAY_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs
  })
  const lines: Array<string> = []
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on("line", (line) => {
        lines.push(line)
        if (line.includes("Ctrl-C")) resolve(true)
      })
    child.once("close", () => resolve(false))
  })
  const stop = () => {
    child.kill()
    return ended
  }
  return { isReady: await ready, output: () => lines.join("\n"), stop }
}

/** Reads what a program in `clients/` has printed. A program that ends early, or promises nothing, has failed. */
export const runsOf = (client: string, output: string, exitCode: number | null): ReadonlyArray<ClientRun> => {
  const runs = output.split("\n").flatMap((line): ReadonlyArray<ClientRun> => {
    const [verdict, promise = "", problem] = line.split("\t")
    if (verdict !== "ok" && verdict !== "FAILED") return []
    return [{ client, promise, problem: verdict === "ok" ? undefined : (problem ?? "") }]
  })
  return exitCode === 0 && runs.length > 0
    ? runs
    : [...runs, { client, promise: "runs to its end", problem: output.slice(-300) }]
}

const drive = async (client: Client, { code, library }: Clones, data: string): Promise<ReadonlyArray<ClientRun>> => {
  const { command, driver, repository } = client
  const [program, ...before] = command
  const { controlKey, endpoints, login } = Sandbox.olderMerchant
  const args = [
    client.address,
    login,
    controlKey,
    endpoints.usd,
    endpoints.threedsGateway,
    join(data, "sandbox/module.pem"),
    library
  ]
  const child = spawn(program, [...before, join(import.meta.dirname, "../clients", driver), code, ...args], {
    env: {
      ...process.env,
      NODE_PATH: join(data, "npm/node_modules"),
      NODE_EXTRA_CA_CERTS: join(data, "sandbox/tls/certificate.pem")
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += String(bytes)))
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return runsOf(repository, output, exitCode)
}

/** Returns why a client cannot be run on this machine. The text names no path, because it is published. */
const obstacle = async ({ address, command: [program] }: Client): Promise<string | undefined> => {
  const ports = address.startsWith("http:") ? [port] : [port, 443]
  if (!isInstalled(program))
    return program === "php" ? "PHP with curl is not installed: php-cli, php-curl" : `${program} is not installed`
  for (const each of ports)
    if (!(await mayListen(each))) return `this user may not listen on port ${each}, or another program does`
  return undefined
}

const runCode = async (client: Client, clones: Clones, data: string): Promise<ReadonlyArray<ClientRun> | Left> => {
  const { module, packages = [], repository } = client
  if (!installed(join(data, "npm"), packages))
    return { client: repository, why: `npm could not install ${packages.join(" and ")}` }
  const sandbox = await startModule(module, join(data, "sandbox"))
  const runs = sandbox.isReady
    ? await drive(client, clones, data)
    : [{ client: repository, promise: "its sandbox starts", problem: sandbox.output().slice(-300) }]
  await sandbox.stop()
  return runs
}

const runOne = async (
  client: Client,
  folder: string,
  print: Progress.Print
): Promise<ReadonlyArray<ClientRun> | Left> => {
  const leave = (why: string): Left => ({ client: client.repository, why })
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return leave("PAY_EXTERNAL_CLIENTS names no folder")
  const clones = clonesOf(folder, client)
  if (typeof clones === "string") return leave(`the folder of PAY_EXTERNAL_CLIENTS has no clone of ${clones}`)
  const why = await obstacle(client)
  if (why !== undefined) return leave(why)
  const data = mkdtempSync(join(tmpdir(), "pay-clients-"))
  print(Progress.begins(client.repository))
  const result = await runCode(client, clones, data)
  rmSync(data, { recursive: true, force: true })
  const name = labelOf(folder, client.repository)
  return "why" in result ? result : result.map((each) => ({ ...each, client: name }))
}

/** Runs every client whose clone is in the folder, and whose program and ports are there. An empty name is no folder. */
export const run = async (
  folder: string,
  print: Progress.Print
): Promise<{ readonly runs: ReadonlyArray<ClientRun>; readonly left: ReadonlyArray<Left> }> => {
  const runs: Array<ClientRun> = []
  const left = [...withoutProgram]
  for (const client of clients) {
    const result = await runOne(client, folder, print)
    if ("why" in result) left.push(result)
    else runs.push(...result)
    for (const { client: name, problem, promise } of "why" in result ? [] : result)
      print(Progress.ended(`${name}: ${promise}`, problem))
  }
  for (const { client, why } of left) print(Progress.leftOut(client, why))
  return { runs, left }
}
