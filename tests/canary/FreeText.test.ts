/** A bank that repeats the card number in its texts, in every form: it stands in no answer, callback, row, log or span. */
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Acquirer from "@pay/gateway/Acquirer"
import * as Gateway from "@pay/gateway/Gateway"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as WrongBank from "../harness/WrongBank.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

const grouped = (separator: string): string => Marks.pan.replace(/(....)(?=.)/g, `$1${separator}`)
const fullWidth = [...Marks.pan].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join("")

const texts: ReadonlyArray<string> = [
  `card ${Marks.pan} 12/35 refused`,
  `${Marks.pan}-12`,
  `PAN${Marks.pan}EXP1235`,
  `${Marks.pan}1235`,
  `0000${Marks.pan}`,
  fullWidth,
  ...[" ", "  ", "\u00a0", "-", "\u2011", ".", "/", " - ", "\n", "%20", "+", "%C2%A0", "\\u0020", "&nbsp;"].map(
    grouped
  ),
  `${"x".repeat(490)} ${Marks.pan}`,
  `${"x".repeat(495)}${grouped(" ")}`
]

const { instead } = WrongBank

/** The ways in which a text of an adapter reaches the gateway. */
const ways: ReadonlyArray<readonly [what: string, wrong: (text: string) => WrongBank.Wrong]> = [
  ["a decline", (message) => instead({ _tag: "Declined", code: 5, message })],
  [
    "a lost answer",
    (message) => () => Effect.fail(new Acquirer.AcquirerError({ reason: new Acquirer.AnswerLost({ message }) }))
  ],
  ["a defect", (message) => () => Effect.die(new Error(message))],
  ["a foreign error", (message) => () => Effect.fail({ code: "E", response: { text: message } })],
  ["an unknown tag", (text) => instead({ _tag: text })],
  ["a wrong part", (text) => instead({ _tag: "Approved", approvalCode: [text], processorTxId: "1" })]
]

const between = "(?:[^0-9A-Za-z]|%[0-9A-F]{2}|\\\\u[0-9a-f]{4}|\\\\[nrt]|&nbsp;){0,8}"
/** The number, and the beginning of it that a cut would leave. */
const forms = [new RegExp([...Marks.pan].slice(0, 8).join(between)), new RegExp(fullWidth.slice(0, 8))]

const world = (folder: string, add: Witness.Witness["Service"]["add"]) => {
  const bank = WrongBank.make()
  const store = Layer.orDie(SqliteStore.layer({ path: join(folder, "gateway.db"), witness: join(folder, "witness") }))
  const outside = World.outside({ store, spoilBank: bank.spoilBank })
  const gateway = World.gatewayOf(Layer.provide(Gateway.layer, Witness.listenersTo(add)))
  return { bank, layer: Layer.provideMerge(gateway, outside) }
}

it.live.each(ways)("a card number is nowhere after %s with it in its text", ([, wrong]) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { add, kept } = yield* Witness.Witness
    const { bank, layer } = world(folder, add)
    yield* Effect.gen(function* () {
      for (const text of texts) {
        bank.next(wrong(text))
        const order = yield* ClientMerchant.create("SALE")
        yield* World.settled
        add("answers", JSON.stringify(yield* ClientMerchant.status(order)))
        yield* World.pass("5 minutes")
        add("answers", JSON.stringify(yield* ClientMerchant.status(order)))
      }
      add("callbacks", JSON.stringify((yield* Inbox).arrived))
      add("rows", JSON.stringify((yield* Witness.folder(folder)).map(({ bytes }) => bytes.toString())))
    }).pipe(Effect.provide(Layer.provideMerge(layer, Witness.listenersTo(add)), { local: true }))
    const haystacks = kept()
    assert.includeMembers(
      haystacks.map(({ name }) => name),
      ["answers", "callbacks", "logs", "rows", "spans"]
    )
    assert.isTrue(haystacks.some(({ bytes }) => bytes.includes("[number]")))
    const leaks = haystacks.flatMap(({ bytes, name }) =>
      forms.flatMap((form) => {
        const text = bytes.toString()
        const match = form.exec(text)
        return match === null ? [] : [`${name}: ${text.slice(Math.max(0, match.index - 60), match.index + 60)}`]
      })
    )
    assert.deepStrictEqual(leaks, [])
  }).pipe(Effect.provide(Witness.layer, { local: true }))
)
