import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { defineConfig, type Options } from "tsup"
import * as Notices from "./scripts/Notices.ts"

/**
 * How an app becomes one file that runs on plain Node without node_modules: `tsup.config.ts` of an app is
 * `export default bundle({ main: "src/main.ts" })`. An app with rooms that load on demand adds `{ splitting: true }`.
 */
export const bundle = (entry: Record<string, string>, more: Options = {}) => defineConfig({ ...common(entry), ...more })

/** Writes the licences of the packages whose code is in the program into a file beside it. */
export const notices: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "notices",
  setup: ({ initialOptions: { absWorkingDir = ".", outdir = "dist" }, onEnd }) => {
    onEnd(({ metafile }) => {
      const outputs = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.entries(inputs))
      const contained = outputs
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => resolve(absWorkingDir, path))
      mkdirSync(outdir, { recursive: true })
      writeFileSync(join(outdir, Notices.fileName), Notices.write(contained))
    })
  }
}

/** The options of {@link bundle}, for an app that is built in several ways. */
export const common = (entry: Record<string, string>): Options => ({
  entry,
  format: "esm",
  platform: "node",
  target: "node22",
  bundle: true,
  splitting: false,
  dts: false,
  clean: true,
  metafile: true,
  esbuildPlugins: [notices],
  noExternal: [/.*/],
  // Some of Node's modules exist only under their full name: node:sqlite.
  removeNodeProtocol: false,
  // CommonJS inside (undici) asks for Node's modules by require, which an ES module does not have by itself.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);'
  }
})
