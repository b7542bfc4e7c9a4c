/** The two decisions of a sale in the gateway: its acceptance, and its end by the bank's answer. */
import * as Decision from "@pay/gateway/Decision"
import { CallbackEvent, Card, Cvv, Job, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"

const firstMs = 1_790_000_000_000

/** Makes a row of typical size. Columns that `given` does not contain are short, zero or null. */
const row = <C extends Entity.Columns>(entity: Entity.Entity<C>, given: Partial<Entity.RowOf<C>>): Entity.RowOf<C> => {
  const columns = Object.entries(entity.columns).map(([name, { kind, nullable }]) => [
    name,
    nullable ? null : { text: "approved", integer: 0, sum: 0n, blob: new Uint8Array(92).fill(7) }[kind]
  ])
  return StoreRow.typed(entity, { ...Object.fromEntries(columns), ...given })
}

export const order = row(Order, {
  version: 1,
  merchantId: "merchant-1",
  endpointId: "1001",
  kind: "sale",
  state: "authorizing",
  currency: "EUR",
  amountMinor: 10_42,
  bin: "444433",
  lastFour: "1111",
  cardType: "VISA",
  cardholder: "José Ångström",
  expireMonth: 12,
  expireYear: 2031,
  description: "Two tickets, stalls, row twelve",
  email: "jose@example.com",
  phone: "+4915112345678",
  ipAddress: "203.0.113.7",
  callbackUrl: "https://shop.example.com/callbacks/payments"
})

export const request = row(OrderRequest, {
  merchantId: "merchant-1",
  operation: "SALE",
  action: "sale",
  amountMinor: 10_42,
  hasAmount: 1,
  progress: "processing",
  fingerprint: `1:${"4f".repeat(32)}`
})

export const card = row(Card, { merchantId: "merchant-1", panHash: `1:${"c3".repeat(32)}` })
export const cvv = row(Cvv, {})
export const job = row(Job, { openAttempts: 1, token: "00112233445566778899aabbccddeeff" })
export const entry = row(LedgerEntry, { cause: "sale" })
export const receivable = "merchant-1/1001/EUR/acquirer_receivable"
export const settlement = "merchant-1/1001/EUR/merchant_settlement"
export const event = row(CallbackEvent, {
  merchantId: "merchant-1",
  sequence: 1,
  url: "https://shop.example.com/callbacks/payments",
  query: Array.from({ length: 16 }, (_, n) => `parameter-${n}=value+of+${n}`).join("&"),
  delivery: "pending"
})

/** Returns the names of a sale. The gateway's identifiers rise; the merchant's name of an order is scattered. */
export const names = (turn: number) => ({
  orderId: `${7_000_000_000_000_000_000n + BigInt(turn)}`,
  requestId: `${8_000_000_000_000_000_000n + BigInt(turn)}`,
  clientOrderId: `order-${Math.imul(turn, 2_654_435_761) >>> 0}-${turn}`,
  nowMs: firstMs + (turn >> 4)
})

export const accept = (turn: number): Decision.Decision => {
  const { clientOrderId, nowMs, orderId, requestId } = names(turn)
  return {
    guards: [Decision.absent(Order, "clientOrder", [order.merchantId, clientOrderId])],
    writes: [
      Decision.append(Order, { ...order, orderId, requestId, clientOrderId, createdAtMs: nowMs }),
      Decision.append(OrderRequest, { ...request, requestId, orderId, acceptedAtMs: nowMs }),
      Decision.append(Card, { ...card, cardId: orderId, createdAtMs: nowMs }),
      Decision.append(Cvv, { ...cvv, cardId: orderId, createdAtMs: nowMs }),
      Decision.append(Job, {
        ...job,
        jobId: `bank:${requestId}`,
        subject: requestId,
        dueAtMs: nowMs,
        leaseUntilMs: nowMs + 60_000
      })
    ]
  }
}

export const end = (turn: number): Decision.Decision => {
  const { clientOrderId, nowMs, orderId, requestId } = names(turn)
  const eventId = `${orderId}-1`
  return {
    guards: [Decision.leaseIs(`bank:${requestId}`, job.token ?? ""), Decision.versionIs(Order, [orderId], 1)],
    writes: [
      Decision.put(Order, {
        ...order,
        orderId,
        requestId,
        clientOrderId,
        createdAtMs: nowMs,
        version: 2,
        state: "settled",
        authorizedMinor: order.amountMinor,
        capturedMinor: order.amountMinor,
        approvalCode: "A12345",
        processorTxId: requestId,
        processedAtMs: nowMs + 900,
        eventCount: 1
      }),
      Decision.put(OrderRequest, {
        ...request,
        requestId,
        orderId,
        acceptedAtMs: nowMs,
        progress: "approved",
        finishedAtMs: nowMs + 900
      }),
      Decision.append(LedgerEntry, {
        ...entry,
        entryId: `${requestId}:sale:acquirer_receivable`,
        orderId,
        requestId,
        account: receivable,
        minor: order.amountMinor,
        atMs: nowMs
      }),
      Decision.post(receivable, order.amountMinor),
      Decision.append(LedgerEntry, {
        ...entry,
        entryId: `${requestId}:sale:merchant_settlement`,
        orderId,
        requestId,
        account: settlement,
        minor: -order.amountMinor,
        atMs: nowMs
      }),
      Decision.post(settlement, -order.amountMinor),
      Decision.remove(Job, [`bank:${requestId}`]),
      Decision.remove(Cvv, [orderId]),
      Decision.append(CallbackEvent, { ...event, eventId, orderId, requestId, createdAtMs: nowMs }),
      Decision.put(Job, {
        ...job,
        jobId: `callback:${eventId}`,
        subject: eventId,
        dueAtMs: nowMs,
        leaseUntilMs: nowMs + 60_000
      })
    ]
  }
}
