/** A customer's browser: loads pages through the network, follows redirects, and reloads a page that does not arrive. */

import type { Chance } from "@pay/crashtest/Chance"
import { Effect } from "effect"
import * as HtmlPage from "../../harness/HtmlPage.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

export type Fields = Readonly<Record<string, string>>

/** A request of a browser: an address, or a form that is posted to it. */
export interface Request {
  readonly url: string
  readonly form?: Fields | undefined
}

/** A page with its address. */
export interface Page extends HtmlPage.Page {
  readonly url: string
}

const maxTries = 3
const maxRedirects = 5
const longestPauseMs = 20_000

/** Returns undefined if no page arrives after all attempts. */
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
