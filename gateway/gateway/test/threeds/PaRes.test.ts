import { assert, describe, it } from "@effect/vitest"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import * as PaRes from "../../src/threeds/PaRes.ts"
import { cheapest, mostTimes } from "../Cost.ts"
import * as Certificates from "./Certificates.ts"
import * as Writer from "./PaResWriter.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const dayMs = 86_400_000
const { identity } = Certificates

const root = identity("Scheme root", { ca: true })
const intermediate = identity("Scheme issuing", { by: root, ca: true })
const issuer = identity("Issuer", { by: intermediate })
const chain = [issuer, intermediate]

const foreignRoot = identity("Scheme root", { ca: true })
const foreignIssuer = identity("Issuer", { by: foreignRoot })
const direct = identity("Issuer directly")
const notCa = identity("Issuer too", { by: issuer })
const renamed = identity("Issuer renamed", { by: { ...intermediate, name: "Somebody else" } })
const expired = identity("Issuer of old", {
  by: root,
  untilMs: ScriptedGateway.startMs - dayMs,
  fromMs: ScriptedGateway.startMs - 9 * dayMs
})
const early = identity("Issuer to be", { by: root, fromMs: ScriptedGateway.startMs + dayMs })
const weak = identity("Issuer with a short key", { by: root, bits: 1024 })

const purchase: PaRes.Purchase = { pareq: Writer.pareq(), xid: Writer.purchase.xid, amountMinor: 1042 }
const roots = [root.certificate, direct.certificate]

const read = (encoded: string, changes: Partial<PaRes.Purchase> = {}) =>
  PaRes.read(encoded, { ...purchase, ...changes }, roots, ScriptedGateway.startMs)

const good: Writer.Signing = { by: issuer, certificates: chain }
const genuine = Writer.element()
const forged = Writer.element({ id: "p2", status: "Y" })

describe("a PaRes is accepted", () => {
  const accepted: ReadonlyArray<readonly [string, string]> = [
    ["signed by an issuer under the root", Writer.pares({}, good)],
    ["with its certificates in another order", Writer.pares({}, { ...good, certificates: [intermediate, issuer] })],
    ["with the root among its certificates", Writer.pares({}, { ...good, certificates: [root, intermediate, issuer] })],
    ["signed with SHA-256", Writer.pares({}, { ...good, algorithm: "sha256" })],
    ["signed by a certificate that is configured itself", Writer.pares({}, { by: direct })],
    [
      "after an XML declaration",
      ThreeDS.xml.encode(
        `<?xml version="1.0" encoding="UTF-8"?>\n<ThreeDSecure><Message id="m1">${genuine}${Writer.signature(genuine, good)}</Message></ThreeDSecure>`
      )
    ]
  ]
  it.each(accepted)("%s", (_name, encoded) => {
    const result = read(encoded)
    assert.deepStrictEqual(
      result,
      Result.succeed({ transStatus: "Y", eci: "05", authenticationValue: "AAABBZEEBgAAAAAAAAQGAAAAAAA=" })
    )
  })
  it.each(["Y", "A", "N", "U"])("with its status %s", (status) => {
    const result = read(Writer.pares({ status }, good))
    assert.strictEqual(Result.isSuccess(result) && result.success.transStatus, status)
  })
})

const c14n = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
const unsigned = (inside: string) => Writer.encode(inside)
const spoil = (from: string, to: string) => {
  const xml = `<ThreeDSecure><Message id="m1">${genuine}${Writer.signature(genuine, good)}</Message></ThreeDSecure>`
  assert.include(xml, from)
  return ThreeDS.xml.encode(xml.replace(from, to))
}

describe("a PaRes is refused", () => {
  const unknownIssuer = "is not signed by an issuer that is known here"
  const shape = "is not one signed PARes"
  const wrong = "has a signature that is not right"
  const tooManyCertificates = "brings too many certificates"
  const tooMuch = "has too many elements"
  const hidden = "has a document type, comment or instruction"
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["unsigned", unsigned(genuine), shape],
    [
      "with an empty signature",
      Writer.encode(genuine, '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"></Signature>'),
      shape
    ],
    ["with a status that was changed after signing", spoil("<status>Y</status>", "<status>A</status>"), wrong],
    ["with an amount that was changed after signing", spoil("<purchAmount>1042<", "<purchAmount>1<"), wrong],
    [
      "signed under an unknown root of the same name",
      Writer.pares({}, { by: foreignIssuer, certificates: [foreignIssuer, foreignRoot] }),
      unknownIssuer
    ],
    [
      "signed by an unknown key, with the issuer's certificate",
      Writer.pares({}, { by: foreignIssuer, certificates: chain }),
      wrong
    ],
    [
      "signed by an unknown key, with its own and the issuer's certificate",
      Writer.pares({}, { by: foreignIssuer, certificates: [...chain, foreignIssuer] }),
      unknownIssuer
    ],
    ["with a self-signed certificate", Writer.pares({}, { by: identity("Anybody") }), unknownIssuer],
    [
      "with a certificate from an issuer that may not issue",
      Writer.pares({}, { by: notCa, certificates: [notCa, ...chain] }),
      unknownIssuer
    ],
    [
      "with a certificate in another issuer's name",
      Writer.pares({}, { by: renamed, certificates: [renamed, intermediate] }),
      unknownIssuer
    ],
    ["without the intermediate certificate", Writer.pares({}, { by: issuer, certificates: [issuer] }), unknownIssuer],
    ["without any certificate", Writer.pares({}, { by: issuer, certificates: [] }), unknownIssuer],
    ["with an expired certificate", Writer.pares({}, { by: expired }), unknownIssuer],
    ["with a certificate that is not valid yet", Writer.pares({}, { by: early }), unknownIssuer],
    ["with a key of 1024 bits", Writer.pares({}, { by: weak }), unknownIssuer],
    [
      "signed with SHA-512, which the protocol does not have",
      Writer.pares({}, { ...good, algorithm: "sha512" }),
      wrong
    ],
    [
      "signed with SHA-512 over a digest of the protocol",
      Writer.pares({}, { ...good, algorithm: "sha512", digestBy: "sha1" }),
      wrong
    ],
    ["with a digest in SHA-512", Writer.pares({}, { ...good, digestBy: "sha512" }), wrong],
    ["with another canonicalization", Writer.pares({}, { ...good, canonicalBy: `${c14n}#WithComments` }), wrong],
    [
      "with a forged PARes beside the signed one",
      Writer.encode(forged, genuine, Writer.signature(genuine, good)),
      shape
    ],
    [
      "with the signed PARes inside a forged one",
      Writer.encode(forged.replace("</PARes>", `${genuine}</PARes>`), Writer.signature(genuine, good)),
      shape
    ],
    [
      "with the signed PARes inside the signature",
      Writer.encode(
        forged,
        Writer.signature(genuine, good).replace("</Signature>", `<Object>${genuine}</Object></Signature>`)
      ),
      shape
    ],
    [
      "with two signatures",
      Writer.encode(genuine, Writer.signature(genuine, good), Writer.signature(genuine, { by: foreignIssuer })),
      shape
    ],
    [
      "with two elements of the same id",
      Writer.encode(genuine, Writer.signature(genuine, good), '<Extension id="p1"></Extension>'),
      wrong
    ],
    [
      "with a signature over another element",
      Writer.encode(
        genuine,
        '<Extension id="e1"></Extension>',
        Writer.signature('<Extension id="e1"></Extension>', { ...good, id: "e1" })
      ),
      wrong
    ],
    ["with a signature over nothing", Writer.encode(genuine, Writer.signature(genuine, { ...good, id: "" })), wrong],
    ["with a comment in the signed element", spoil("<status>Y", "<status><!-- -->Y"), hidden],
    ["with a CDATA section", spoil("<status>Y</status>", "<status><![CDATA[Y]]></status>"), hidden],
    ["with an instruction", spoil("<status>Y", "<status><?x?>Y"), hidden],
    ["that is not well-formed", spoil("</ThreeDSecure>", ""), "is not well-formed XML"],
    ["that is not XML", ThreeDS.xml.encode("Y"), "is not well-formed XML"],
    ["with a second reference", spoil("</SignedInfo>", '<Reference URI="#p1"></Reference></SignedInfo>'), shape],
    [
      "with six certificates",
      Writer.pares({}, { ...good, certificates: [...chain, ...chain, ...chain] }),
      tooManyCertificates
    ],
    ["with 25 nested elements", ThreeDS.xml.encode(`${"<a>".repeat(25)}${"</a>".repeat(25)}`), tooMuch],
    ["with 257 elements", ThreeDS.xml.encode(`<a>${"<b/>".repeat(257)}</a>`), tooMuch],
    ["with 257 attributes", ThreeDS.xml.encode(`<a>${"<b c=\"/>\" d='>'/>".repeat(129)}</a>`), tooMuch],
    ["of more than 64 KB", ThreeDS.xml.encode(`<a>${" ".repeat(65_536)}</a>`), "is not base64 of deflated XML"],
    ["of more than 16 KB of base64", "A".repeat(16_385), "is too long"],
    ["that is not deflated", Buffer.from(genuine).toString("base64"), "is not base64 of deflated XML"]
  ]
  it.each(cases)("%s", (_name, encoded, why) => assert.deepStrictEqual(read(encoded), Result.fail(why)))

  it("with expanding entities, before anything is expanded", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "Y"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><ThreeDSecure><Message id="m1">${genuine.replace("<status>Y", "<status>&b;")}${Writer.signature(genuine, good)}</Message></ThreeDSecure>`
    assert.deepStrictEqual(read(ThreeDS.xml.encode(bomb)), Result.fail(hidden))
  })
  it("with an external entity", () => {
    const outside = `<!DOCTYPE x SYSTEM "file:///etc/passwd">${genuine}`
    assert.deepStrictEqual(read(ThreeDS.xml.encode(outside)), Result.fail(hidden))
  })
})

describe("a hostile PaRes costs at most five refusals of a PaRes with an unknown signer", () => {
  const refusal = cheapest(() =>
    read(Writer.pares({}, { by: foreignIssuer, certificates: [foreignIssuer, foreignRoot] }))
  )
  const filled = (unit: string): string => unit.repeat(Math.floor(65_000 / unit.length))
  const issuingEachOther = Array.from({ length: 5 }, () => identity("Anybody", { by: foreignIssuer, ca: true }))
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["nested elements", filled("<a>")],
    ["nested and closed elements", `${"<a>".repeat(9000)}${"</a>".repeat(9000)}`],
    ["many elements", `<a>${filled("<b/>")}</a>`],
    ["many attributes", `<a ${Array.from({ length: 6000 }, (_, at) => `b${at}=""`).join(" ")}/>`],
    ["many namespaces", `<a ${Array.from({ length: 4000 }, (_, at) => `xmlns:b${at}="c"`).join(" ")}/>`],
    ["a quote that never ends", `<a b="${filled("<")}`],
    ["references to characters", `<a>${filled("&#65;")}</a>`],
    ["instructions", filled("<?a")],
    ["a document type", `<!DOCTYPE a [${filled('<!ENTITY b "b">')}]><a/>`],
    ["a declaration that never ends", `<?xml ${filled("?")}`],
    ["text", `<a>${filled("b")}</a>`]
  ]
  it.each(cases)("%s", (_name, xml) => {
    const encoded = ThreeDS.xml.encode(xml)
    assert.isTrue(Result.isFailure(read(encoded)))
    assert.isAtMost(cheapest(() => read(encoded)) / refusal, mostTimes)
  })
  it("certificates that claim to issue each other", () => {
    const encoded = Writer.pares({}, { by: foreignIssuer, certificates: issuingEachOther })
    assert.isAtMost(cheapest(() => read(encoded)) / refusal, mostTimes)
  })
})

describe("a valid PaRes of another payment is refused", () => {
  const others: ReadonlyArray<readonly [keyof Writer.Purchase, string]> = [
    ["xid", "MDAwMDAwMDAwMDAwMDAwMDAwMDI="],
    ["purchAmount", "1"],
    ["currency", "978"],
    ["exponent", "0"],
    ["acqBIN", "555566"],
    ["merID", "other"]
  ]
  it.each(others)("with %s %s", (field, value) => {
    const of = { ...Writer.purchase, [field]: value }
    assert.deepStrictEqual(read(Writer.pares({ of }, good)), Result.fail("answers another PaReq"))
  })
  it("if the stored PaReq differs from the payment in transaction or amount", () => {
    const encoded = Writer.pares({}, good)
    assert.deepStrictEqual(read(encoded, { xid: "other" }), Result.fail("answers another PaReq"))
    assert.deepStrictEqual(read(encoded, { amountMinor: 1 }), Result.fail("answers another PaReq"))
    assert.deepStrictEqual(read(encoded, { pareq: "" }), Result.fail("answers another PaReq"))
  })
})

describe("a signed PaRes is refused", () => {
  it.each([
    ["without a status", ""],
    ["with two statuses", "<status>Y</status><status>N</status>"],
    ["with an element inside the status", "<status><b>Y</b></status>"]
  ])("%s", (_name, instead) => {
    const signed = genuine.replace("<status>Y</status>", instead)
    assert.deepStrictEqual(read(Writer.encode(signed, Writer.signature(signed, good))), Result.fail("has no status"))
  })
})
