/** Serves the documentation site that `npm run docs:site` has built, on its own port. */
import { existsSync, readFileSync, statSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { extname, join, normalize, resolve } from "node:path"
import { Effect, Schema } from "effect"
import * as LoopbackServer from "./LoopbackServer.ts"

export class DocsNotServed extends Schema.TaggedError<DocsNotServed>()("DocsNotServed", { reason: Schema.String }) {
  override get message(): string {
    return `The documentation is not served (${this.reason}); choose another port with DOCS_PORT, 0 for any`
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
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

/**
 * Returns the file of a path, which may omit `.html`, or `undefined`. No path leads out of the folder. Percent escapes are not
 * decoded, because no file name needs them.
 */
const fileOf = (site: string, path: string): string | undefined => {
  const file = resolve(join(site, normalize(`/${path}${path.endsWith("/") ? "index.html" : ""}`)))
  if (!file.startsWith(`${resolve(site)}/`)) return undefined
  return [file, `${file}.html`].find((each) => existsSync(each) && statSync(each).isFile())
}

const notFound =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Not found</title><meta name="color-scheme" content="light dark"><body style="font-family:system-ui;margin:15vh auto;' +
  'max-width:26em;padding:0 1em"><h1>Not found</h1><p>The documentation has no page here. <a href="/">Go to the overview</a>, ' +
  "which has a search.</p></html>\n"

const answer = (site: string, url: string, response: ServerResponse): void => {
  const path = URL.parse(url, "http://site")?.pathname ?? ""
  const file = fileOf(site, path)
  if (file !== undefined) {
    const type = mediaTypes[extname(file)] ?? "application/octet-stream"
    response.writeHead(200, { "content-type": type }).end(readFileSync(file))
  } else if (!path.endsWith("/") && fileOf(site, `${path}/`) !== undefined) {
    // Links of the page are relative to its folder, so the address needs a slash at its end.
    response.writeHead(308, { location: `./${path.slice(path.lastIndexOf("/") + 1)}/` }).end()
  } else response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end(notFound)
}

export interface Options {
  /** 0 selects a free port. */
  readonly port: number
  /** The folder of the site. The default is {@link folder}. */
  readonly site?: string
}

/** Returns whether the site has been built. */
export const isBuilt = (site: string = folder): boolean => existsSync(join(site, "index.html"))

/** Serves the site until the scope ends. Returns its address. */
export const open = ({ port, site = folder }: Options) =>
  LoopbackServer.serve(port, ({ method, url = "/" }, response) => {
    if (method === "GET" || method === "HEAD") answer(site, url, response)
    else response.writeHead(405, { allow: "GET, HEAD" }).end()
  }).pipe(Effect.mapError(({ message }) => new DocsNotServed({ reason: message })))
