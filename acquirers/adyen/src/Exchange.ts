/** One HTTP POST. It follows no redirect and repeats nothing. */
import { Predicate } from "effect"
import "./OldNode.ts"
import { request } from "undici"

export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HttpAnswer {
  readonly status: number
  /** Returns a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** Longest answer, in bytes. A longer one counts as lost. */
const longestAnswer = 1_048_576

/** Sends a request. The promise is rejected if there is no whole answer. */
export const post = async ({ body, headers, url }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
  const answer = await request(url, { method: "POST", headers: { ...headers }, body, signal })
  const parts: Array<Buffer> = []
  let length = 0
  for await (const part of answer.body) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > longestAnswer) throw new Error("the answer is too long")
    parts.push(bytes)
  }
  return {
    status: answer.statusCode,
    header: (name) => [answer.headers[name]].flat()[0],
    body: Buffer.concat(parts).toString("utf8")
  }
}

/** The codes of errors that only a connection that was not made has. */
const unconnected: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "ERR_TLS_CERT_ALTNAME_INVALID"]
])

/** Returns the code of the error of a request, and whether it proves that nothing was sent. */
export const failureOf = (error: unknown): { readonly code: string; readonly isUnsent: boolean } => {
  const code = Predicate.hasProperty(error, "code") ? error.code : undefined
  return { code: typeof code === "string" ? code : "no answer", isUnsent: unconnected.has(code) }
}
