import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as Directory from "../src/merchants/Directory.ts"
import * as LiveDirectory from "../src/merchants/LiveDirectory.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"

type Entry = (typeof Directory.Config.Encoded)[number]

const usd = { id: "1", currencies: ["USD"] } as const
const eur = { id: "2", currencies: ["EUR"] } as const

const shop = (changes: Partial<Entry> = {}): Entry => ({
  login: "shop",
  controlKeys: ["key"],
  endpoints: [usd, eur],
  groups: [{ id: "9", endpoints: ["1", "2"] }],
  ...changes
})

const pem = { type: "spki", format: "pem" } as const
const rsa = (bits: number) => generateKeyPairSync("rsa", { modulusLength: bits }).publicKey.export(pem).toString()
const ed25519 = generateKeyPairSync("ed25519")
const another = generateKeyPairSync("ed25519").publicKey.export(pem).toString()
const person = ed25519.publicKey.export(pem).toString()
const signing = rsa(2048)
const approver = (publicKey: string, name = "Ada") => ({ name, publicKey })

const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))
const around = Layer.merge(StoreMemory.layer, Layer.provide(vault, AuthClock.layer))

const directoryOf = (...merchants: ReadonlyArray<Entry>) =>
  Effect.provide(
    Directory.Directory,
    Layer.provide(LiveDirectory.layer(Schema.decodeSync(Directory.Config)(merchants)), around)
  )

const older = { ...usd, dialects: ["json", "pairs"] } as const

const numbered: ReadonlyArray<readonly [what: string, changes: Partial<Entry>, hasShortNumbers: boolean]> = [
  ["are long without the older dialect", { endpoints: [usd] }, false],
  ["are short with the older dialect on one endpoint", { endpoints: [eur, older] }, true],
  ["are long beside the older dialect only by an explicit word", { numbers: "long", endpoints: [older] }, false],
  ["are short without the older dialect by an explicit word", { numbers: "short", endpoints: [usd] }, true]
]

describe("the order numbers of a merchant", () => {
  it.effect.each(numbered)("%s", ([, changes, expected]) =>
    Effect.gen(function* () {
      const directory = yield* directoryOf(shop({ ...changes, groups: [] }))
      assert.strictEqual(directory.merchant("shop")?.hasShortNumbers, expected)
    })
  )
})

describe("a directory of merchants", () => {
  it.effect("finds the merchant and the endpoints of a number, in the order of the group", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf(shop())
      assert.deepStrictEqual(
        directory.route("9")?.endpoints.map(({ id }) => id),
        ["1", "2"]
      )
      assert.strictEqual(directory.route("2")?.merchant.login, "shop")
      assert.isUndefined(directory.route("3"))
    })
  )

  it.effect("has keys without the blanks with which they were pasted", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf(shop({ controlKeys: [" key\u200b\r\n"] }))
      assert.deepStrictEqual(directory.route("1")?.merchant.controlKeys.map(Redacted.value), ["key"])
    })
  )

  it.effect("returns the approvers, and each endpoint's settings for payouts and recurring payments", () =>
    Effect.gen(function* () {
      const report = {
        payoutApproval: true,
        payoutMaxAmount: { USD: "500" },
        timeZone: "Asia/Dubai",
        catchUpOccurrences: 0
      }
      const directory = yield* directoryOf(
        shop({ endpoints: [{ ...usd, ...report }, eur], approvers: [approver(person), approver(another, "Grace")] })
      )
      assert.deepInclude(directory.endpoint("1"), {
        payoutApproval: true,
        payoutMaxMinor: { USD: 50_000 },
        timeZone: "Asia/Dubai",
        catchUpOccurrences: 0
      })
      assert.deepInclude(directory.endpoint("2"), {
        payoutApproval: false,
        payoutMaxMinor: {},
        timeZone: "UTC",
        catchUpOccurrences: 1
      })
      assert.deepStrictEqual(
        directory.merchant("shop")?.approvers.map(({ key, name }) => [name, key.asymmetricKeyType]),
        [
          ["Ada", "ed25519"],
          ["Grace", "ed25519"]
        ]
      )
    })
  )

  it.effect("reports all problems together", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(
        directoryOf(shop({ publicKeys: ["PEM"], endpoints: [{ ...usd, timeZone: "Mars/Base" }, usd] }))
      )
      assert.match(message, /public key of shop[\s\S]*no time zone[\s\S]*used twice/)
    })
  )

  const refused: ReadonlyArray<{
    readonly what: string
    readonly merchants: ReadonlyArray<Entry>
    readonly says: RegExp
  }> = [
    {
      what: "a login used twice",
      merchants: [shop(), shop({ endpoints: [{ ...usd, id: "5" }], groups: [] })],
      says: /shop is used twice/
    },
    {
      what: "a login with an invisible character",
      merchants: [shop({ login: "sh\u202eop" })],
      says: /no request can carry it/
    },
    { what: "a login with a blank", merchants: [shop({ login: "shop " })], says: /no request can carry it/ },
    {
      what: "a colour that is hard to read",
      merchants: [shop({ endpoints: [{ ...usd, brand: { color: "#ffcc00" } }, eur] })],
      says: /endpoint 1: brand.color #ffcc00 has a contrast of 1.4/
    },
    { what: "a number used twice", merchants: [shop({ endpoints: [usd, usd] })], says: /number 1 is used twice/ },
    {
      what: "a group with the number of an endpoint",
      merchants: [shop({ groups: [{ id: "1", endpoints: ["2"] }] })],
      says: /number 1 is used twice/
    },
    {
      what: "another merchant's endpoint in a group",
      merchants: [
        shop(),
        shop({ login: "other", endpoints: [{ ...usd, id: "5" }], groups: [{ id: "8", endpoints: ["1"] }] })
      ],
      says: /which other does not have/
    },
    { what: "a number with a leading zero", merchants: [shop({ endpoints: [{ ...usd, id: "01" }] })], says: /"01"/ },
    {
      what: "a number of 2^63",
      merchants: [shop({ endpoints: [{ ...usd, id: `${2n ** 63n}` }] })],
      says: /below 2\^63/
    },
    { what: "a public key that is not PEM", merchants: [shop({ publicKeys: ["PEM"] })], says: /public key of shop/ },
    { what: "a public key of 1024 bits", merchants: [shop({ publicKeys: [rsa(1024)] })], says: /less than 2048 bits/ },
    {
      what: "a private key",
      merchants: [
        shop({ approvers: [approver(ed25519.privateKey.export({ type: "pkcs8", format: "pem" }).toString())] })
      ],
      says: /Ada is a private key/
    },
    {
      what: "an approver whose key could sign requests",
      merchants: [shop({ approvers: [approver(signing)] })],
      says: /Ada is not Ed25519/
    },
    {
      what: "two approvers with one key",
      merchants: [shop({ approvers: [approver(person), approver(person, "Grace")] })],
      says: /Grace is in use already/
    },
    {
      what: "two approvers with one name",
      merchants: [shop({ approvers: [approver(person), approver(another)] })],
      says: /two approvers with the name Ada/
    },
    {
      what: "an approver's key of an unsupported kind",
      merchants: [
        shop({
          approvers: [approver(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export(pem).toString())]
        })
      ],
      says: /is not Ed25519/
    },
    {
      what: "a time zone without a name",
      merchants: [shop({ endpoints: [{ ...usd, timeZone: "+03:00" }] })],
      says: /\+03:00/
    },
    {
      what: "a payout limit that is not an amount of its currency",
      merchants: [shop({ endpoints: [{ ...usd, payoutMaxAmount: { JPY: "1.5" } }] })],
      says: /endpoint 1: 1.5 JPY has more than 0 decimals/
    },
    {
      what: "a group whose endpoints differ in controlAmount",
      merchants: [shop({ endpoints: [usd, { ...eur, controlAmount: "x100" }] })],
      says: /differ in controlAmount/
    }
  ]
  for (const { merchants, says, what } of refused) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(directoryOf(...merchants))
        assert.match(message, says)
      })
    )
  }
})
