/** The documentation site that `npm run docs:site` has built, on an address of its own. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join, normalize, resolve } from "node:path"
import { Effect, Schema } from "effect"

export class DocsNotServed extends Schema.TaggedError<DocsNotServed>()("DocsNotServed", { reason: Schema.String }) {
  override get message(): string {
    return `the documentation is not served: ${this.reason}`
  }
}

/** The folder of the built site. */
export const folder: string = join(import.meta.dirname, "../../docs/dist/site")

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

/** The file that an address names, or undefined. No address leads out of the folder, and no file has a name with escapes. */
const fileOf = (site: string, url: string): string | undefined => {
  const path = URL.parse(url, "http://site")?.pathname ?? ""
  const file = resolve(join(site, normalize(`/${path}${path.endsWith("/") ? "index.html" : ""}`)))
  return file.startsWith(`${resolve(site)}/`) && existsSync(file) && statSync(file).isFile() ? file : undefined
}

export interface Options {
  /** 0 takes a free one. */
  readonly port: number
  /** Instead of {@link folder}. */
  readonly site?: string
}

/** Whether the site has been built. */
export const isBuilt = (site: string = folder): boolean => existsSync(join(site, "index.html"))

/** Serves the site until the scope ends. Returns its address. */
export const open = Effect.fnUntraced(function* ({ port, site = folder }: Options) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createServer(({ method, url = "/" }, response) => {
        const file = method === "GET" || method === "HEAD" ? fileOf(site, url) : undefined
        if (file === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n")
        else {
          const type = mediaTypes[extname(file)] ?? "application/octet-stream"
          response.writeHead(200, { "content-type": type }).end(readFileSync(file))
        }
      })
    ),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return yield* Effect.callback<string, DocsNotServed>((resume) => {
    server.once("error", ({ message }) => resume(Effect.fail(new DocsNotServed({ reason: message }))))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}`))
    })
  })
})
