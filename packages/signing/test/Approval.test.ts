import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Approval from "../src/Approval.ts"

const jane = generateKeyPairSync("ed25519")
const other = generateKeyPairSync("ed25519")
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
const spki = { type: "spki", format: "pem" } as const
const pkcs8 = { type: "pkcs8", format: "pem" } as const

const statement: Approval.Statement = {
  decision: "approve",
  orderId: "6768788",
  amount: "100.00 USD",
  recipient: "1:9f86d081",
  approver: "jane"
}

describe("the approval of a payout", () => {
  it("is signed as readable text with one line for each fact", () =>
    expect(Approval.text(statement)).toBe(
      "pay-approval: v1\ndecision: approve\norder: 6768788\namount: 100.00 USD\nrecipient: 1:9f86d081\napprover: jane\n"
    ))

  it("is verified with the approver's public key", () =>
    expect(Approval.verify(statement, Approval.sign(statement, jane.privateKey), jane.publicKey)).toBe(true))

  it.each<[string, Partial<Approval.Statement>]>([
    ["decision", { decision: "reject" }],
    ["order", { orderId: "6768789" }],
    ["amount", { amount: "1000.00 USD" }],
    ["currency", { amount: "100.00 EUR" }],
    ["recipient", { recipient: "1:9f86d082" }],
    ["approver", { approver: "john" }],
    ["text that looks like another line", { orderId: "6768788\namount: 1.00 USD" }]
  ])("is refused for another %s", (_, change) =>
    expect(
      Approval.verify({ ...statement, ...change }, Approval.sign(statement, jane.privateKey), jane.publicKey)
    ).toBe(false)
  )

  it.each(["", "AAAA", "no base64 at all", `${"A".repeat(86)}==`])(
    "is refused with the malformed signature %j",
    (signature) => expect(Approval.verify(statement, signature, jane.publicKey)).toBe(false)
  )

  it("is refused with a signature that is padded with line breaks", () =>
    expect(
      Approval.verify(statement, `${Approval.sign(statement, jane.privateKey)}${"\n".repeat(1000)}`, jane.publicKey)
    ).toBe(false))

  it("is refused if it was signed with another approver's key", () =>
    expect(Approval.verify(statement, Approval.sign(statement, other.privateKey), jane.publicKey)).toBe(false))

  it("is not replaced by a signed request for a list, which names one merchant and its time", () => {
    const list: Approval.ListRequest = { decision: "list", merchant: "shop", approver: "jane", timestampSeconds: 1 }
    expect(Approval.text(list)).toBe("pay-approval: v1\ndecision: list\nmerchant: shop\napprover: jane\ntime: 1\n")
    const signature = Approval.sign(list, jane.privateKey)
    expect(Approval.verify(list, signature, jane.publicKey)).toBe(true)
    for (const other of [{ ...list, merchant: "other" }, { ...list, timestampSeconds: 2 }, statement])
      expect(Approval.verify(other, signature, jane.publicKey)).toBe(false)
  })

  it("is not replaced by a signed request to view the order", () => {
    const look: Approval.ReadRequest = { decision: "look", orderId: "6768788", approver: "jane", timestampSeconds: 1 }
    expect(Approval.verify(statement, Approval.sign(look, jane.privateKey), jane.publicKey)).toBe(false)
    expect(Approval.verify(look, Approval.sign(look, jane.privateKey), jane.publicKey)).toBe(true)
  })
})

describe("an approver's key", () => {
  const pem = {
    private: String(jane.privateKey.export(pkcs8)),
    public: String(jane.publicKey.export(spki)),
    rsaPrivate: String(rsa.privateKey.export(pkcs8)),
    rsaPublic: String(rsa.publicKey.export(spki))
  }

  it("is read from PEM", () => {
    const mine = Approval.privateFromPem(pem.private)
    const existing = Approval.publicFromPem(pem.public)
    expect(mine.ok && existing.ok && Approval.verify(statement, Approval.sign(statement, mine.key), existing.key)).toBe(
      true
    )
  })

  it.each<[string, Approval.Loaded, string]>([
    ["a merchant's RSA key", Approval.privateFromPem(pem.rsaPrivate), "NotEd25519"],
    ["a merchant's RSA public key", Approval.publicFromPem(pem.rsaPublic), "NotEd25519"],
    ["a private key for the gateway", Approval.publicFromPem(pem.private), "PrivateKeyGiven"],
    ["text that is not a key", Approval.privateFromPem("secret"), "Malformed"]
  ])("%s is refused", (_, loaded, reason) => expect(loaded).toEqual({ ok: false, reason }))
})
