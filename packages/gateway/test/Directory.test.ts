import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Directory from "../src/Directory.ts"

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

const made = (...merchants: ReadonlyArray<Entry>) => Directory.make(Schema.decodeSync(Directory.Config)(merchants))

describe("a directory of merchants", () => {
  it.effect("leads from a number to its merchant and endpoints, in the order of the group", () =>
    Effect.gen(function* () {
      const directory = yield* made(shop())
      assert.deepStrictEqual(
        directory.route("9")?.endpoints.map(({ id }) => id),
        ["1", "2"]
      )
      assert.strictEqual(directory.route("2")?.merchant.login, "shop")
      assert.isUndefined(directory.route("3"))
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
    { what: "a public key that is none", merchants: [shop({ publicKeys: ["PEM"] })], says: /public key of shop/ },
    {
      what: "a group whose endpoints read one signature as two amounts",
      merchants: [shop({ endpoints: [usd, { ...eur, controlAmount: "x100" }] })],
      says: /differ in controlAmount/
    }
  ]
  for (const { merchants, says, what } of refused) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(made(...merchants))
        assert.match(message, says)
      })
    )
  }
})
