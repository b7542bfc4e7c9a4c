/** Hosted pages, 3-D Secure, stored cards: the marked card and key turn up on no page, in no answer and in no file. */
import { assert, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import type * as TestMerchant from "../harness/TestMerchant.ts"
import * as CardLife from "./CardLife.ts"
import * as Marks from "./Marks.ts"
import * as RecurringCard from "./RecurringCard.ts"
import * as Witness from "./Witness.ts"

const nameOf = ({ name }: Marks.Haystack): string => name

it.live("no use of a card, from payment to erasure, shows its number, its code or the merchant's key", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { kept } = yield* Witness.Witness
    const orders: Array<TestMerchant.Order> = []
    const names = () => orders.flatMap(({ client_orderid, orderid }) => [client_orderid, orderid])
    yield* Effect.gen(function* () {
      orders.push(yield* RecurringCard.recurring)
      orders.push(...(yield* CardLife.pages), ...(yield* CardLife.authentications), ...(yield* CardLife.storedCard))
      const { operatorUrl } = yield* NodeServer
      yield* CardLife.callbacks(operatorUrl)
      const files = yield* Witness.folder(folder)
      assert.includeMembers(files.map(nameOf), ["gateway.db", "gateway.db-wal", "bank.journal", "threeds.journal"])
      assert.isAbove(files.find(({ name }) => name === "table cvvs")?.bytes.length ?? 0, 50, "a code waits, encrypted")
      assert.deepStrictEqual(Marks.find([...files, yield* Witness.metrics], names()), [])
      const keys = Marks.sealingKeys(files)
      assert.isAtLeast(keys.length, 3, "master, hashing and short-lived keys")
      assert.deepStrictEqual(Marks.findKeys([...files, ...kept()], keys), [])
    }).pipe(Effect.provide(Witness.gateway(folder), { local: true }))

    assert.lengthOf(orders, 12)
    assert.deepStrictEqual(Marks.find(yield* Witness.folder(folder), names()), [])
    assert.sameMembers(kept().map(nameOf), ["answers", "callbacks", "logs", "operator", "pages", "spans"])
    assert.deepStrictEqual(Marks.find(kept(), names()), [])
  }).pipe(Effect.provide(Witness.layer, { local: true }))
)
