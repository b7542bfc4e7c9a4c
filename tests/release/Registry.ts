/** A package registry on this machine that has no package and accepts each one. */
import { buffer } from "node:stream/consumers"
import { Effect, type Scope } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

/** The manifest of one published version. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
}

export interface Registry {
  readonly url: string
  /** The releases that were published until now. */
  readonly releases: ReadonlyArray<Release>
}

/** Opens a registry, which closes with the scope. */
export const open: Effect.Effect<Registry, never, Scope.Scope> = Effect.gen(function* () {
  const releases: Array<Release> = []
  const port = yield* serve(async (request, response) => {
    if (request.method !== "PUT") return void response.writeHead(404).end("{}")
    const { versions } = JSON.parse(String(await buffer(request)))
    releases.push(...Object.values<Release>(versions))
    response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}')
  })
  return { url: `http://127.0.0.1:${port}/`, releases }
})
