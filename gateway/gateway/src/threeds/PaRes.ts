/**
 * Reads the result of an issuer from a PaRes. It is accepted only if it is signed and answers our own PaReq (3-D Secure
 * 1.0.2).
 */
import type { X509Certificate } from "node:crypto"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import * as PaResSignature from "./PaResSignature.ts"
import * as Xml from "./Xml.ts"

/** Our own PaReq and its values, from the authentication's row. */
export interface Purchase {
  readonly pareq: string
  readonly xid: string
  readonly amountMinor: number
}

export interface PayerAuthentication {
  readonly transStatus: string
  readonly eci: string | undefined
  /** The CAVV. */
  readonly authenticationValue: string | undefined
}

/** Paths of elements that PaReq and PaRes must have with the same value. */
const shared = [
  ["version"],
  ["Merchant", "acqBIN"],
  ["Merchant", "merID"],
  ["Purchase", "xid"],
  ["Purchase", "purchAmount"],
  ["Purchase", "currency"],
  ["Purchase", "exponent"]
] as const

const answers = (pares: Element, pareq: Element): boolean =>
  shared.every((path) => {
    const value = Xml.text(pareq, ...path)
    return value !== undefined && value === Xml.text(pares, ...path)
  })

const paReqOf = (encoded: string): Element | undefined => {
  const root = Result.flatMap(ThreeDS.xml.decode(encoded), Xml.parse)
  return Result.isFailure(root) ? undefined : Xml.only(Xml.only(root.success, "Message"), "PAReq")
}

/** Fails with a description of the defect. The content of a defective PaRes is not returned. */
export const read = (
  encoded: string,
  purchase: Purchase,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): Result.Result<PayerAuthentication, string> => {
  const xml = ThreeDS.xml.decode(encoded)
  if (Result.isFailure(xml)) return Result.fail(xml.failure)
  const signed = Result.flatMap(PaResSignature.verify(xml.success, roots, nowMs), Xml.parse)
  if (Result.isFailure(signed)) return Result.fail(signed.failure)
  const pares = signed.success
  const pareq = paReqOf(purchase.pareq)
  const own =
    pareq !== undefined &&
    answers(pares, pareq) &&
    Xml.text(pares, "Purchase", "xid") === purchase.xid &&
    Xml.text(pares, "Purchase", "purchAmount") === String(purchase.amountMinor)
  if (!own) return Result.fail("answers another PaReq")
  const transStatus = Xml.text(pares, "TX", "status")
  if (transStatus === undefined) return Result.fail("has no status")
  return Result.succeed({
    transStatus,
    eci: Xml.text(pares, "TX", "eci"),
    authenticationValue: Xml.text(pares, "TX", "cavv")
  })
}
