/** Projects of others, as their tools make them: each uses the packed client in its own way, and prints what a sale has become. */
import { bundlers } from "./BundlerProjects.ts"
import { importing, manifest, type Project, payment, printing, requiring, sold } from "./ProjectCode.ts"
import { testRunners } from "./TestProjects.ts"

/** The tools, each in its exact version. */
export const packages = [
  "jest@30.5.2",
  "jest-environment-jsdom@30.5.2",
  "vitest@5.1.1",
  "typescript@5.9.3",
  "next@16.4.6",
  "react@19.3.1",
  "react-dom@19.3.1",
  "webpack@5.113.0",
  "@rspack/core@2.3.3",
  "vite@8.3.8",
  "esbuild@0.28.2",
  "@babel/plugin-transform-modules-commonjs@7.29.14",
  "@types/node@26.6.6"
]
/** A flow that a call has interrupted continues for whoever loads the client in another way: the process has one. */
const bothWays = `
import { createRequire } from "node:module"
import { Pay } from "@pay/client"
import { testGateway } from "@pay/client/testing"
const require = createRequire(import.meta.url)
const required = require("@pay/client")
const gateway = await require("@pay/client/testing").testGateway()
const payment = ${payment}
const refused = await gateway.advance("a while").catch((error) => error)
const interrupted = await gateway.pay.cardSale(payment, { timeoutMs: 1 })
const continued = await gateway.pay.cardSale(payment)
if (!continued.ok) throw continued.error
const { length } = await gateway.books()
await gateway.close()
const same = Pay === required.Pay && testGateway === require("@pay/client/testing").testGateway
console.log([refused instanceof required.InvalidSettingError, interrupted.error instanceof required.StillUnknownError, continued.order.status, length, same].join(" "))
`
const typed = `
import { DeclinedError, Pay, type Client } from "@pay/client"
import { receiver } from "@pay/client/callbacks"
import * as Durable from "@pay/client/durable"
import * as Pooled from "@pay/client/undici"
import { testGateway } from "@pay/client/testing"
const pay: Client = Pay.client({ baseUrl: "", login: "", controlKey: "" })
const all = [receiver, Durable.open, Pooled.Pay.client, testGateway, DeclinedError] as const
// The compiler knows the client: this is an error for it.
const isMissing: "yes" = pay.missing
`

const typeScript = (module: string, resolution: string, type: string, file = "shop.ts"): Project => ({
  name: `TypeScript ${module}, ${resolution}, ${type}`,
  files: {
    "package.json": manifest(type),
    [file]: typed,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        module,
        moduleResolution: resolution,
        target: "ES2022",
        lib: ["ES2024", "DOM", "DOM.AsyncIterable"],
        strict: true,
        noEmit: true,
        types: []
      },
      files: [file]
    })
  },
  commands: [["typescript/bin/tsc"]],
  prints: /^\S+ error TS2339: Property 'missing' does not exist on type 'Client'\.$/
})
export const projects: ReadonlyArray<Project> = [
  ...testRunners,
  typeScript("node16", "node16", "module"),
  typeScript("node16", "node16", "commonjs"),
  typeScript("nodenext", "nodenext", "module"),
  typeScript("nodenext", "nodenext", "commonjs"),
  typeScript("esnext", "bundler", "module"),
  typeScript("preserve", "bundler", "commonjs"),
  ...bundlers
]

/** The programs that every runtime runs. */
export const programs: Readonly<
  Record<string, { readonly file: string; readonly code: string; readonly prints: RegExp }>
> = {
  "with import": { file: "import.mjs", code: `${importing}${printing}`, prints: sold },
  "with require": { file: "require.cjs", code: `${requiring}${printing}`, prints: sold },
  "with both in one process": { file: "both.mjs", code: bothWays, prints: /^true true approved 1 true$/m }
}
