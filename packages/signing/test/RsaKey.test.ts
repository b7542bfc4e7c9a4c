import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as RsaKey from "../src/RsaKey.ts"

const spki = { type: "spki", format: "pem" } as const
const pkcs8 = { type: "pkcs8", format: "pem" } as const
const pkcs1 = { type: "pkcs1", format: "pem" } as const

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
const short = generateKeyPairSync("rsa", { modulusLength: 1024 })
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" })
const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2048 })

const lock = { cipher: "aes-256-cbc", passphrase: "x" }
const pem = {
  private: rsa.privateKey.export(pkcs8),
  privatePkcs1: rsa.privateKey.export(pkcs1),
  public: rsa.publicKey.export(spki),
  publicPkcs1: rsa.publicKey.export(pkcs1),
  encrypted: rsa.privateKey.export({ ...pkcs8, ...lock }),
  encryptedPkcs1: rsa.privateKey.export({ ...pkcs1, ...lock }),
  certificate: rsa.publicKey.export(spki).replaceAll("PUBLIC KEY", "CERTIFICATE"),
  damaged: rsa.privateKey.export(pkcs8).replace(/KEY-----\n.{8}/, "KEY-----\nAAAAAAAA"),
  damagedPublic: rsa.publicKey.export(spki).replace(/KEY-----\n.{8}/, "KEY-----\nAAAAAAAA"),
  shortPrivate: short.privateKey.export(pkcs8),
  shortPublic: short.publicKey.export(spki),
  ecPrivate: ec.privateKey.export(pkcs8),
  ecSec1: ec.privateKey.export({ type: "sec1", format: "pem" }),
  ecPublic: ec.publicKey.export(spki),
  pssPrivate: pss.privateKey.export(pkcs8),
  pssPublic: pss.publicKey.export(spki),
  crlf: rsa.privateKey.export(pkcs8).replaceAll("\n", "\r\n"),
  withComment: `Merchant key, do not share\n${rsa.privateKey.export(pkcs8)}`
}

type Name = keyof typeof pem

describe("RsaKey.privateFromPem", () => {
  it.each<Name>(["private", "privatePkcs1", "crlf", "withComment"])("reads the key %s", (name) => {
    const loaded = RsaKey.privateFromPem(String(pem[name]))
    expect(loaded.ok && loaded.key.equals(rsa.privateKey)).toBe(true)
  })

  it.each<[Name, RsaKey.Reason]>([
    ["public", { _tag: "PublicKeyGiven" }],
    ["publicPkcs1", { _tag: "PublicKeyGiven" }],
    ["encrypted", { _tag: "Encrypted" }],
    ["encryptedPkcs1", { _tag: "Encrypted" }],
    ["certificate", { _tag: "Malformed" }],
    ["damaged", { _tag: "Malformed" }],
    ["shortPrivate", { _tag: "TooShort", bits: 1024 }],
    ["ecPrivate", { _tag: "NotRsa", type: "ec" }],
    ["ecSec1", { _tag: "NotRsa", type: "ec" }],
    ["pssPrivate", { _tag: "NotRsa", type: "rsa-pss" }]
  ])("refuses the key %s: %j", (name, reason) =>
    expect(RsaKey.privateFromPem(String(pem[name]))).toEqual({ ok: false, reason })
  )
})

describe("RsaKey.publicFromPem", () => {
  it.each<Name>(["public", "publicPkcs1"])("reads the key %s", (name) => {
    const loaded = RsaKey.publicFromPem(String(pem[name]))
    expect(loaded.ok && loaded.key.equals(rsa.publicKey)).toBe(true)
  })

  it.each<[Name, RsaKey.Reason]>([
    ["private", { _tag: "PrivateKeyGiven" }],
    ["privatePkcs1", { _tag: "PrivateKeyGiven" }],
    ["encrypted", { _tag: "PrivateKeyGiven" }],
    ["certificate", { _tag: "Malformed" }],
    ["damagedPublic", { _tag: "Malformed" }],
    ["shortPublic", { _tag: "TooShort", bits: 1024 }],
    ["ecPublic", { _tag: "NotRsa", type: "ec" }],
    ["pssPublic", { _tag: "NotRsa", type: "rsa-pss" }]
  ])("refuses the key %s: %j", (name, reason) =>
    expect(RsaKey.publicFromPem(String(pem[name]))).toEqual({ ok: false, reason })
  )
})

it.each(["", "not a key", "-----BEGIN -----", "-----BEGIN CONSTRUCTOR-----"])(
  "RsaKey refuses the malformed text %j",
  (text) => {
    expect(RsaKey.privateFromPem(text)).toEqual({ ok: false, reason: { _tag: "Malformed" } })
    expect(RsaKey.publicFromPem(text)).toEqual({ ok: false, reason: { _tag: "Malformed" } })
  }
)
