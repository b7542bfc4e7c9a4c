/** Measures a status request, relative to the same answer written by hand, and the size of a hosted page. */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as PayApi from "@pay/schema/PayApi"
import { request } from "undici"
import * as Load from "./gateway/Load.ts"
import * as Servers from "./gateway/Servers.ts"
import * as Measure from "./Measure.ts"

const connections = 64
const orders = 200
const pollsPerTurn = 10_000
const turns = 9
/** Largest allowed size of a hosted page in bytes, without compression. */
const largestPage = 30_000

const send = async (server: Servers.Server, [head = "", body = ""]: ReadonlyArray<string>): Promise<string> => {
  const path = head.split(" ")[1] ?? ""
  const headers = { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" }
  const answer = await request(`http://127.0.0.1:${server.port}${path}`, { method: "POST", headers, body })
  return answer.body.text()
}
const ask = (server: Servers.Server, bytes: Buffer | undefined): Promise<string> =>
  send(server, bytes?.toString().split("\r\n\r\n") ?? [])

/** Verifies that both servers return the same answer, except for its serial number. */
const assertSame = async (ours: Servers.Server, bare: Servers.Server, poll: Buffer | undefined) => {
  const [mine = "", theirs = ""] = (await Promise.all([ask(ours, poll), ask(bare, poll)])).map((answer) =>
    answer.replace(/"serial-number":"[^"]*"/, "")
  )
  if (mine !== theirs) throw new Error(`The answers differ:\n${mine}\n${theirs}`)
}

/** Returns the bytes of the card form when it is first shown, and when every field is wrong. */
const pageBytes = async (gateway: Servers.Server): Promise<number> => {
  const opened: unknown = JSON.parse(await ask(gateway, Load.signed(PayApi.operations.SALEFORM, Load.formFields)))
  const url = typeof opened === "object" && opened !== null && "redirect-url" in opened ? opened["redirect-url"] : ""
  const first = await request(String(url))
  const body = "number=1&expiry=1&code=1&holder=&attempts=0&action=pay"
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const flawed = await request(String(url), { method: "POST", headers, body })
  if (first.statusCode !== 200 || flawed.statusCode !== 422) throw new Error("The page is not the card form")
  const sizes = await Promise.all([first, flawed].map(async (answer) => (await answer.body.bytes()).length))
  return Math.max(...sizes)
}

const run = async (folder: string): Promise<ReadonlyArray<Measure.Row>> => {
  const gateway = await Servers.start("GatewayServer.ts", folder, "running")
  const started = [gateway]
  const results: Record<"bare" | "ours", Array<Servers.Turn>> = { bare: [], ours: [] }
  try {
    await Load.send(gateway.port, Load.prepare("polled", orders), connections)
    const polls = Load.polls("polled", orders, pollsPerTurn)
    for (const poll of polls.slice(0, orders)) {
      while (!(await ask(gateway, poll)).includes('"status":"approved"')) await setTimeout(10)
    }
    const bare = await Servers.start("BareStatusServer.ts", join(folder, "gateway.db"))
    started.push(bare)
    await assertSame(gateway, bare, polls[0])
    for (let n = 0; n <= turns; n++) {
      const bareTurn = await Servers.turn(bare, pollsPerTurn, () => Load.send(bare.port, polls, connections))
      const ourTurn = await Servers.turn(gateway, pollsPerTurn, () => Load.send(gateway.port, polls, connections))
      if (n === 0) continue
      results.bare.push(bareTurn)
      results.ours.push(ourTurn)
    }
    const bytes = await pageBytes(gateway)
    return [
      Measure.row({
        id: "P1",
        measure: "status of a paid order, 64 connections / bare node:http + the same row of SQLite",
        ...Servers.compared(results.ours, results.bare),
        limit: { atLeast: 0.5, aim: 0.6 }
      }),
      Measure.row({
        id: "P2",
        measure: "bytes of a hosted card form, at its largest / 30 KB",
        ours: `${bytes} B`,
        baseline: `${largestPage} B`,
        ratio: bytes / largestPage,
        limit: { atMost: 1, aim: 0.5 }
      })
    ]
  } finally {
    for (const server of started) server.stop()
  }
}

const benchmark: Measure.Benchmark = { id: "P", title: "Polling and pages", run: () => Measure.inFolder(run) }
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
