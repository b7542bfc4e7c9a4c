/**
 * Checks a PaRes from the browser. It is the only answer through the browser whose result counts, because the issuer
 * has signed it.
 */
import { X509Certificate } from "node:crypto"
import { Effect, Option, Redacted, Result } from "effect"
import { KeyVault } from "../vault/KeyVault.ts"
import * as ThreeDSAnswer from "./decide/ThreeDSAnswer.ts"
import { ThreeDSServer } from "./ThreeDSServer.ts"

export const make = Effect.gen(function* () {
  const vault = yield* KeyVault
  const server = Option.getOrUndefined(yield* Effect.serviceOption(ThreeDSServer))
  const roots = (server?.capabilities.paresRoots ?? []).map((pem) => new X509Certificate(pem))

  const encrypt = (value: string, orderId: string): string =>
    Buffer.from(vault.encrypt(Redacted.make(value), orderId)).toString("base64url")

  return Effect.fnUntraced(function* (pares: string, md: string | undefined) {
    // The XML modules are loaded with the first PaRes, so that the protocol of 2002 does not slow down every start.
    const PaRes = yield* Effect.promise(() => import("./PaRes.ts"))
    const check: ThreeDSAnswer.StepCheck = (authentication, order, nowMs) => {
      const open = ThreeDSAnswer.checkOpen(authentication, "pareq", nowMs)
      if (Result.isFailure(open)) return open.failure
      if (md !== undefined && md !== authentication.md) {
        return ThreeDSAnswer.refuse("parameterInvalid", "Parameter md is of another PaReq", "md")
      }
      const { pareq, xid } = authentication
      const purchase = { pareq: pareq ?? "", xid: xid ?? "", amountMinor: order.amountMinor }
      const result = PaRes.read(pares, purchase, roots, nowMs)
      if (Result.isFailure(result)) {
        return ThreeDSAnswer.refuse("parameterInvalid", `Parameter paRes ${result.failure}`, "paRes")
      }
      const { authenticationValue, eci, transStatus } = result.success
      return ThreeDSAnswer.accept(authentication, "paresVerified", {
        transStatus,
        eci: eci ?? null,
        encryptedAuthenticationValue:
          authenticationValue === undefined ? null : encrypt(authenticationValue, authentication.orderId)
      })
    }
    return check
  })
})
