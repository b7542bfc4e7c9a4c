/**
 * `npm run docs:site`: builds the documentation site into `apps/docs/dist/site` and serves it until it is stopped. `--build` only
 * builds it. It fails if a link of a page leads nowhere.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import * as DocsSite from "@pay/app-demo/DocsSite"
import { Config, Console, Effect } from "effect"
import * as Site from "./site/Site.ts"

const root = join(import.meta.dirname, "../../..")

const build = Effect.gen(function* () {
  const { deadLinks, files } = Site.build(root)
  if (deadLinks.length > 0) {
    yield* Console.error(deadLinks.join("\n"))
    return false
  }
  rmSync(DocsSite.folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    const file = join(DocsSite.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  yield* Console.log(`${files.size} files in apps/docs/dist/site`)
  return true
})

const program = Effect.gen(function* () {
  const { values } = parseArgs({ options: { build: { type: "boolean", default: false } } })
  if (!(yield* build)) {
    process.exitCode = 1
    return
  }
  if (values.build) return
  const port = yield* Config.Int("DOCS_PORT").pipe(Config.withDefault(8070))
  const url = yield* DocsSite.open({ port })
  yield* Console.log(`The documentation is at ${url}. Ctrl-C stops it.`)
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.scoped(program))
