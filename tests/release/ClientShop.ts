/** The shop of docs/merchants/client.md on the packed client, the gateway that it pays at, and its customers. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { libraries, read, root } from "../../scripts/Workspace.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import { passes, tool } from "../rules/Tool.ts"
import { link, pack } from "./Consumer.ts"
import { fences } from "./Fences.ts"

const { merchant } = Sandbox

/** A project outside of the workspace, into which npm has installed the packed client. */
export interface Project {
  readonly folder: string
  /** The installed package. */
  readonly client: string
  readonly tarball: string
  readonly remove: () => void
}

/** Packages that the shop uses beside the client, each with the workspace that has them installed. */
const besides = ["express", "hono", "@hono/node-server", "@types/express"]

export const install = async (): Promise<Project> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pay client shop ")))
  const [client] = libraries.filter(({ manifest }) => manifest.name === "@pay/client")
  if (client === undefined) throw new Error("there is no @pay/client")
  const tarball = await pack(client, join(folder, "packed"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
  const flags = ["--offline", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
  await passes(tool("npm", ["install", ...flags, tarball], { cwd: folder }))
  return {
    folder,
    client: join(folder, "node_modules/@pay/client"),
    tarball,
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Everything that is installed, as npm lists it: `@pay/client`. */
export const installedIn = ({ folder }: Project): ReadonlyArray<string> => {
  const modules = join(folder, "node_modules")
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => (name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : name))
}

/** Writes the files of docs/merchants/client.md, and adds the web servers that they use. */
export const writeShop = ({ folder }: Project): ReadonlyArray<string> => {
  for (const name of besides) link(join(root, "tests/node_modules", name), join(folder, "node_modules", name))
  link(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
  mkdirSync(join(folder, "shop"))
  return fences(read("docs/merchants/client.md")).map(({ code, line, name = `line${line}.ts` }) => {
    writeFileSync(join(folder, "shop", name), code)
    return `shop/${name}`
  })
}

export interface Shop {
  readonly url: string
  readonly close: () => void
}

/** A file of the shop, and the program with its arguments that runs it. */
interface Started {
  readonly file: string
  readonly runtime: readonly [program: string, ...args: ReadonlyArray<string>]
}

/** Starts the shop in a process of its own. */
export const openShop = async (
  { folder }: Project,
  { file, runtime: [program, ...args] }: Started,
  baseUrl: string
): Promise<Shop> => {
  const port = String(await Effect.runPromise(freePort))
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, "private-key.pem"), merchant.privateKeyPem)
  const child: ChildProcess = spawn(program, [...args, file], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PORT: port,
      SHOP_URL: url,
      PAY_BASE_URL: baseUrl,
      PAY_LOGIN: merchant.login,
      PAY_CONTROL_KEY: merchant.controlKey,
      PAY_PRIVATE_KEY_FILE: join(folder, "private-key.pem"),
      PAY_ENDPOINT_ID: merchant.endpoints.usd,
      PAY_CARD_ENDPOINT_ID: merchant.endpoints.threedsMerchant,
      PAY_PAYOUT_ENDPOINT_ID: merchant.endpoints.approval
    }
  })
  const printed: Array<string> = []
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on("line", (line) => {
        printed.push(line)
        if (line === "listening") resolve()
      })
    }
    child.on("exit", () => reject(new Error(`the shop ended:\n${printed.join("\n")}`)))
  })
  return { url, close: () => void child.kill("SIGKILL") }
}

type Page = HostedPage.Page & { readonly url: string }

/** Somebody at a browser without scripts. */
export const visit = (url: string, form?: Readonly<Record<string, string>>): Promise<Page> =>
  Effect.runPromise(HostedPage.browse(url, form === undefined ? {} : { form }))

/** Posts the first form of a page. */
export const submit = (page: Page, fields: Readonly<Record<string, string>> = {}): Promise<Page> =>
  visit(new URL(page.action ?? "", page.url).href, { ...page.hidden, ...fields })
