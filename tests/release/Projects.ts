/** Projects of others, as their tools make them: each uses the packed client in its own way, and prints what a sale has become. */

/** A project in a folder of its own, below the packages that npm has installed. */
export interface Project {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Commands of the project; the last one prints the outcome. A first word that is no runtime is a file of an installed package. */
  readonly commands: ReadonlyArray<readonly [program: string, ...args: ReadonlyArray<string>]>
  /** What the last command prints. */
  readonly prints: RegExp
}

/** The tools, each in its exact version. */
export const packages = [
  "jest@30.5.2",
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

const payment = `{
  clientOrderId: crypto.randomUUID(), amount: "10.42", currency: "USD",
  card: { number: "4444555566661111", holder: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv: "123" },
  customer: { email: "ada@example.com", address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB", ipAddress: "203.0.113.7" }
}`

/** A sale and a decline at the gateway of the environment. The class of an error is the one that the program has imported. */
const selling = `
const sell = async () => {
  const pay = Pay.fromEnv()
  const payment = ${payment}
  const sale = await pay.cardSale(payment)
  if (!sale.ok) throw sale.error
  const card = { ...payment.card, cvv: "116" }
  const { error } = await pay.cardSale({ ...payment, card, clientOrderId: crypto.randomUUID() })
  if (!(error instanceof PayError)) throw new Error("the class of an error is another")
  return [sale.order.status, error.name, error.constructor.name].join(" ")
}`
const importing = `import { Pay, PayError } from "@pay/client"\n${selling}`
const requiring = `const { Pay, PayError } = require("@pay/client")\n${selling}`
const printing = "\nsell().then((outcome) => console.log(outcome))\n"

const sold = /^approved DeclinedError DeclinedError$/m

/** A flow that a call has interrupted continues for whoever loads the client in another way: the process has one. */
const bothWays = `
import { createRequire } from "node:module"
import { Pay } from "@pay/client"
import { testGateway } from "@pay/client/testing"
const require = createRequire(import.meta.url)
const required = require("@pay/client")
const gateway = await require("@pay/client/testing").testGateway()
const payment = ${payment}
const interrupted = await gateway.pay.cardSale(payment, { timeoutMs: 1 })
const continued = await gateway.pay.cardSale(payment)
if (!continued.ok) throw continued.error
const { length } = await gateway.books()
await gateway.close()
const same = Pay === required.Pay && testGateway === require("@pay/client/testing").testGateway
console.log([interrupted.error instanceof required.StillUnknownError, continued.order.status, length, same].join(" "))
`

/** A test of a shop with the gateway in its process; the fake timers of a test are off while the gateway works. */
const testing = (from: string) => `
${from}
let gateway
before(async () => {
  gateway = await testGateway()
}, 60_000)
after(() => gateway.close())
test("a subscription is charged after a month", async () => {
  const begun = await gateway.pay.subscribe({ ...${payment}, period: "monthly", interval: 1 })
  equal(begun.ok, true)
  await gateway.advance("1 month")
  equal((await gateway.books()).length, 2)
}, 60_000)
test("a declined card has an error of its class", async () => {
  const { card, ...payment } = ${payment}
  const { error } = await gateway.pay.cardSale({ ...payment, card: { ...card, cvv: "116" } })
  equal(error instanceof DeclinedError, true)
})
`
const names = "{ DeclinedError }"
const imports = `import ${names} from "@pay/client"\nimport { testGateway } from "@pay/client/testing"`
const requires = `const ${names} = require("@pay/client")\nconst { testGateway } = require("@pay/client/testing")`
const expecting =
  "const [before, after] = [beforeAll, afterAll]\nconst equal = (actual, wanted) => expect(actual).toBe(wanted)"
const ofNode = { before: "before, after, test", file: "node:test" }

const manifest = (type: string) => JSON.stringify({ private: true, type })

const testRunners: ReadonlyArray<Project> = [
  {
    name: "Jest with require",
    files: { "package.json": manifest("commonjs"), "shop.test.js": testing(`${requires}\n${expecting}`) },
    commands: [["jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Jest and Babel with import",
    files: {
      "package.json": manifest("commonjs"),
      "shop.test.js": testing(`${imports}\n${expecting}`),
      "babel.config.js": `module.exports = { plugins: ["@babel/plugin-transform-modules-commonjs"] }`
    },
    commands: [["jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Jest with ES modules",
    files: { "package.json": manifest("module"), "shop.test.js": testing(`${imports}\n${expecting}`) },
    commands: [["--experimental-vm-modules", "jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Vitest",
    files: {
      "package.json": manifest("module"),
      "shop.test.js": testing(`${imports}\nimport { afterAll, beforeAll, expect, test } from "vitest"\n${expecting}`)
    },
    commands: [["vitest/vitest.mjs", "run"]],
    prints: /Tests +2 passed/
  },
  {
    name: "node:test with import",
    files: {
      "shop.test.mjs": testing(
        `${imports}\nimport { equal } from "node:assert"\nimport { ${ofNode.before} as run } from "${ofNode.file}"\nconst test = (name, body) => run(name, body)`
      )
    },
    commands: [["--test"]],
    prints: /pass 2/
  },
  {
    name: "node:test with require",
    files: {
      "shop.test.cjs": testing(
        `${requires}\nconst { equal } = require("node:assert")\nconst { before, after, test: run } = require("node:test")\nconst test = (name, body) => run(name, body)`
      )
    },
    commands: [["--test"]],
    prints: /pass 2/
  }
]

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

const rules = (entry: string) => ({
  mode: "production",
  target: "node",
  entry,
  output: { path: "PLACE/out", filename: "shop.js" }
})
const placed = (config: unknown) => JSON.stringify(config).replace('"PLACE/out"', "__dirname + '/out'")

const bundlers: ReadonlyArray<Project> = [
  ...["esm", "cjs"].map((format): Project => {
    const outfile = `./out/shop.${format === "esm" ? "mjs" : "cjs"}`
    const options = { entryPoints: ["shop.mjs"], bundle: true, minify: true, platform: "node", format, outfile }
    const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)`
    const all = format === "esm" ? { ...options, banner: { js: banner } } : options
    return {
      name: `esbuild as ${format}`,
      files: {
        "shop.mjs": `${importing}${printing}`,
        "build.mjs": `import { build } from "esbuild"\nawait build(${JSON.stringify(all)})`
      },
      commands: [["./build.mjs"], [outfile]],
      prints: sold
    }
  }),
  {
    name: "Vite",
    files: {
      "package.json": manifest("module"),
      "shop.js": `${importing}${printing}`,
      "vite.config.js": `export default { ssr: { noExternal: true }, build: { ssr: "shop.js", outDir: "out" } }`
    },
    commands: [["vite/bin/vite.js", "build"], ["./out/shop.js"]],
    prints: sold
  },
  ...(["webpack", "@rspack/core"] as const).flatMap((tool) =>
    [
      ["import", `${importing}${printing}`, "shop.mjs"] as const,
      ["require", `${requiring}${printing}`, "shop.cjs"] as const
    ].map(
      ([how, code, file]): Project => ({
        name: `${tool === "webpack" ? "webpack" : "Rspack"} with ${how}`,
        files: {
          "package.json": manifest("commonjs"),
          [file]: code,
          "build.cjs": `require("${tool}")(${placed(rules(`./${file}`))}, (error, stats) => { if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString()) })`
        },
        commands: [["./build.cjs"], ["./out/shop.js"]],
        prints: sold
      })
    )
  ),
  ...["--turbopack", "--webpack"].map(
    (flag): Project => ({
      name: `Next.js, built with ${flag.slice(2)}`,
      files: {
        "package.json": manifest("module"),
        "next.config.mjs": `
        import { dirname } from "node:path"
        const root = dirname(import.meta.dirname)
        export default { outputFileTracingRoot: root, turbopack: { root } }`,
        "app/layout.jsx":
          "export default function Layout({ children }) { return <html><body>{children}</body></html> }",
        "app/page.jsx": "export default function Page() { return <p>shop</p> }",
        "app/sell/route.js": `${importing}\nexport const dynamic = "force-dynamic"\nexport const GET = async () => new Response(await sell())`,
        "ask.mjs": `
        import { spawn } from "node:child_process"
        const server = spawn(process.execPath, ["../node_modules/next/dist/bin/next", "start", "--port", process.env.PORT], { stdio: "ignore" })
        server.on("exit", () => process.exit(1))
        const ask = () => fetch("http://127.0.0.1:" + process.env.PORT + "/sell").catch(() => new Promise((resolve) => setTimeout(resolve, 100)).then(ask))
        console.log(await (await ask()).text())
        server.removeAllListeners("exit").kill()`
      },
      commands: [["next/dist/bin/next", "build", flag], ["./ask.mjs"]],
      prints: sold
    })
  )
]

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
  "with both in one process": { file: "both.mjs", code: bothWays, prints: /^true approved 1 true$/m }
}
