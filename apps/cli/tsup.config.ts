import { createRequire } from "node:module"
import { join } from "node:path"
import type { Options } from "tsup"
import { bundle } from "../../tsup.base.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * Two modules are loaded when something of theirs is used, not when they are imported, since they take as long to load
 * as a bare server to start: undici, which a gateway needs for its first callback; and `node:http`, of which Node reads
 * all exports on import, among them one that loads a second undici.
 */
const onDemand: Plugin = {
  name: "on-demand",
  setup: (build) => {
    const require = createRequire(join(import.meta.dirname, "../../packages/transport/package.json"))
    build.onResolve({ filter: /^(node:http|undici)$/ }, ({ namespace, path }) => {
      return namespace === "on-demand" ? { path: require.resolve(path) } : { path, namespace: "on-demand" }
    })
    build.onLoad({ filter: /^node:http$/, namespace: "on-demand" }, () => ({
      contents: `module.exports = process.getBuiltinModule("node:http")`
    }))
    build.onLoad({ filter: /^undici$/, namespace: "on-demand" }, () => ({
      contents: Object.keys(require("undici"))
        .map(
          (name) =>
            `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => require("undici").${name} })`
        )
        .join("\n"),
      resolveDir: import.meta.dirname
    }))
  }
}

export default bundle(
  { main: "src/main.ts" },
  {
    splitting: true,
    esbuildPlugins: [onDemand],
    // Less to read at each start; names stay, for those who read a stack.
    esbuildOptions: (options) => {
      options.minifyWhitespace = true
      options.minifySyntax = true
    }
  }
)
