/** Marked recipients of payouts: their data is in no file, row, log, span, response or callback. */
import { assert, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { RailControl } from "@pay/sandbox/RailControl"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import { request } from "undici"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

/** Numbers and names that occur nowhere else. */
const account = "GB33BUKB20201555555555"
const wallet = "marked-wallet-90210"
const phone = "+12025558317"
const person = { first_name: "Zephyrine", last_name: "Quillfeather", account_name: "Zephyrine Quillfeather" }
const marks = [account, wallet, phone, phone.slice(1), ...Object.values(person)]

const recipients: ReadonlyArray<TestMerchant.Fields> = [
  { credit_card_number: Marks.pan },
  { account_number: account, bank_name: "First Bank" },
  { ewallet_id: wallet },
  { phone }
]

const spellings = (mark: string): ReadonlyArray<string> => [
  mark,
  encodeURIComponent(mark),
  Buffer.from(mark).toString("hex"),
  Buffer.from(mark).toString("base64").replace(/=+$/, "").slice(0, -1)
]

const find = (haystacks: ReadonlyArray<Marks.Haystack>): ReadonlyArray<string> => [
  ...Marks.find(haystacks, []),
  ...haystacks.flatMap(({ bytes, name }) =>
    marks.filter((mark) => spellings(mark).some((text) => bytes.includes(text))).map((mark) => `${name}: ${mark}`)
  )
]

const payOut = Effect.fnUntraced(function* (
  name: TestPayouts.Creation,
  recipient: TestMerchant.Fields,
  amount = "1.00"
) {
  const { url } = yield* Witness.Witness
  const urls = { server_callback_url: url, notify_url: `${url}/notify` }
  const key = name === "PAYOUT" ? { key: OAuthKey.hmac(Marks.controlKey) } : {}
  return yield* Witness.kept(TestPayouts.send(name, { amount, currency: "USD", ...recipient, ...person, ...urls }, key))
})

const everyOutcome = Effect.gen(function* () {
  const rail = yield* RailControl
  for (const recipient of recipients) {
    TestMerchant.assertAccepted(yield* payOut("PAYOUT", recipient))
    yield* TestMerchant.settled
    yield* rail.next("pay", { verdict: { _tag: "Decline", code: 114, message: "No account" } })
    TestMerchant.assertAccepted(yield* payOut("PAYOUT_V4", recipient))
    yield* TestMerchant.settled
    yield* rail.next("pay", { delivery: { _tag: "Undecided" } })
    TestMerchant.assertAccepted(yield* payOut("PAYOUT", recipient))
    yield* TestMerchant.settled
    const checked = TestMerchant.nameOf(yield* payOut("PAYOUT_V4_CHECK", recipient))
    yield* TestMerchant.settled
    TestMerchant.assertAccepted(yield* Witness.kept(TestPayouts.pay(checked)))
    yield* TestMerchant.settled
    yield* rail.refuseLate(`${checked.orderid}-pay-1`, { code: 104, message: "Restricted" })
    yield* Witness.kept(payOut("PAYOUT", recipient, "1000000.00"))
    yield* Witness.kept(payOut("PAYOUT", recipient, "0"))
    const { add } = yield* Witness.Witness
    const { operatorUrl } = yield* NodeServer
    const page = yield* Effect.promise(async () =>
      (await request(`${operatorUrl}/operator/orders/${checked.orderid}`)).body.text()
    )
    add("operator", page)
  }
  yield* TestMerchant.pass("3 hours")
  yield* TestMerchant.settled
})

it.live("the recipient of a payout is shown only to the rail", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { kept } = yield* Witness.Witness
    yield* Effect.gen(function* () {
      for (const recipient of recipients) TestMerchant.assertAccepted(yield* payOut("PAYOUT", recipient))
      const leases = yield* Witness.folder(folder)
      assert.isAbove(
        leases.find(({ name }) => name === "table payouts")?.bytes.length ?? 0,
        400,
        "recipients, encrypted"
      )
      assert.deepStrictEqual(find(leases), [])
    }).pipe(Effect.provide(Witness.gateway(folder, { jobsPaused: true }), { local: true }))

    yield* Effect.gen(function* () {
      yield* TestMerchant.settled
      yield* everyOutcome
      const files = yield* Witness.folder(folder)
      assert.includeMembers(
        files.map(({ name }) => name),
        ["gateway.db", "gateway.db-wal", "rail.journal"]
      )
      assert.deepStrictEqual(find([...files, yield* Witness.metrics]), [])
    }).pipe(Effect.provide(Witness.gateway(folder), { local: true }))
    assert.deepStrictEqual(find(yield* Witness.folder(folder)), [])
    assert.includeMembers(
      kept().map(({ name }) => name),
      ["answers", "callbacks", "operator"]
    )
    assert.deepStrictEqual(find(kept()), [])
  }).pipe(Effect.provide(Witness.layer, { local: true }))
)

it("the search for recipients finds a value in each of its spellings", () => {
  for (const text of spellings(account)) {
    assert.deepStrictEqual(find([{ name: "text", bytes: Buffer.from(`x${text}y`) }]), [`text: ${account}`])
  }
})
