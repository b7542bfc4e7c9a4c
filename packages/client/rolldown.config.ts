/**
 * One implementation in CommonJS, which every project can load: Jest, `require` of an older Node, bundlers. An import loads it through
 * a thin module, so that a process that does both has one client. Everything that the package needs is inside of it, so that nothing
 * else is installed. `undici` is left out: programs that want its connection pool install it.
 */
import { defineConfig, type InputOptions, type Plugin } from "rolldown"
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

const notices = (fileName: string): Plugin => ({
  name: "notices",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) =>
      chunk.type === "chunk" ? Object.entries(chunk.modules) : []
    )
    const contained = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([path]) => path)
    this.emitFile({ type: "asset", fileName, source: Notices.write(contained) })
  }
})

/** The gateway for tests loads the client as its users do. It has a copy of Effect of its own, so that the client stays small. */
const client: Plugin = {
  name: "client",
  resolveId: (id) => (id === "./main.ts" ? { id: "./main.js", external: true } : undefined)
}

/** Names that are taken from Node and not from the global object. */
const fromNode = {
  TextDecoder: ["node:util", "TextDecoder"],
  TextEncoder: ["node:util", "TextEncoder"]
} satisfies Record<string, [module: string, name: string]>

const built = (
  names: ReadonlyArray<string>,
  { folder, sourcemap, ...options }: Pick<InputOptions, "external" | "plugins"> & { folder: string; sourcemap: boolean }
) =>
  defineConfig({
    input: names.map((name) => `src/${name}.ts`),
    platform: "node",
    // Jest's environment jsdom has none of these.
    transform: { target: "node22", define: { "import.meta": "{}" }, inject: fromNode },
    // The client has its own module for an older Node, so those of the other packages are left out.
    treeshake: {
      moduleSideEffects: [
        { test: /client\/src\/OldNode\.ts$/, sideEffects: true },
        { test: /OldNode\.ts$/, sideEffects: false }
      ]
    },
    output: {
      dir: "dist",
      format: "cjs",
      exports: "named",
      esModule: false,
      sourcemap,
      chunkFileNames: `${folder}/[name].js`,
      // The notices of the bundled packages are in files of their own.
      comments: { legal: false, annotation: false, jsdoc: false }
    },
    ...options
  })

export default [
  built(["main", "Durable", "Pooled", "Receiver"], {
    folder: "chunks",
    sourcemap: true,
    external: ["undici"],
    plugins: [modules, notices(Notices.fileName)]
  }),
  built(["Testing"], {
    folder: "testing",
    sourcemap: false,
    plugins: [client, modules, notices(`Testing-${Notices.fileName}`)]
  })
]
