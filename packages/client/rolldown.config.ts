/**
 * One implementation in CommonJS, which every project can load: Jest, `require` of an older Node, bundlers. An import loads it through
 * a thin module, so that a process that does both has one client. Everything that the package needs is inside of it, so that nothing
 * else is installed. `undici` is left out: programs that want its connection pool install it.
 */
import { defineConfig, type Plugin } from "rolldown"
import * as Notices from "../../scripts/Notices.ts"

/** Adds to each entry the ES module that names its exports, and its types. Not all tools find the names in CommonJS. */
const modules: Plugin = {
  name: "modules",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk" || !chunk.isEntry) continue
      const file = `./${chunk.fileName}`
      const code = `import exported from "${file}"\n\nexport const { ${chunk.exports.join(", ")} } = exported\n`
      this.emitFile({ type: "asset", fileName: `${chunk.name}.mjs`, source: code })
      this.emitFile({ type: "asset", fileName: `${chunk.name}.d.mts`, source: `export * from "${file}"\n` })
    }
  }
}

const notices: Plugin = {
  name: "notices",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) =>
      chunk.type === "chunk" ? Object.entries(chunk.modules) : []
    )
    const contained = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([path]) => path)
    this.emitFile({ type: "asset", fileName: Notices.fileName, source: Notices.write(contained) })
  }
}

export default defineConfig({
  input: ["main", "Durable", "Pooled", "Receiver"].map((name) => `src/${name}.ts`),
  platform: "node",
  external: ["undici"],
  transform: { target: "node22", define: { "import.meta": "{}" } },
  treeshake: { moduleSideEffects: [{ test: /OldNode\.ts$/, sideEffects: true }] },
  plugins: [modules, notices],
  output: {
    dir: "dist",
    format: "cjs",
    exports: "named",
    esModule: false,
    sourcemap: true,
    chunkFileNames: "chunks/[name].js",
    // The notices of the bundled packages are in a file of their own.
    comments: { legal: false, annotation: false, jsdoc: false }
  }
})
