/** The folders of a package in layers: a folder imports itself and those below it. */
import { posix } from "node:path"
import type { Imports } from "./ImportCycles.ts"

/** The gateway's folders, the lowest first. Files beside them, such as `Gateway.ts`, list what is above all. */
export const gateway = [
  "network",
  "kernel",
  "vault",
  "signin",
  "recipients",
  "risk",
  "merchants",
  "callbacks",
  "orders",
  "threeds",
  "hosted",
  "payouts",
  "cards",
  "recurring",
  "transfers",
  "restore",
  "retention",
  "reconciliation",
  "operators",
  "http",
  ".",
  "storeContract",
  "public"
]

/** The folders of the gateway's orders: rows and their states, the ports to the bank, what follows from them, and what does it. */
const orders = ["record", "bank", "decide", "requests", "outcomes"]

/** The gateway's files that decide, and do nothing: `record` holds rows and their states, `decide` what follows from them. */
export const decides = /^gateway\/gateway\/src\/(?:.+\/(?:record|decide)|recipients|risk)\/\w+\.ts$/

/** The crash test's folders. The first three decide, and do nothing: they import nothing of Node, and no effects. */
const crashtest = ["plan", "judgement", "report", "template", "process", "shop", "world", "run", "."]
export const pureOfCrashtest: ReadonlySet<string> = new Set(["plan", "judgement", "report"])

/** The folders of a flow, from what is known of an order to the flows themselves. */
const flows = ["order", "engine", "requests", "callbacks", "browser", "payments", "durable", "."]

/** The layers inside a folder. */
export const inside: Readonly<Record<string, ReadonlyArray<string>>> = {
  "tools/crashtest/src": crashtest,
  "packages/flows/src": flows,
  "gateway/gateway/src/orders": orders
}

/** The first folder of a path below `root`, by default below `src`; `.` for a file beside the folders. */
export const folderOf = (path: string, root = `${path.split("/src/")[0]}/src`): string =>
  posix.dirname(posix.relative(root, path)).split("/")[0] ?? "."

/** Imports that lead to a folder above, and folders that have no place. */
export const upward = (graph: Imports, order: ReadonlyArray<string>, root?: string): ReadonlyArray<string> =>
  [...graph].flatMap(([path, targets]) => {
    const own = order.indexOf(folderOf(path, root))
    if (own < 0) return [`${path}: its folder is not in the list of layers`]
    return targets
      .filter((target) => order.indexOf(folderOf(target, root)) > own)
      .map((target) => `${path} imports ${target}, which is above it`)
  })

/** Which folders of one package import which others; files beside them list what is in them. */
export const graphOf = (graph: Imports): Imports => {
  const folders = new Map<string, Set<string>>()
  const nameOf = (path: string): string => `${path.split("/src/")[0]}/src/${folderOf(path)}`
  for (const [path, targets] of graph) {
    const own = nameOf(path)
    if (folderOf(path) === ".") continue
    const names = folders.get(own) ?? new Set()
    for (const target of targets) if (nameOf(target) !== own) names.add(nameOf(target))
    folders.set(own, names)
  }
  return new Map([...folders].map(([name, targets]) => [name, [...targets]]))
}
