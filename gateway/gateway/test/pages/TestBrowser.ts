/** A browser without scripts, in this process. It requests the gateway's pages and follows redirects. */
import { assert } from "@effect/vitest"
import * as Markup from "@pay/schema/Markup"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import { HostedPages } from "../../src/http/pages/HostedPages.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"

/** Sends one request, and runs the jobs that are then due before the answer is returned. */
const ask = (url: string, form: Readonly<Record<string, string>> | undefined) =>
  Effect.gen(function* () {
    const pages = yield* HostedPages
    const { pathname, search } = new URL(url)
    const answer = yield* pages({
      method: form === undefined ? "GET" : "POST",
      path: pathname,
      query: search.slice(1),
      headers: { accept: "text/html", "user-agent": "Test browser", "accept-language": "en-GB" },
      body: form === undefined ? "" : Form.write(Object.entries(form)),
      remoteAddress: "203.0.113.9",
      publicBaseUrl: ScriptedGateway.baseUrl
    })
    assert.isDefined(answer)
    yield* ScriptedGateway.settle
    const { body = "", headers = {}, status = 0 } = answer ?? {}
    return { body, headers, status }
  })

const mostRedirects = 5

export const visit = (url: string, form?: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    let at = url
    let answer = yield* ask(at, form)
    for (let count = 0; count < mostRedirects && answer.status === 303; count += 1) {
      at = new URL(answer.headers.location ?? "", at).href
      answer = yield* ask(at, undefined)
    }
    const { body } = answer
    return {
      ...answer,
      path: at.slice(ScriptedGateway.baseUrl.length).replace(/\?.*/, ""),
      title: /<title>([^<]*)/.exec(body)?.[1] ?? "",
      ...Markup.form(body)
    }
  })
