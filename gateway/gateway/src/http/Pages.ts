/**
 * Pages for a person's browser: all paths that are not under `/api/`. A handler answers its own paths and leaves the rest to the
 * next handler. The gateway's own pages come first; a sandbox adds those of its issuer.
 */
import { Cause, Context, Effect, Layer } from "effect"
import type { Role } from "../operators/OperatorOperation.ts"
import type { Lack } from "../signin/SecondFactors.ts"

export interface PageRequest {
  readonly method: string
  /** The path as it was received, without the path prefix of the public address. {@link addressOf} reads it. */
  readonly path: string
  /** The query without its `?`. */
  readonly query: string
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body of a form post, undecoded. */
  readonly body: string
  readonly remoteAddress: string
  /** The address under which the browser reaches the gateway, for links and forms that need an absolute address. */
  readonly publicBaseUrl: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Which page an address names, and how its links find other pages. */
export interface Address {
  readonly path: string
  /** Leads from the received address to `/`, for relative links: `../` from `/pay/TOKEN`, `../../` from `/pay/TOKEN/`. */
  readonly root: string
}

const escaped = /%([0-9a-f]{2})/gi
const afterPath = /[^\w/.-].*$/s

/**
 * Reads the path of a page. Browsers, issuers, mail clients and proxies change addresses: they add a slash, a full stop or tracking
 * parameters at the end, double a slash, or escape characters. A page has only letters, digits, `_` and `-` in its path, so what
 * follows another character is not part of it. Paths of operations are signed, and read as they are (`RequestTarget.ts`).
 *
 * @example addressOf("//pay/a%2Db/&utm_source=mail") // { path: "/pay/a-b", root: "../../../" }
 */
export const addressOf = (received: string): Address => {
  const text = received.replaceAll(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const single = text.replace(afterPath, "").replaceAll(/\/{2,}/g, "/")
  let length = single.length
  while (length > 0 && "/.".includes(single.charAt(length - 1))) length -= 1
  return { path: single.slice(0, length) || "/", root: "../".repeat(Math.max(0, received.split("/").length - 2)) }
}

/** Whether a request only reads. Programs that scan mails, and browsers that load in advance, send such requests. */
export const isRead = ({ method }: Pick<PageRequest, "method">): boolean => method === "GET" || method === "HEAD"

/** Answers a request with a page. Never fails: an error is a page too. `undefined`: the path belongs to another handler. */
export type PageHandler = (request: PageRequest) => Effect.Effect<PageAnswer | undefined>

/**
 * Answers with a notice where a page fails, which is logged. A page that is interrupted stays so: the gateway stops, and nothing has
 * gone wrong.
 */
export const orNotice = <A, E>(page: Effect.Effect<A, E>, notice: () => A): Effect.Effect<A> =>
  Effect.catchCause(page, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.as(Effect.logError("A page cannot be served", cause), notice())
  )

/** Answers with the first handler that has the address. `undefined`: none has it. */
export const first = Effect.fnUntraced(function* <R extends PageRequest>(
  handlers: ReadonlyArray<(request: R) => Effect.Effect<PageAnswer | undefined>>,
  request: R
) {
  for (const handler of handlers) {
    const answer = yield* handler(request)
    if (answer !== undefined) return answer
  }
  return undefined
})

/** Further pages beside the gateway's own. Default: none. */
export const FurtherPages = Context.Reference<ReadonlyArray<PageHandler>>("@pay/gateway/FurtherPages", {
  defaultValue: () => []
})

/** A request of an operator who has signed in. */
export interface OperatorRequest extends PageRequest {
  readonly operator: {
    /** The name, as the audit trail records it. */
    readonly name: string
    /** What the operator may change. */
    readonly roles: ReadonlyArray<Role>
    /** What the sign-in lacks, so that the operator may only look. Absent: nothing. */
    readonly lack?: Lack
  }
}

/** Answers an operator. `undefined`: the path belongs to another handler. */
export type OperatorHandler = (request: OperatorRequest) => Effect.Effect<PageAnswer | undefined>

/** What operators are answered, on their own address only. Default: nothing. */
export const OperatorPages = Context.Reference<ReadonlyArray<OperatorHandler>>("@pay/gateway/OperatorPages", {
  defaultValue: () => []
})

/** Returns what adds a handler before those of the context. */
const adding =
  <H>(handlers: Context.Reference<ReadonlyArray<H>>) =>
  <E, R>(make: Effect.Effect<H, E, R>) =>
    Layer.effect(
      handlers,
      Effect.gen(function* () {
        const others = yield* handlers
        return [yield* make, ...others]
      })
    )

/** Adds a handler before the {@link FurtherPages} of the context. */
export const layer = adding(FurtherPages)

/** Adds a handler before the {@link OperatorPages} of the context. */
export const operatorLayer = adding(OperatorPages)
