/** A browser at a hosted page of a gateway in this process. */
import { assert } from "@effect/vitest"
import { HostedSession } from "@pay/gateway/entities/HostedSession"
import { HostedPages } from "@pay/gateway/HostedPages"
import { Store } from "@pay/gateway/Store"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"

/** Looks at the page, or sends its form. */
export const ask = Effect.fnUntraced(function* (token: string, form?: Readonly<Record<string, string>>) {
  const handler = yield* HostedPages
  const answer = yield* handler({
    method: form === undefined ? "GET" : "POST",
    path: `/pay/${token}`,
    query: "",
    headers: {},
    body: form === undefined ? "" : Form.write(Object.entries(form)),
    remoteAddress: "127.0.0.1",
    publicBaseUrl: "http://127.0.0.1"
  })
  assert.isDefined(answer)
  return HostedPage.read(answer.status, answer.headers, answer.body)
})

/** The name of the order's page. */
export const tokenOf = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* Store
  const session = yield* store.load(HostedSession, [orderId], "order")
  assert.isDefined(session)
  return session.token
})
