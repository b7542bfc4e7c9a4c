/** The wire over the `fetch` of the runtime: Node, Bun, Deno and others. It needs no package. */
import { Effect, Layer, Predicate } from "effect"
import * as AnswerBody from "./AnswerBody.ts"
import * as Families from "./Families.ts"
import { failureOf } from "./Unsent.ts"
import { expiring, Wire, type WireAnswer, WireError, type WireRequest } from "./WirePort.ts"

/** The part of `fetch` that the wire uses. */
export type Fetch = (
  url: string,
  init: {
    readonly method: "POST"
    readonly headers: Record<string, string>
    readonly body: string
    readonly redirect: "manual"
    readonly signal: AbortSignal
  }
) => Promise<Pick<Response, "status" | "body"> & { readonly headers: Pick<Headers, "entries"> }>

const exchange = (fetch: Fetch, { body, headers, url }: WireRequest): Effect.Effect<WireAnswer, WireError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers.entries()),
        body: await AnswerBody.read(answer.body, AnswerBody.longest)
      }
    },
    catch: (error) => new WireError(failureOf(error))
  })

/**
 * Sends with `fetch`, which must not repeat a request by itself. A failure to resolve the name or to connect, and a certificate that
 * is not accepted, prove that nothing was sent. Any other failure is `Lost`, also an answer of more than 1 MiB after decompression.
 *
 * @example PayClient.layerNoDeps(options).pipe(Layer.provide(Wire.layerFetch()))
 */
export const layer = (fetch?: Fetch): Layer.Layer<Wire> => Layer.sync(Wire, () => make(fetch))

/** Makes the wire of {@link layer}. */
export const make = (fetch: Fetch = ofRuntime()): Wire["Service"] =>
  Wire.of({ send: (request) => expiring(request, exchange(fetch, request)) })

/** Returns the `fetch` of the runtime, with the settings that this wire needs. */
const ofRuntime = (): Fetch => {
  Families.allowSlowHandshakes()
  const client = clientOfDeno()
  return client === undefined
    ? globalThis.fetch
    : (url, init) => globalThis.fetch(url, Object.assign({}, init, { client }))
}

/**
 * Returns a client that keeps no connection, on Deno. If a server closes a connection that was kept, Deno sends the request again on
 * another one, although the server may have read it. `undefined` on other runtimes, which do not.
 */
const clientOfDeno = (): unknown => {
  const deno: unknown = Reflect.get(globalThis, "Deno")
  if (!Predicate.hasProperty(deno, "createHttpClient") || typeof deno.createHttpClient !== "function") return undefined
  return Reflect.apply(deno.createHttpClient, deno, [{ poolMaxIdlePerHost: 0 }])
}
