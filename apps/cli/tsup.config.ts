import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { defineConfig, type Options } from "tsup"
import { common, notices } from "../../tsup.base.ts"
import * as ContractFacts from "./src/command/ContractFacts.ts"
import * as HelpPage from "./src/help/HelpPage.ts"
import * as OperatorFacts from "./src/operator/OperatorFacts.ts"

const require = createRequire(join(import.meta.dirname, "../../packages/transport/package.json"))

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * Loads some modules at their first use instead of at their import: undici, which a gateway needs only for its first callback,
 * and Node modules whose import reads all exports and thereby loads parts that this program does not use (`node:http` a second
 * undici, `node:net` block lists, `node:crypto` all algorithms).
 */
const onDemand: Plugin = {
  name: "on-demand",
  setup: (build) => {
    build.onResolve(
      { filter: /^(node:(http|https|net|crypto|util|zlib|fs|os|dns\/promises)|undici)$/ },
      ({ kind, path }) => (kind === "entry-point" ? undefined : { path, namespace: "on-demand" })
    )
    build.onLoad({ filter: /./, namespace: "on-demand" }, ({ path }) => ({
      contents: [
        // Undici's is not a plain call, which would be bundled.
        `const load = () => ${path === "undici" ? `(0, require)("./undici.js").default` : `process.getBuiltinModule("${path}")`}`,
        ...Object.keys(require(path)).map(
          (name) => `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => load().${name} })`
        )
      ].join("\n")
    }))
  }
}

/**
 * What the program needs at each start becomes one chunk: shared by some parts and not by others it would be ten, each of which takes
 * as long to open as all of them to run. So every part that is loaded when it is needed imports what `Run.ts` imports.
 */
const oneStart: Plugin = {
  name: "one-start",
  setup: (build) => {
    const start = readFileSync(join(import.meta.dirname, "src/Run.ts"), "utf8")
    const paths = [...start.matchAll(/ from ("[^"\s]*")$/gm)].map(([, path]) => path ?? "")
    const loadedLater =
      /apps\/cli\/src\/\w+\/(\w+Program|Contract|OperationName|OrderStatus|Trigger|FlowQuestions|FlowDefaults)\.ts$/
    build.onLoad({ filter: loadedLater }, ({ path }) => ({
      contents: `${paths.map((each) => `import ${each.replace("./", "../")}`).join("\n")}\n${readFileSync(path, "utf8")}`,
      loader: "ts"
    }))
  }
}

/** Puts the values of these modules into the program, in place of what they are derived from. */
const asData = (modules: Readonly<Record<string, string>>): Plugin => ({
  name: "as-data",
  setup: (build) => {
    build.onLoad({ filter: /apps\/cli\/src\/\w+\/[A-Z]\w+\.ts$/ }, ({ path }) => {
      const contents = modules[basename(path, ".ts")]
      return contents === undefined ? undefined : { contents }
    })
  }
})

const derived = {
  ContractFacts: `export const facts = ${JSON.stringify(ContractFacts.facts)}`,
  OperatorFacts: `export const facts = ${JSON.stringify(OperatorFacts.facts)}`
}

/** The page of `pay --help` is a text of the small program that prints it. */
const page = { HelpPage: `export const overview = () => ${JSON.stringify(HelpPage.overview())}` }

/** Less to read at each start; names stay, for those who read a stack. */
const esbuildOptions: Options["esbuildOptions"] = (options) => {
  options.minifyWhitespace = true
  options.minifySyntax = true
}

export default defineConfig([
  {
    ...common({ main: "src/main.ts", undici: require.resolve("undici") }),
    splitting: true,
    clean: ["!overview.js"],
    esbuildPlugins: [onDemand, oneStart, asData(derived), notices],
    esbuildOptions
  },
  {
    ...common({ overview: "src/help/Overview.ts" }),
    banner: {},
    clean: false,
    metafile: false,
    esbuildPlugins: [asData(page)],
    esbuildOptions
  }
])
