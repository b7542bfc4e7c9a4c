/** The pages of the console by their addresses. */
import { Effect } from "effect"
import type { PageAnswer } from "../Pages.ts"
import * as EraseCustomer from "./EraseCustomer.ts"
import * as Frame from "./Frame.ts"
import * as NowPage from "./NowPage.ts"
import * as OrderActions from "./OrderActions.ts"
import * as OrderPage from "./OrderPage.ts"
import * as OrderSearch from "./OrderSearch.ts"
import * as OrdersPage from "./OrdersPage.ts"
import * as UnknownActions from "./UnknownActions.ts"
import * as UnknownPage from "./UnknownPage.ts"
import * as Visit from "./Visit.ts"

type Answer = Effect.Effect<PageAnswer | undefined>

/** Answers a page. The first parameter in the path is given, where there is one. */
type Page = (visit: Visit.Visit, id: string) => Answer

const routes: ReadonlyArray<readonly ["GET" | "POST", RegExp, Page]> = [
  ["GET", /^\/console$/, (visit) => Effect.succeed(Frame.redirect(Visit.at(visit, "now")))],
  ["GET", /^\/console\/now$/, NowPage.page],
  ["GET", /^\/console\/now\/events$/, NowPage.events],
  ["GET", /^\/console\/orders$/, OrdersPage.page],
  ["GET", /^\/console\/unknown$/, UnknownPage.page],
  ["POST", /^\/console\/unknown\/inquire$/, UnknownActions.inquire],
  ["POST", /^\/console\/unknown\/propose$/, UnknownActions.propose],
  ["POST", /^\/console\/unknown\/confirm$/, UnknownActions.confirm],
  ["POST", /^\/console\/unknown\/withdraw$/, UnknownActions.withdraw],
  ["POST", /^\/console\/proposals\/([\w.-]{1,64})\/confirm$/, UnknownActions.confirmChange],
  ["POST", /^\/console\/proposals\/([\w.-]{1,64})\/withdraw$/, UnknownActions.withdrawChange],
  ["POST", /^\/console\/payouts\/(\d{1,20})\/decide$/, UnknownActions.decidePayout],
  ["POST", /^\/console\/tasks\/([\w.-]{1,64})\/answer$/, UnknownActions.answer],
  ["POST", /^\/console\/tasks\/([\w.-]{1,64})\/reverse$/, UnknownActions.settle("reverseTask")],
  ["POST", /^\/console\/tasks\/([\w.-]{1,64})\/close$/, UnknownActions.settle("closeTask")],
  ["POST", /^\/console\/customers\/erase$/, EraseCustomer.submit],
  ["POST", /^\/console\/search$/, OrderSearch.search],
  ["GET", /^\/console\/orders\/(\d{1,20})$/, (visit, order) => OrderPage.page(visit, order, visit.newKey())],
  ["POST", /^\/console\/orders\/(\d{1,20})\/inquire$/, (visit, order) => OrderActions.submit(visit, order, "inquire")],
  ["POST", /^\/console\/orders\/(\d{1,20})\/refund$/, (visit, order) => OrderActions.submit(visit, order, "refund")],
  ["POST", /^\/console\/orders\/(\d{1,20})\/void$/, (visit, order) => OrderActions.submit(visit, order, "void")],
  ["POST", /^\/console\/orders\/(\d{1,20})\/erase$/, (visit, order) => OrderActions.submit(visit, order, "erase")],
  ["POST", /^\/console\/callbacks\/([\w.-]{1,64})\/resend$/, OrderActions.resend]
]

const events = /^\/console\/[a-z]{1,20}\/events$/

/** Whether a page asks by itself, so that no person uses the session. */
export const isOfPage = ({ path }: Visit.Guest): boolean => events.test(path)

/** Tells a live page that its session has ended. `undefined`: the request is another. */
export const endedEvents = (visit: Visit.Guest): PageAnswer | undefined =>
  isOfPage(visit)
    ? {
        status: 200,
        headers: { ...Frame.headers, "content-type": "text/event-stream" },
        body: "event: ended\ndata:\n\n"
      }
    : undefined

export const answer = (visit: Visit.Visit): Answer => {
  const method = visit.request.method === "POST" ? "POST" : "GET"
  for (const [of, pattern, page] of routes) {
    const match = of === method ? pattern.exec(visit.path) : null
    if (match !== null) return page(visit, match[1] ?? "")
  }
  return Effect.undefined
}
