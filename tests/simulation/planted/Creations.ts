/** Defects in how an order is created, and how requests are admitted. */
import { type Planted, unseen, visible } from "./Patch.ts"

const creation = "packages/gateway/src/orders/Creation.ts"
const authentication = "packages/gateway/src/http/Authentication.ts"
const named = "packages/gateway/src/orders/NamedOrder.ts"

export const creations: ReadonlyArray<Planted> = [
  visible(
    "a repeated creation is not recognised",
    "the second request is refused or fails, though the first was accepted",
    creation,
    "if (order === undefined) return undefined\n  const first",
    'if (order !== undefined || named.id !== "") return undefined\n  const first'
  ),
  visible(
    "other content under a used client_orderid is taken for a repeat",
    "a request with other content is answered with the former order",
    creation,
    "if (first?.fingerprint !== fingerprint(call, first?.fingerprint)) {",
    'if (first?.fingerprint === "") {'
  ),
  visible(
    "an order is answered before it is committed, and one in ten is lost",
    "an acknowledged order is not there",
    creation,
    "const lostGuard = yield* Transact.lostGuardOf(store, withNonce(decision, call))",
    "const lostGuard = Number(order.orderId) % 10 === 0 ? undefined : yield* Transact.lostGuardOf(store, withNonce(decision, call))"
  ),
  visible(
    "a wrong control is accepted",
    "a request without a valid signature is answered as genuine",
    authentication,
    "const genuine = Control.verifyAny(received, proper.flatMap(signs))",
    "const genuine = received.length > 0 || Control.verifyAny(received, proper.flatMap(signs))"
  ),
  visible(
    "orders of other merchants can be named",
    "one merchant reads or moves the other's order",
    named,
    "order?.merchantId === merchant.login && order.clientOrderId",
    "order?.clientOrderId"
  ),
  unseen(
    "the commit of a creation does not guard its client_orderid",
    "requests about one order wait in one line per process, so that two never decide at the same time; and the store's unique index refuses the second",
    "packages/gateway/src/orders/Register.ts",
    'const guards = [Decision.absent(Order, "clientOrder", [merchantId, registration.payment.clientOrderId])]',
    "const guards: ReadonlyArray<Decision.Guard> = []"
  )
]
