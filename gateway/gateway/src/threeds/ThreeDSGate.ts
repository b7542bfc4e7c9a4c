/**
 * Implements the interface of orders to 3-D Secure: which party runs it, the row that is created with an order, and the
 * result of the authentication.
 */
import { Effect, Layer, Option } from "effect"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { Store } from "../kernel/Store.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import type { CardholderProof } from "../orders/bank/Acquirer.ts"
import { AuthenticationGate } from "../orders/bank/AuthenticationGate.ts"
import type { Order } from "../orders/record/Order.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import { Authentication } from "./decide/Authentication.ts"
import * as ThreeDSBegin from "./decide/ThreeDSBegin.ts"
import { ThreeDSServer } from "./ThreeDSServer.ts"

export const layer = Layer.effect(
  AuthenticationGate,
  Effect.gen(function* () {
    const store = yield* Store
    const vault = yield* KeyVault
    const random = yield* SecureRandom
    const hasServer = Option.isSome(yield* Effect.serviceOption(ThreeDSServer))

    const proof = Effect.fnUntraced(function* (order: Order) {
      const row = order.hasAuthentication === 1 ? yield* store.load(Authentication, [order.orderId]) : undefined
      if (row === undefined || row.protocol === null || row.transStatus === null) return undefined
      const { eci, protocol, encryptedAuthenticationValue: encrypted, serverTransId, transStatus, xid } = row
      return {
        protocol,
        transStatus,
        transactionId: serverTransId ?? xid ?? "",
        eci: eci ?? undefined,
        authenticationValue:
          encrypted === null ? undefined : yield* vault.decrypt(Buffer.from(encrypted, "base64url"), order.orderId)
      } satisfies CardholderProof
    })

    return AuthenticationGate.of({
      plan: (endpoint) => EndpointRules.threeDSModeOf(endpoint, hasServer),
      gate: (authenticating) => ThreeDSBegin.gate({ ...authenticating, pageToken: random.token(), attempt: 1 }),
      proof
    })
  })
)
