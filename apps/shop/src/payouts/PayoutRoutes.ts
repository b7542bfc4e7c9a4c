/** The back office for payouts. */
import { Effect } from "effect"
import { protect } from "../office/Password.ts"
import * as Page from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId } from "../web/Visitor.ts"
import * as PayoutPage from "./PayoutPage.ts"
import * as Payouts from "./Payouts.ts"

const routes = [
  Routes.get(
    "/office/payouts",
    Effect.fnUntraced(function* ({ visitor }) {
      return Page.render(PayoutPage.page(yield* Payouts.latest, yield* newId, visitor.token))
    })
  ),
  Routes.post(
    "/office/payouts",
    Effect.fnUntraced(function* ({ visitor }) {
      yield* Payouts.check(yield* visitor.form)
      return Routes.goTo("/office/payouts")
    })
  ),
  Routes.post(
    "/office/payouts/:id/confirm",
    Effect.fnUntraced(function* ({ part, visitor }) {
      yield* visitor.form
      const payout = yield* Payouts.find(part("id"))
      if (payout === undefined) return yield* missing
      yield* Payouts.confirm(payout)
      return Routes.goTo("/office/payouts")
    })
  )
]

export const layer = Routes.layer(routes.map(protect))
