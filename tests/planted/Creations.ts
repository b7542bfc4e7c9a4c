/** Defects in how an order is created, and how requests are admitted. */
import { type Defect, unseen, visible } from "./Defect.ts"

const creation = "gateway/gateway/src/orders/requests/Creation.ts"
const authentication = "gateway/gateway/src/http/Authentication.ts"
const namedOrder = "gateway/gateway/src/orders/requests/NamedOrder.ts"

export const creations: ReadonlyArray<Defect> = [
  visible(
    "a repeated creation is not recognised",
    "the repeat of an accepted request is refused or fails",
    creation,
    "if (order === undefined) return undefined\n  const first",
    'if (order !== undefined || named.id !== "") return undefined\n  const first'
  ),
  visible(
    "a request with other content under a used client_orderid is treated as a repeat",
    "a request with other content is answered with the earlier order",
    creation,
    "if (first?.fingerprint !== fingerprint(call, first?.fingerprint)) {",
    'if (first?.fingerprint === "") {'
  ),
  visible(
    "an order is acknowledged before it is committed, and one in ten is lost",
    "an acknowledged order does not exist",
    creation,
    "const lostGuard = yield* Transact.lostGuardOf(store, withNonce(decision, call))",
    "const lostGuard = Number(order.orderId) % 10 === 0 ? undefined : yield* Transact.lostGuardOf(store, withNonce(decision, call))"
  ),
  visible(
    "a wrong control is accepted",
    "a request without a valid signature is accepted",
    authentication,
    "const genuine = matches.includes(true)",
    "const genuine = received.length > 0 || matches.includes(true)"
  ),
  visible(
    "a request can name an order of another merchant",
    "a merchant reads or changes an order of another merchant",
    namedOrder,
    "order?.merchantId === merchant.login && order.clientOrderId",
    "order?.clientOrderId"
  ),
  unseen(
    "the commit of a creation does not guard its client_orderid",
    "each process handles the requests about one order one after another, and the store's unique index refuses a second order",
    "gateway/gateway/src/orders/decide/Register.ts",
    'const guards = [Decision.absent(Order, "clientOrder", [merchantId, registration.payment.clientOrderId])]',
    "const guards: ReadonlyArray<Decision.Guard> = []"
  )
]
