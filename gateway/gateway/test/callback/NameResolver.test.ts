import { createSocket } from "node:dgram"
import { rmSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFile } from "../../../../packages/sqlite/test/TemporaryFolder.ts"
import { NameResolver } from "../../src/network/NameResolver.ts"

const A = 1
const AAAA = 28
const serverFailure = 2
const noSuchName = 3

type Answers = Readonly<Record<string, { readonly [type: number]: ReadonlyArray<number> | number }>>

/** A server gives no answer if a record has this value instead of a response code. */
const silence = -1
/** What a slow server takes for an answer for IPv4. */
const lateMs = 200

/** A minimal DNS server (RFC 1035 §4): one address for each record, or a response code instead. Counts the questions of a type. */
const nameServer = (answers: Answers, questions: Record<number, number> = {}) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createSocket>>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => {
        const labels: Array<string> = []
        let at = 12
        for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
          labels.push(query.toString("latin1", at + 1, at + 1 + length))
          at += 1 + length
        }
        const end = at + 5
        const count = answers[labels.join(".")]?.[query.readUInt16BE(at + 1)]
        const type = query.readUInt16BE(at + 1)
        questions[type] = (questions[type] ?? 0) + 1
        if (count === silence) return
        const record = typeof count === "object" ? count : undefined
        const header = Buffer.from(query.subarray(0, 12))
        header.writeUInt16BE(0x8180 | (typeof count === "number" ? count : 0), 2)
        header.fill(0, 6)
        header.writeUInt16BE(record === undefined ? 0 : 1, 6)
        const answer =
          record === undefined ? [] : [0xc0, 12, ...query.subarray(at + 1, end), 0, 0, 0, 0, 0, record.length]
        const message = Buffer.concat([header, query.subarray(12, end), Buffer.from([...answer, ...(record ?? [])])])
        const isLate = type === A && labels[0] === "late"
        setTimeout(() => socket.send(message, from.port), isLate ? lateMs : 0)
      })
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )

const v4 = [192, 0, 2, 1]
const v6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

const zone: Answers = {
  "both.test": { [A]: v4, [AAAA]: v6 },
  "old.test": { [A]: v4 },
  "new.test": { [AAAA]: v6 },
  "half.test": { [A]: v4, [AAAA]: serverFailure },
  "late.test": { [A]: v4, [AAAA]: v6 },
  "gone.test": { [A]: noSuchName, [AAAA]: noSuchName },
  "empty.test": {}
}

const resolve = (name: string) => Effect.flatMap(NameResolver, (names) => names.resolve(name))

describe("the resolution of a host name", () => {
  it.live.each([
    ["both.test", "192.0.2.1 2001:db8::1"],
    ["old.test", "192.0.2.1"],
    ["new.test", "2001:db8::1"],
    ["half.test", "192.0.2.1"],
    ["late.test", "192.0.2.1 2001:db8::1"],
    ["gone.test", "ENOTFOUND"],
    ["empty.test", "ENODATA"],
    ["localhost", "127.0.0.1 ::1"],
    ["shop.localhost.", "127.0.0.1 ::1"]
  ] as const)("gives the addresses of both families or an error: %s → %s", ([name, expected]) =>
    Effect.gen(function* () {
      const server = yield* nameServer(zone)
      const layer = NameResolver.layerDns({ servers: [`127.0.0.1:${server.address().port}`] })
      const result = yield* resolve(name).pipe(
        Effect.map((addresses) => addresses.join(" ")),
        Effect.catch(({ message }) => Effect.succeed(message)),
        Effect.provide(layer)
      )
      assert.strictEqual(result, expected)
    })
  )

  const layerOf = (server: { readonly address: () => { readonly port: number } }) =>
    NameResolver.layerDns({ servers: [`127.0.0.1:${server.address().port}`] })

  it.live.each([
    ["IPv6", { [A]: v4, [AAAA]: silence }, "192.0.2.1", AAAA],
    ["IPv4", { [A]: silence, [AAAA]: v6 }, "2001:db8::1", A]
  ] as const)("does not wait for a server that never answers for %s", ([_family, records, expected, silent]) =>
    Effect.gen(function* () {
      const questions: Record<number, number> = {}
      const server = yield* nameServer({ "half.test": records }, questions)
      const addresses = yield* Effect.provide(resolve("half.test"), layerOf(server))
      assert.deepStrictEqual(addresses, [expected])
      assert.strictEqual(questions[silent], 1, "the question was not repeated")
    })
  )

  it.live("follows the file of the name servers", () =>
    Effect.gen(function* () {
      const [before, after] = [
        yield* nameServer({ "a.test": { [A]: v4 } }),
        yield* nameServer({ "a.test": { [A]: [192, 0, 2, 2] } })
      ]
      const file = yield* temporaryFile
      const name = (server: typeof before) =>
        writeFileSync(file, `# made by DHCP\nnameserver 127.0.0.1:${server.address().port}\n`)
      yield* Effect.gen(function* () {
        name(before)
        assert.deepStrictEqual(yield* resolve("a.test"), ["192.0.2.1"])
        name(after)
        assert.deepStrictEqual(yield* resolve("a.test"), ["192.0.2.2"])
        rmSync(file)
        assert.deepStrictEqual(yield* resolve("a.test"), ["192.0.2.2"], "the file is away for a moment")
      }).pipe(Effect.provide(NameResolver.layerDns({ file })))
    })
  )

  it.live("by the system returns an IP address unchanged", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Effect.provide(resolve("127.0.0.1"), NameResolver.layerSystem), ["127.0.0.1"])
    })
  )

  it.live("by the system fails for an invalid name", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Effect.provide(resolve("nothing..here"), NameResolver.layerSystem))
      assert.strictEqual(failure._tag, "NotResolved")
    })
  )
})
