import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import * as Payments from "@pay/app-shop/Payments"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as Parity from "@pay/gateway/Parity"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as HostedPage from "../system/HostedPage.ts"
import * as TestGateway from "../system/TestGateway.ts"
import * as ShopProcess from "./ShopProcess.ts"

/** A shop that can be killed and opened again where it was. */
const lives = Effect.gen(function* () {
  const dataDirectory = yield* TestGateway.folder
  const { publicBaseUrl: gateway } = yield* NodeServer.NodeServer
  const printed: Array<string> = []
  const open = (port = "0") => ShopProcess.open({ dataDirectory, gateway, port, printed })
  const first = yield* open()
  const again = open(new URL(first.url).port)
  return { dataDirectory, printed, first, again }
})

/** What the bank has taken for the order, and what is wrong in any book. */
const booked = Effect.fnUntraced(function* (page: string) {
  const client_orderid = page.split("/").at(-1) ?? ""
  const client = yield* PayClient
  const control = yield* SandboxControl
  const { "paynet-order-id": orderid } = yield* client.status({ client_orderid })
  const { findings } = yield* Parity.check
  assert.deepStrictEqual([findings, yield* control.violations], [[], []])
  return yield* control.books.totals(orderid)
})

const isPaid = ({ title }: HostedPage.Page) => title.startsWith("Thank you")

it("a card is not kept sealed either", () => {
  for (const { keptSealed, neverKept } of Object.values(Payments.byCard)) {
    assert.deepStrictEqual(keptSealed, [])
    assert.sameMembers([...neverKept], ["cvv2", "credit_card_number", "expire_month", "expire_year"])
  }
  for (const { keptSealed } of [...Object.values(Payments.kept), ...Object.values(Payments.hosted), Payments.change]) {
    assert.deepStrictEqual(keptSealed, [])
  }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a shop that is killed", (it) => {
  it.effect("before its customer was sent to pay, and again while they pay: the order is paid, once", () =>
    Effect.gen(function* () {
      const { again, first } = yield* lives
      const order = yield* ShopProcess.buy(first, "can", { way: "hosted" })
      yield* first.kill
      const second = yield* again
      const sent = yield* ShopProcess.until(`${order}/go`, ({ headers }) => String(headers.location).includes("/pay/"))
      yield* second.kill
      yield* HostedPage.pay(String(sent.headers.location))
      yield* again
      yield* ShopProcess.until(order, isPaid)
      assert.strictEqual((yield* booked(order)).capturedMinor, 4800)
    })
  )

  it.effect("while its customer is at the bank: the order is paid, once, and no card is in any file or line", () =>
    Effect.gen(function* () {
      const { again, dataDirectory, first, printed } = yield* lives
      const card = { credit_card_number: "4444 0000 1111 8888", expiry: "11/31", cvv2: "123" }
      const order = yield* ShopProcess.buy(first, "can", { way: "card", ...card, card_printed_name: "Ada Lovelace" })
      yield* ShopProcess.until(`${order}/go`, ({ action }) => action !== undefined)
      yield* first.kill
      const files = readdirSync(dataDirectory).map((name) => readFileSync(join(dataDirectory, name), "latin1"))
      const written = [...files, ...printed].join("\n")
      for (const secret of ["4444000011118888", "4444 0000 1111 8888", "2031", "11/31"]) {
        assert.notInclude(written, secret)
      }
      const second = yield* again
      const client = yield* PayClient
      const client_orderid = order.split("/").at(-1) ?? ""
      const { "paynet-order-id": orderid } = yield* client.status({ client_orderid })
      const issuer = yield* ThreeDSControl
      const carried = yield* issuer.play(orderid, "pass")
      assert(carried._tag === "CRes")
      yield* HostedPage.visit(`${order}/back`, { form: { cres: carried.cres } })
      yield* ShopProcess.until(order, isPaid)
      assert.strictEqual((yield* booked(order)).capturedMinor, 4800)
      yield* second.kill
    })
  )

  it.effect("a form that another site made is refused; sent twice, the shop's own is one order", () =>
    Effect.gen(function* () {
      const { first } = yield* lives
      const forged = yield* HostedPage.visit(`${first.url}/buy/can`, { form: { way: "hosted" } })
      assert.strictEqual(forged.status, 403)
      const page = yield* HostedPage.visit(`${first.url}/buy/can`)
      const cookie = String(page.headers["set-cookie"]).split(";")[0] ?? ""
      const stolen = yield* HostedPage.visit(`${first.url}/buy/can`, { headers: { cookie }, form: { token: "x" } })
      assert.strictEqual(stolen.status, 403)
      const orders = (yield* Parity.check).orders
      const form = { ...page.hidden, ...ShopProcess.details, way: "hosted" }
      const post = HostedPage.visit(`${first.url}/buy/can`, { headers: { cookie }, form })
      const [one, two] = yield* Effect.all([post, post], { concurrency: 2 })
      assert.deepStrictEqual([one.status, two.headers.location], [303, one.headers.location])
      yield* ShopProcess.until(`${first.url}${one.headers.location}/go`, ({ headers }) =>
        String(headers.location).includes("/pay/")
      )
      assert.strictEqual((yield* Parity.check).orders, orders + 1)
    })
  )
})
