/** Builds the site: writes its pages as Markdown into a folder, and has VitePress make HTML and the index of the search of them. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import * as Site from "./Site.ts"

const root = join(import.meta.dirname, "../../../..")
const dist = join(import.meta.dirname, "../../dist")

/**
 * VitePress finds its theme and its plugins from here, so the folder is in this package. The import by a variable keeps VitePress
 * from bundling the sources of this package, which Node runs as they are.
 */
const configuration = `import { tabsMarkdownPlugin } from "vitepress-plugin-tabs"
import menus from "../menus.json"

const source = ${JSON.stringify(new URL("VitePress.ts", import.meta.url).href)}
const { default: config } = await import(source)

export default config(menus, tabsMarkdownPlugin)
`

const theme = `import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client"
import DefaultTheme from "vitepress/theme-without-fonts"
import "../../../../assets/site.css"

export default { extends: DefaultTheme, enhanceApp: ({ app }) => enhanceAppWithTabs(app) }
`

export class NotBuilt extends Schema.TaggedError<NotBuilt>()("NotBuilt", { reason: Schema.String }) {
  override get message(): string {
    return `The documentation site is not built: ${this.reason}`
  }
}

const write = (folder: string, texts: Iterable<readonly [path: string, text: string]>): void => {
  for (const [path, text] of texts) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
const pages = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(dist, { recursive: true })
    return mkdtempSync(join(dist, "pages-"))
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const program = join(dirname(createRequire(import.meta.url).resolve("vitepress/package.json")), "bin/vitepress.js")

/** Runs VitePress in the folder of the pages. Its output is the reason of a failure: links that lead to no page, for instance. */
const vitePress = (folder: string, outDir: string) =>
  Effect.callback<void, NotBuilt>((resume) => {
    const child = execFile(
      process.execPath,
      ["--no-warnings", program, "build", ".", "--outDir", outDir],
      { cwd: folder },
      (error, stdout, stderr) =>
        resume(error === null ? Effect.void : Effect.fail(new NotBuilt({ reason: `${stdout}${stderr}` })))
    )
    return Effect.sync(() => child.kill())
  })

/** Builds the site into a folder. Fails if a link leads to no page. */
export const build = (into: string): Effect.Effect<void, NotBuilt> =>
  Effect.gen(function* () {
    const outDir = resolve(into)
    const folder = yield* pages
    const { copies, texts } = Site.collect(root)
    write(folder, texts)
    write(folder, [
      [".vitepress/config.mjs", configuration],
      [".vitepress/theme/index.js", theme],
      // Without it, VitePress reads the tsconfig of this repository, whose target it does not know.
      ["tsconfig.json", "{}"]
    ])
    // VitePress takes pictures from beside the pages, and other files from `public`.
    for (const [path, source] of copies)
      for (const place of [path, join("public", path)]) cpSync(join(root, source), join(folder, place))
    yield* vitePress(folder, outDir)
    // Every page as Markdown, for readers that are programs.
    write(
      outDir,
      [...texts].filter(([path]) => path.endsWith(".md"))
    )
  }).pipe(Effect.scoped)
