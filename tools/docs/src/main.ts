/**
 * `npm run docs:site`: builds the documentation site into `tools/docs/dist/site` and serves it until it is stopped. `--build` only
 * builds it, `--out` names a different folder. Fails if a link of a page has no target.
 */
import { relative } from "node:path"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import * as DocsSite from "@pay/demo/DocsSite"
import * as Port from "@pay/schema/Port"
import { Console, Effect, Schema } from "effect"
import * as Build from "./site/Build.ts"

const options = {
  build: { type: "boolean", default: false },
  out: { type: "string", default: DocsSite.folder }
} as const

const build = Effect.fnUntraced(function* (folder: string) {
  yield* Console.log("VitePress builds the site; this takes about half a minute")
  yield* Build.build(folder)
  return yield* Console.log(`The site is in ${relative(process.cwd(), folder)}`)
})

class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

const usage =
  "An option is unknown. Use npm run docs:site alone, with -- --build to build only, or with -- --out FOLDER"

const program = Effect.gen(function* () {
  const { values } = yield* Effect.try({
    try: () => parseArgs({ options }),
    catch: () => new Usage({ message: usage })
  })
  yield* build(values.out)
  if (values.build) return
  const port = yield* Port.config("DOCS_PORT", 8070)
  const url = yield* DocsSite.open({ port, site: values.out })
  yield* Console.log(`The documentation is at ${url}. Ctrl-C stops it.`)
  return yield* Effect.never
})

/** The site is served on if nobody reads the output any more. */
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined)

program.pipe(
  Effect.scoped,
  Effect.catch(({ message }) =>
    Effect.andThen(
      Console.error(message),
      Effect.sync(() => (process.exitCode = 1))
    )
  ),
  NodeRuntime.runMain
)
