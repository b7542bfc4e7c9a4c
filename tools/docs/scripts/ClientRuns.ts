/**
 * Runs public clients of the older dialect against sandboxes. Their code is not part of this repository: `PAY_EXTERNAL_CLIENTS` names
 * a folder that has a clone of each, under the name of its repository. What a Node client needs comes from the npm registry. The
 * programs in `clients/` call the code of a client as its users do, and print a line for each promise.
 */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Sandbox from "@pay/server/Sandbox"
import { root } from "../../../scripts/Workspace.ts"

/** One promise of a client. */
export interface ClientRun {
  readonly client: string
  readonly promise: string
  readonly problem: string | undefined
}

/** A client that could not be run, and why. */
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
}

const port = 18_443
const plain = `http://127.0.0.1:${port}/`
const library = `${plain}paynet/api/v2/`
const php = { command: ["php"], driver: "php-library.php", module: "php-library", address: library } as const
const shop = { command: ["php"], driver: "paynet-api.php", folder: "", address: plain } as const

const clients: ReadonlyArray<Client> = [
  { ...php, repository: "php-library-payneteasy-api", folder: "source" },
  { ...php, repository: "wooCommerce-pne-module", folder: "" },
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

/** Finds the clone of a repository, whatever the folder says of its owner: `OWNER+NAME`, `OWNER-NAME` or `NAME`. */
const cloneOf = (folder: string, repository: string): string | undefined => {
  const name = readdirSync(folder).find(
    (each) => each === repository || (/[+-]/.test(each.at(-repository.length - 1) ?? "") && each.endsWith(repository))
  )
  return name === undefined ? undefined : join(folder, name)
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

/** Starts the sandbox for a module by the command of docs/older-dialect.md. Returns after it has printed its settings. */
const startModule = async (module: string, data: string) => {
  const child = spawn(process.execPath, [join(root, "scripts/bootstrap.mjs"), "start", "--module", module], {
    env: { ...process.env, PAY_DATA: data, PAY_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"]
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

const drive = async (client: Client, code: string, data: string): Promise<ReadonlyArray<ClientRun>> => {
  const { command, driver, packages = [], repository } = client
  const [program, ...before] = command
  const libraries = join(data, "npm")
  if (packages.length > 0)
    spawnSync("npm", ["install", "--no-save", "--no-audit", "--prefix", libraries, ...packages], { stdio: "ignore" })
  const { controlKey, endpoints, login } = Sandbox.olderMerchant
  const args = [
    client.address,
    login,
    controlKey,
    endpoints.usd,
    endpoints.threedsGateway,
    join(data, "sandbox/module.pem")
  ]
  const child = spawn(
    program,
    [...before, join(import.meta.dirname, "../clients", driver), join(code, client.folder), ...args],
    {
      env: {
        ...process.env,
        NODE_PATH: join(libraries, "node_modules"),
        NODE_EXTRA_CA_CERTS: join(data, "sandbox/tls/certificate.pem")
      },
      stdio: ["ignore", "pipe", "pipe"]
    }
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += String(bytes)))
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve))
  const runs = output.split("\n").flatMap((line): ReadonlyArray<ClientRun> => {
    const [verdict, promise = "", problem] = line.split("\t")
    if (verdict !== "ok" && verdict !== "FAILED") return []
    return [{ client: repository, promise, problem: verdict === "ok" ? undefined : (problem ?? "") }]
  })
  return exitCode === 0 && runs.length > 0
    ? runs
    : [...runs, { client: repository, promise: "runs to its end", problem: output.slice(-300) }]
}

/** Runs every client whose code, program and port are there. */
export const run = async (): Promise<{
  readonly runs: ReadonlyArray<ClientRun>
  readonly left: ReadonlyArray<Left>
}> => {
  const folder = process.env.PAY_EXTERNAL_CLIENTS ?? ""
  const runs: Array<ClientRun> = []
  const left: Array<Left> = []
  for (const client of clients) {
    const leave = (why: string) => left.push({ client: client.repository, why })
    const [program] = client.command
    const code = existsSync(folder) ? cloneOf(folder, client.repository) : undefined
    if (code === undefined) leave(folder === "" ? "PAY_EXTERNAL_CLIENTS is not set" : `no clone of it in ${folder}`)
    else if (!isInstalled(program))
      leave(program === "php" ? "PHP with curl is not installed: php-cli, php-curl" : `${program} is not installed`)
    else if (client.address.startsWith("http:") === false && !(await mayListen(443)))
      leave("this user may not listen on port 443")
    else {
      const data = mkdtempSync(join(tmpdir(), "pay-clients-"))
      const sandbox = await startModule(client.module, join(data, "sandbox"))
      const promise = "its sandbox starts"
      runs.push(
        ...(sandbox.isReady
          ? await drive(client, code, data)
          : [{ client: client.repository, promise, problem: sandbox.output().slice(-300) }])
      )
      await sandbox.stop()
      rmSync(data, { recursive: true, force: true })
    }
  }
  return { runs, left }
}
