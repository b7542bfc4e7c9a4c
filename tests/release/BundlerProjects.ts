/** Projects whose bundlers put the client into their programs. */
import { importing, manifest, type Project, printing, requiring, sold } from "./ProjectCode.ts"

const rules = (entry: string) => ({
  mode: "production",
  target: "node",
  entry,
  output: { path: "PLACE/out", filename: "shop.js" }
})
const placed = (config: unknown) => JSON.stringify(config).replace('"PLACE/out"', "__dirname + '/out'")

export const bundlers: ReadonlyArray<Project> = [
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
    name: "esbuild with import and require",
    files: {
      "shop.mjs": `import { Pay } from "@pay/client"\nimport part from "./part.cjs"\nconsole.log(part.Pay === Pay)`,
      "part.cjs": `module.exports = require("@pay/client")`,
      "build.mjs": `import { build } from "esbuild"
        await build({ entryPoints: ["shop.mjs"], bundle: true, platform: "node", format: "cjs", outfile: "out/shop.cjs" })`
    },
    commands: [["./build.mjs"], ["./out/shop.cjs"]],
    prints: /^true$/m
  },
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
