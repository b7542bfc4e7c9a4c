/** Every operation of the contract: asked for over a socket, signed as it wants to be, and followed to its outcome and callback. */
import { assert, layer } from "@effect/vitest"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const gateway = TestGateway.layer().pipe(Layer.provideMerge(Inbox.layer))
type World = Layer.Success<typeof gateway>

const { endpoints, login } = TestGateway
const { threedsMerchant } = endpoints

interface Row {
  /** What must be there first: the fields that name it, or that say more than the sample. */
  readonly needs?: Effect.Effect<TestMerchant.Fields, unknown, World>
  readonly endpointId?: string
  /** An action between the acknowledgement and the outcome. */
  readonly meanwhile?: (reply: TestGateway.Reply) => Effect.Effect<unknown, unknown, World>
  /** `status transaction-type`, as status tells it in the end; left out: answered at once, with this `type`. */
  readonly ends?: string
  readonly type?: string
  /** The request causes no callback, because its order is still under way. */
  readonly quiet?: boolean
}

const named = ({ client_orderid, orderid }: TestMerchant.Order): TestMerchant.Fields => ({ client_orderid, orderid })
const sold = Effect.map(TestMerchant.order("SALE"), named)
const heldOrder = Effect.map(TestMerchant.order("PREAUTH"), named)

/** The customer pays on the page. */
const paid = (reply: TestGateway.Reply) => HostedPage.pay(TestMerchant.text(reply, "redirect-url"))

/** A sale at the step that this card leads to, as the uploads name it. */
const atIssuer = Effect.fnUntraced(function* (credit_card_number: string) {
  const { url } = yield* Inbox.Inbox
  const fields = {
    ...Sample.browser,
    credit_card_number,
    server_callback_url: url,
    redirect_url: "https://shop.example/back"
  }
  const order = yield* TestMerchant.order("SALE", fields, { endpointId: threedsMerchant })
  const { client_orderid, orderid } = order
  const status = yield* TestMerchant.status(order, { endpointId: threedsMerchant })
  return { names: { client_orderid: "", "client-order-id": client_orderid, orderid }, orderid, status }
})

const carried = Effect.fnUntraced(function* (card: string) {
  const { names, orderid } = yield* atIssuer(card)
  const control = yield* ThreeDSControl
  return { names, carried: yield* control.play(orderid, "pass") }
})

const toAccount: TestMerchant.Fields = { ...TestPayouts.plain, credit_card_number: "", ewallet_id: "", phone: "" }

const rows: Readonly<Record<PayApi.Name, Row>> = {
  TDS_UPLOAD_CRES_RESULT: {
    endpointId: threedsMerchant,
    needs: Effect.map(carried("4444000011118888"), ({ carried, names }) => ({
      ...names,
      cRes: carried._tag === "CRes" ? carried.cres : ""
    })),
    ends: "approved sale"
  },
  TDS_UPLOAD_METHOD_URL_RESULT: {
    endpointId: threedsMerchant,
    needs: Effect.map(atIssuer("4444020700000007"), ({ names, status }) => ({
      ...names,
      threeDSServerTransID: String(status["threeds-server-trans-id"])
    })),
    ends: "approved sale"
  },
  TDS_UPLOAD_PARES_RESULT: {
    endpointId: threedsMerchant,
    needs: Effect.map(carried("4444024000000006"), ({ carried, names }) => ({
      ...names,
      ...(carried._tag === "PaRes" ? { paRes: carried.pares, md: carried.md } : {})
    })),
    ends: "approved sale"
  },
  ACCOUNT_VERIFICATION_FORM: { meanwhile: paid, ends: "approved account_verification" },
  ACCOUNT_VERIFICATION: { ends: "approved account_verification" },
  CAPTURE: { needs: heldOrder, ends: "approved capture" },
  CARDREF: { needs: sold, type: "create-card-ref-response" },
  CARDINFO: { needs: Effect.map(Transfers.stored(), (cardrefid) => ({ cardrefid })), type: "get-card-info-response" },
  REBILL: { needs: Effect.map(Transfers.stored(), (cardrefid) => ({ cardrefid })), ends: "approved sale" },
  PAYMENTFORM: { meanwhile: paid, ends: "approved sale" },
  PAYOUTFORM: {
    meanwhile: (reply) =>
      HostedPage.visit(TestMerchant.text(reply, "redirect-url"), {
        form: { attempts: "0", action: "pay", way: "account", account: "DE89370400440532013000", recipient: "Jane Doe" }
      }),
    ends: "approved payout"
  },
  PAYOUT: { needs: Effect.succeed(toAccount), ends: "approved payout" },
  PREAUTHFORM: { meanwhile: paid, ends: "approved preauth" },
  PREAUTH: { ends: "approved preauth" },
  RETURN: { needs: sold, ends: "approved reversal" },
  SALEFORM: { meanwhile: paid, ends: "approved sale" },
  SALE: { ends: "approved sale" },
  STATUS: { needs: sold, type: "status-response" },
  VOID: { needs: heldOrder, ends: "approved cancel" },
  CARDREF_V4: { needs: sold, type: "create-card-ref-response" },
  CREATE_RP_V4: { needs: Effect.succeed({ cvv2: "123" }), ends: "approved sale" },
  PAYOUT_V4_CHECK: { needs: Effect.succeed(toAccount), ends: "processing payout", quiet: true },
  PAYOUT_V4_PAY: { needs: Effect.map(TestPayouts.made("PAYOUT_V4_CHECK"), named), ends: "approved payout" },
  PAN_ELIGIBILITY_SEND: {
    needs: Effect.map(Transfers.stored(), (card) => ({ "sending-card-ref-id": card })),
    ends: "approved pan_eligibility"
  },
  TRANSFER_V4: { ends: "approved transfer" },
  TRANSFER_BY_REF_V4: {
    needs: Effect.map(Transfers.stored(), (card) => ({ "source-card-ref-id": card })),
    ends: "approved transfer"
  },
  PAYOUT_V4: { needs: Effect.succeed(toAccount), ends: "approved payout" },
  PROCESS_RP_V4: {
    needs: Effect.map(Recurring.created(), ({ id }) => ({ "recurring-payment-id": id })),
    ends: "approved sale"
  },
  UPDATE_RP_V4: {
    needs: Effect.map(Recurring.created(), ({ id }) => ({ "recurring-payment-id": id, change: "pause" })),
    type: "update-recurring-payment-response"
  },
  SYNC_ACCOUNT_VERIFICATION: { ends: "approved account_verification" },
  TRANSFERFORM: {
    meanwhile: (reply) => HostedPage.pay(TestMerchant.text(reply, "redirect-url"), { receiver: "4444 5555 6666 1111" }),
    ends: "approved transfer"
  },
  TRANSFER_BY_REF: {
    needs: Effect.gen(function* () {
      return {
        "source-card-ref-id": yield* Transfers.stored(),
        "destination-card-ref-id": yield* Transfers.stored()
      }
    }),
    ends: "approved transfer"
  },
  REBILL_SALE: { needs: Effect.map(Transfers.stored(), (cardrefid) => ({ cardrefid })), ends: "approved sale" },
  REBILL_PREAUTH: { needs: Effect.map(Transfers.stored(), (cardrefid) => ({ cardrefid })), ends: "approved preauth" },
  SALE_V4: { ends: "approved sale" },
  STATUS_V4: { needs: sold, type: "status-response" }
}

/** The sample under a name of its own, an address for the outcome, and what the row says. */
const fieldsOf = (operation: Operation, url: string, more: TestMerchant.Fields): TestMerchant.Fields => {
  const id = TestMerchant.freshId()
  const own: TestMerchant.Fields = { login, client_orderid: id, "client-order-id": id, server_callback_url: url }
  const existing = Object.entries({ ...own, ...more }).filter(([name, text]) => name in operation.fields && text !== "")
  const absent = Object.entries(more).flatMap(([name, text]) => (text === "" ? [name] : []))
  const sample = Object.entries(Sample.request(operation)).filter(([name]) => !absent.includes(name))
  return Object.fromEntries([...sample, ...existing])
}

const send = (operation: Operation, fields: TestMerchant.Fields, endpointId: string) =>
  operation.signing._tag === "OAuth"
    ? OAuth.sendOnly(operation, fields, { endpointId })
    : TestGateway.post(operation, fields, { endpointId })

layer(gateway, { excludeTestServices: true })("each operation, from its request to its outcome", (it) => {
  for (const operation of PayApi.all) {
    const [, row] = Object.entries<Row>(rows).find(([name]) => name === operation.name) ?? []
    it.effect(`${operation.name}: ${row?.ends ?? row?.type}`, () =>
      Effect.gen(function* () {
        assert(row !== undefined)
        const { endpointId = endpoints.usd, ends, meanwhile, needs = Effect.succeed({}), quiet = false, type } = row
        const inbox = yield* Inbox.Inbox
        const reply = yield* send(operation, fieldsOf(operation, inbox.url, yield* needs), endpointId)
        TestMerchant.assertAccepted(reply)
        if (ends === undefined) return assert.strictEqual(reply.body.type, type)
        if (meanwhile !== undefined) yield* meanwhile(reply)
        yield* TestMerchant.settled
        const order = TestMerchant.nameOf(reply)
        const body = yield* TestMerchant.status(order, { endpointId })
        assert.strictEqual(`${body.status} ${body["transaction-type"]}`, ends)
        const messages = inbox.about(order.orderid).map(({ status, type }) => `${status} ${type}`)
        assert.deepStrictEqual(messages, quiet ? [] : [ends])
      })
    )
  }
})
