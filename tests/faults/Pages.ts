/** A browser at a hosted page of a gateway in this process. */
import { assert } from "@effect/vitest"
import { HostedSession } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"

/** Looks at the page, or sends its form. */
export const ask = (token: string, form?: Readonly<Record<string, string>>) =>
  HostedPage.inProcess(`/pay/${token}`, form === undefined ? {} : { form })

/** The name of the order's page. */
export const tokenOf = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* Store
  const session = yield* store.load(HostedSession, [orderId], "order")
  assert.isDefined(session)
  return session.token
})
