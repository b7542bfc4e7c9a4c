/** A browser: gets pages through the network, follows redirects, and tries again as a person does where none comes. */
import { Effect } from "effect"
import * as HtmlPage from "../../harness/HtmlPage.ts"
import type { Chance } from "../Chance.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

export type Fields = Readonly<Record<string, string>>

/** What a browser asks for: an address, or a form that it posts there. */
export interface Request {
  readonly url: string
  readonly form?: Fields | undefined
}

/** A page with the address at which it stands. */
export interface Page extends HtmlPage.Page {
  readonly url: string
}

const maxTries = 3
const maxRedirects = 5
const longestPauseMs = 20_000

/** Undefined: no page comes, however often the person tries. */
export const open = Effect.fnUntraced(function* (remote: RemoteGateway, chance: Chance, request: Request) {
  let { form, url } = request
  for (let tries = 0, redirects = 0; tries < maxTries && redirects <= maxRedirects; ) {
    const answer = yield* remote.browse(url, form)
    if (answer?.status === 303) {
      redirects += 1
      url = new URL(String(answer.headers.location), url).href
      form = undefined
    } else if (answer === undefined || answer.status === 429 || answer.status >= 500) {
      tries += 1
      yield* Effect.sleep(1 + chance.below(longestPauseMs))
    } else {
      return { ...HtmlPage.read(answer.status, answer.headers, answer.body), url } satisfies Page as Page
    }
  }
  return undefined
})
