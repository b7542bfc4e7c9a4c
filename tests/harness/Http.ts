/** One HTTP request as a test writes it: nothing is sent again, and no redirect is followed. */
import { Effect, Schema } from "effect"
import { type Dispatcher, request } from "undici"

export interface Request {
  /** Default: `GET`, or `POST` with a body. */
  readonly method?: Dispatcher.HttpMethod
  /** Path and query exactly as they are sent, in place of those of the address. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

export const form = { "content-type": "application/x-www-form-urlencoded" } as const

export const send = (
  url: string,
  { body, headers = {}, method = body === undefined ? "GET" : "POST", path }: Request = {}
) =>
  Effect.promise(async (): Promise<Answer> => {
    const answer = await request(url, { method, headers, body: body ?? null, ...(path === undefined ? {} : { path }) })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  })

/** Reads a body that is one JSON object. */
export const json = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
