/** Bundles {@link Bundles.programs}. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bundle } from "../../tsup.base.ts"
import * as Bundles from "./Bundles.ts"

const root = join(import.meta.dirname, "../..")
const entries = Bundles.programs.map((program) => [program.replace(/\.ts$/, ""), join(root, program)])

/** A module that reads a file beside it reads the one beside its source. */
const besideItsSource = (path: string): string =>
  readFileSync(path, "utf8")
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
    .replaceAll("import.meta.url", JSON.stringify(`file://${path}`))

export default bundle(Object.fromEntries(entries), {
  tsconfig: join(root, "tsconfig.check.json"),
  splitting: true,
  metafile: false,
  silent: true,
  esbuildPlugins: [
    {
      name: "beside-its-source",
      setup: (build) => {
        build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: besideItsSource(path), loader: "ts" }))
      }
    }
  ],
  esbuildOptions: (options) => {
    // A bundle loads all that its source loads, also for what that does besides exporting.
    options.ignoreAnnotations = true
    options.logLevel = "error"
  }
})
