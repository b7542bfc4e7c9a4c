/**
 * `npm run docs:site`: builds the documentation site into `tools/docs/dist/site` and serves it until it is stopped. `--build` only
 * builds it, `--out` names a different folder. Fails if a link of a page has no target.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import * as DocsSite from "@pay/demo/DocsSite"
import * as Port from "@pay/schema/Port"
import { Console, Effect, Schema } from "effect"
import * as Site from "./site/Site.ts"

const root = join(import.meta.dirname, "../../..")

const options = {
  build: { type: "boolean", default: false },
  out: { type: "string", default: DocsSite.folder }
} as const

class DeadLinks extends Schema.TaggedError<DeadLinks>()("DeadLinks", { links: Schema.Array(Schema.String) }) {
  override get message(): string {
    return `links that lead nowhere:\n${this.links.join("\n")}`
  }
}

const build = Effect.fnUntraced(function* (folder: string) {
  const { deadLinks, files } = Site.build(root)
  if (deadLinks.length > 0) return yield* new DeadLinks({ links: deadLinks })
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return yield* Console.log(`${files.size} files in ${relative(process.cwd(), folder)}`)
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
