/** What clients, operators and dashboards know by its name. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as OperatorApi from "@pay/gateway/OperatorApi"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as OpenApi from "@pay/schema/OpenApi"
import * as PayApi from "@pay/schema/PayApi"
import { File } from "@pay/server/ServerConfig"
import * as ConfigTable from "../../gateway/server/src/ConfigTable.ts"
import * as Frozen from "./Frozen.ts"

const root = join(import.meta.dirname, "../..")

const sources: ReadonlyArray<string> = [
  "gateway/gateway",
  "gateway/server",
  "gateway/storage",
  "packages/sqlite"
].flatMap((folder) =>
  readdirSync(join(root, folder, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ name: file, parentPath }) => readFileSync(join(parentPath, file), "utf8"))
)

const inSources = (pattern: RegExp): ReadonlyArray<string> =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map((match) => match.slice(1).join(" ")))

/** Every path, scheme, field and enumeration of the interface, a line each; examples and descriptions are left out. */
const linesOf = (node: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(node)) return [`${path}: ${JSON.stringify(node)}`]
  if (typeof node !== "object" || node === null) return [`${path}: ${node}`]
  return Object.entries(node).flatMap(([name, inner]) =>
    ["description", "summary", "example", "examples", "info", "tags", "externalDocs"].includes(name)
      ? []
      : linesOf(inner, path === "" ? name : `${path}.${name}`)
  )
}

const current: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  wire: () => linesOf(OpenApi.document(), ""),
  operations: () => PayApi.all.map(({ command, name, path }) => `${name} ${path} ${command}`),
  errors: () => Object.values(ErrorCode.codes).map(({ code, status }) => `${code} ${status}`),
  settings: () =>
    ConfigTable.entries(File).map(
      ({ environment = "", fallback, kind, path }) => `${path.join(".")} ${kind} ${environment} ${fallback}`
    ),
  "operator-routes": () => OperatorApi.all.map(({ method, path }) => `${method} ${path}`),
  metrics: () => inSources(/(?<![\w.])(pay_[a-z_]+[a-z])/g)
}

describe.each(Object.entries(current))("the public names in %s", (name, linesNow) => {
  it("are unchanged", () => {
    assert.deepStrictEqual(Frozen.missing(name, linesNow()), [], "removed or changed")
    assert.deepStrictEqual(Frozen.unlisted(name, linesNow()), [], "new, to be added to the frozen lines")
  })
})
