/** A name server (RFC 1035) that knows one address: every name of the drill is 127.0.0.1, and has no IPv6 address. */
import { createSocket } from "node:dgram"
import { Effect } from "effect"

export interface NameServer {
  readonly address: string
  /** How many questions came. */
  readonly questions: () => number
  readonly behave: (conduct: Conduct) => Effect.Effect<void>
}

/** `silent`: it answers nothing. `onlyIPv4`: it leaves questions for IPv6 addresses without an answer, as some resolvers do. */
export type Conduct = "well" | "silent" | "onlyIPv4"

const ipv4 = 1

const typeOf = (query: Buffer): number => query.readUInt16BE(query.indexOf(0, 12) + 1)

/** The answer to a question: a header with the bits of an answer, the question, and an address if the question is for one of IPv4. */
const answerTo = (query: Buffer): Buffer => {
  const endOfName = query.indexOf(0, 12)
  const question = query.subarray(12, endOfName + 5)
  const hasAddress = typeOf(query) === ipv4
  const header = Buffer.from([...query.subarray(0, 2), 0x85, 0x80, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0])
  // A pointer to the name, type A, class IN, a second to live, four bytes.
  const address = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]
  return Buffer.concat([header, question, Buffer.from(hasAddress ? address : [])])
}

export const make = Effect.fnUntraced(function* (address: string) {
  let conduct: Conduct = "well"
  let questions = 0
  const socket = createSocket("udp4")
  socket.on("message", (query, { address: from, port }) => {
    questions += 1
    if (conduct === "well" || (conduct === "onlyIPv4" && typeOf(query) === ipv4))
      socket.send(answerTo(query), port, from)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      const inUse = new Error(`Port 53 of ${address} is not free: does another drill run on this machine?`)
      socket.once("error", () => resume(Effect.die(inUse)))
      socket.bind(53, address, () => resume(Effect.void))
    }),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
  const server: NameServer = {
    address,
    questions: () => questions,
    behave: (next) =>
      Effect.sync(() => {
        conduct = next
      })
  }
  return server
})
