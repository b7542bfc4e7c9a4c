/**
 * Texts that a dishonest browser could bring instead of the issuer's text. Each is made from a genuine text, and none of them
 * proves anything. For tests of programs that receive such texts.
 */
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as PaResXml from "./PaResXml.ts"
import * as SandboxKeyPair from "./SandboxKeyPair.ts"

/** A way to forge a text. `make` changes a genuine text into a forged one. */
export interface Forgery {
  readonly name: string
  readonly make: (genuine: string) => string
}

const otherTransactionId = "00000000-0000-4000-8000-000000000000"

const changed = (changes: Partial<ThreeDS.CRes>) => (genuine: string) =>
  ThreeDS.cres.encode({ ...Result.getOrThrow(ThreeDS.cres.decode(genuine)), ...changes })

const halved = (genuine: string): string => genuine.slice(0, genuine.length >> 1)
const lengthened = (genuine: string): string => genuine + "A".repeat(32_768)

/**
 * A CRes with the right identifiers and a success that the issuer did not report. It reads as genuine, because a CRes is not
 * signed.
 */
export const successful: Forgery = { name: "with the status Y", make: changed({ transStatus: "Y" }) }

/** Forgeries of a CRes that a receiver can detect. {@link successful} cannot be detected. */
export const cres: ReadonlyArray<Forgery> = [
  { name: "of another transaction", make: changed({ threeDSServerTransID: otherTransactionId }) },
  { name: "of another transaction of the issuer", make: changed({ acsTransID: otherTransactionId }) },
  { name: "of another version", make: changed({ messageVersion: "2.1.0" }) },
  { name: "that is cut off", make: halved },
  { name: "that is too long", make: lengthened },
  { name: "that is not base64url", make: (genuine) => `%${genuine}` },
  { name: "with another message type", make: () => Buffer.from('{"messageType":"CReq"}').toString("base64url") },
  { name: "that is empty", make: () => "" }
]

const rewritten = (change: (xml: string) => string) => (genuine: string) =>
  ThreeDS.xml.encode(change(Result.getOrThrow(ThreeDS.xml.decode(genuine))))

/** Returns an element, from the first of its start tags to the last of its end tags. */
const elementIn = (xml: string, name: string): string => {
  const end = `</${name}>`
  return xml.slice(xml.indexOf(`<${name}`), xml.lastIndexOf(end) + end.length)
}
const unsigned = (xml: string): string => xml.replace(elementIn(xml, "Signature"), "")
const saysYes = (xml: string): string => xml.replace(/<status>.<\/status>/, "<status>Y</status>")
const says = (status: string) => (xml: string) => xml.replace(/<status>.<\/status>/, `<status>${status}</status>`)
const cheaper = (xml: string): string => xml.replace(/<purchAmount>\d+</, "<purchAmount>1<")

/** Moves the genuine answer to another place, where its signature stays right, and puts a forged answer in its place. */
const wrapped = (xml: string): string => {
  const genuine = elementIn(xml, "PARes")
  const forged = saysYes(genuine).replace('id="pares"', 'id="forged"')
  return xml.replace(genuine, forged).replace("</Message>", `<Extension>${genuine}</Extension></Message>`)
}

const { privateKeyPem } = SandboxKeyPair

/** Forgeries of a PaRes. None of them has the issuer's signature over its content. */
export const paRes: ReadonlyArray<Forgery> = [
  { name: "that is not signed", make: rewritten((xml) => saysYes(unsigned(xml))) },
  {
    name: "that was changed after it was signed",
    make: rewritten((xml) => says(xml.includes(">Y<") ? "A" : "Y")(xml))
  },
  { name: "with another amount", make: rewritten(cheaper) },
  {
    name: "signed with another certificate",
    make: rewritten((xml) =>
      PaResXml.sign(saysYes(unsigned(xml)), { privateKeyPem, certificatePem: IssuerKeys.forgerCertificatePem })
    )
  },
  {
    name: "signed with another key under the issuer's certificate",
    make: rewritten((xml) =>
      PaResXml.sign(saysYes(unsigned(xml)), { privateKeyPem, certificatePem: IssuerKeys.certificatePem })
    )
  },
  { name: "with the signed answer moved to another place", make: rewritten(wrapped) },
  { name: "that is cut off", make: halved },
  { name: "that is not base64", make: () => "not a PaRes" },
  { name: "that is empty", make: () => "" }
]

/** Changes a refusal of version 1 to a success, as a forging browser does. */
export const changedToSuccess = rewritten(saysYes)
