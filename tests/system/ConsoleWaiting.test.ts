/** Payouts, tasks and proposals on the console's page of what waits. */
import { createPrivateKey, generateKeyPairSync } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as Approval from "@pay/signing/Approval"
import { Effect, Redacted } from "effect"
import * as Unexpected from "../../gateway/gateway/src/orders/decide/Unexpected.ts"
import { BankTask } from "../../gateway/gateway/src/orders/record/BankTask.ts"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import { as } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const roles = { ada: undefined, ben: ["support"], eve: ["finance"] } as const
const operators = Object.entries(roles).map(([name, own]) => ({
  name,
  roles: own,
  token: Redacted.make(`the token of ${name}`)
}))

const signedIn = Effect.fnUntraced(function* (name: keyof typeof roles) {
  const browser = yield* ConsoleBrowser.open()
  yield* browser.signIn(`the token of ${name}`)
  return browser
})

const own = createPrivateKey(TestGateway.approver.privateKeyPem)
const another = generateKeyPairSync("ed25519").privateKey

/** Signs the text that the page shows for an order, with a name and a decision in it. */
const signed = (page: ConsoleBrowser.ConsoleAnswer, order: string, decision: Approval.Decision, key = own) => {
  const [, text = ""] = new RegExp(`<pre>(pay-approval: v1\n[^<]*\norder: ${order}\n[^<]*)</pre>`).exec(page.text) ?? []
  const [, amount = ""] = /\namount: (.*)\n/.exec(text) ?? []
  const [, recipient = ""] = /\nrecipient: (.*)\n/.exec(text) ?? []
  const { name } = TestGateway.approver
  const statement = { decision, orderId: order, amount, recipient, approver: name }
  assert.strictEqual(Approval.text({ ...statement, decision: "approve", approver: "APPROVER" }), text)
  return { approver: name, decision, signature: Approval.sign(statement, key) }
}

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console's page of what waits", (it) => {
  it.effect("takes an approver's signed decision about a payout, once, and no other proof", () =>
    Effect.gen(function* () {
      const made = TestPayouts.made("PAYOUT", TestPayouts.plain, { endpointId: TestGateway.endpoints.approval })
      const [paid, refused] = [yield* made, yield* made]
      const [ada, ben] = [yield* signedIn("ada"), yield* signedIn("ben")]
      assert.notInclude((yield* ben.get("/console/unknown")).text, `payouts/${paid.orderid}/decide`)
      const page = yield* ada.get("/console/unknown")
      const decide = (
        order: string,
        decision: Approval.Decision,
        changes: Readonly<Record<string, string>> = {},
        key = own
      ) => ada.submit(page, `payouts/${order}/decide`, { ...signed(page, order, decision, key), ...changes })
      const about = [
        yield* decide(paid.orderid, "approve", {}, another),
        yield* decide(paid.orderid, "approve", { approver: "nobody" }),
        yield* decide(paid.orderid, "approve", { decision: "reject" }),
        yield* decide(paid.orderid, "approve", { amount: "1.00 USD" }),
        yield* decide(paid.orderid, "approve"),
        yield* decide(paid.orderid, "reject"),
        yield* decide(refused.orderid, "reject")
      ]
      assert.deepStrictEqual(
        about.map(({ status }) => status),
        [401, 401, 401, 401, 200, 409, 200]
      )
      yield* TestMerchant.settled
      assert.include(yield* TestPayouts.orderStatus(paid), "approved")
      assert.include(yield* TestPayouts.orderStatus(refused), "declined")
      assert.include((yield* ada.get("/console/unknown")).text, "No payout waits.")
    })
  )

  it.effect("lists the payouts of every merchant, and counts them on Now", () =>
    Effect.gen(function* () {
      const order = yield* TestPayouts.made("PAYOUT", TestPayouts.plain, {
        endpointId: TestGateway.endpoints.approval
      })
      const { body } = yield* as("the token of ben")("GET", "/operator/payouts?state=waiting")
      assert(Array.isArray(body.payouts))
      assert.deepStrictEqual(
        body.payouts.map((payout) => payout.order),
        [order.orderid]
      )
      const browser = yield* signedIn("ben")
      const now = yield* browser.get("/console/now")
      assert.include(now.text, "<b>1</b> payout that waits for its approver")
    })
  )

  it.effect("takes what two people state of a request of which the bank cannot say what became of it", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { orderid } = yield* TestMerchant.order("SALE")
      const order = yield* store.load(Order, [orderid])
      assert(order !== undefined)
      const unknown = {
        source: "bank",
        reference: `${orderid}-refund-1`,
        verdict: "unknown",
        amountMinor: 1042
      } as const
      const task = Unexpected.taskOf(order, unknown, false, 1)
      yield* store.commit({ guards: [], writes: [Decision.put(BankTask, task)] })
      const stated = { as: "declined", note: "Ms Smith, by telephone" }
      const answer = `tasks/${task.taskId}/answer`
      const [ada, ben, eve] = [yield* signedIn("ada"), yield* signedIn("ben"), yield* signedIn("eve")]
      assert.notInclude((yield* ben.get("/console/unknown")).text, answer)
      const byBen = yield* as("the token of ben")("POST", `/operator/tasks/${task.taskId}/answer`, stated)
      assert.strictEqual(byBen.status, 403)
      const page = yield* ada.get("/console/unknown")
      assert.notInclude(page.text, `tasks/${task.taskId}/close`)
      const kept = yield* ada.submit(page, answer, stated)
      const [, proposal = ""] = /pay proposals confirm (\d+)/.exec(kept.text) ?? []
      const confirm = `proposals/${proposal}/confirm`
      assert.notInclude((yield* ada.get("/console/unknown")).text, confirm)
      const byAda = yield* as("the token of ada")("POST", `/operator/${confirm}`)
      assert.strictEqual(byAda.status, 409)
      assert.strictEqual((yield* store.load(BankTask, [task.taskId]))?.state, "open")
      yield* eve.submit(yield* eve.get("/console/unknown"), confirm)
      const closed = yield* store.load(BankTask, [task.taskId])
      assert.deepInclude(closed, { state: "closed", closedBy: "operator:eve", note: stated.note })
      const { text } = yield* as("the token of ada")("GET", `/operator/audit?subject=order:${orderid}`)
      assert.include(text, "task.answer")
    })
  )
})
