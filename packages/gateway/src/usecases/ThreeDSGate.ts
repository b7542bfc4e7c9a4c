/** 3-D Secure as orders need it: who runs it, the row that begins with an order, and what it proved. */
import { Effect, Layer, Option } from "effect"
import { Authentication } from "../domain/entities/Authentication.ts"
import type { Order } from "../domain/entities/Order.ts"
import * as ThreeDSBegin from "../domain/ThreeDSBegin.ts"
import type { CardholderProof } from "../ports/Acquirer.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { SecureRandom } from "../ports/SecureRandom.ts"
import { Store } from "../ports/Store.ts"
import { ThreeDSServer } from "../ports/ThreeDSServer.ts"
import { AuthenticationGate } from "./AuthenticationGate.ts"
import * as ThreeDSMode from "./ThreeDSMode.ts"

export const layer = Layer.effect(
  AuthenticationGate,
  Effect.gen(function* () {
    const store = yield* Store
    const vault = yield* KeyVault
    const random = yield* SecureRandom
    const hasServer = Option.isSome(yield* Effect.serviceOption(ThreeDSServer))

    const proof = Effect.fnUntraced(function* (order: Order) {
      const row = ThreeDSBegin.isPossible(order) ? yield* store.load(Authentication, [order.orderId]) : undefined
      if (row === undefined || row.protocol === null || row.transStatus === null) return undefined
      const { eci, protocol, sealedAuthenticationValue: sealed, serverTransId, transStatus, xid } = row
      return {
        protocol,
        transStatus,
        transactionId: serverTransId ?? xid ?? "",
        eci: eci ?? undefined,
        authenticationValue:
          sealed === null ? undefined : yield* vault.open(Buffer.from(sealed, "base64url"), order.orderId)
      } satisfies CardholderProof
    })

    return AuthenticationGate.of({
      plan: (endpoint) => ThreeDSMode.of(endpoint, hasServer),
      gate: (authenticating) => ThreeDSBegin.gate({ ...authenticating, pageToken: random.token(), attempt: 1 }),
      proof
    })
  })
)
