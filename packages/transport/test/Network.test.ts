import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Net from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Runtimes from "../../../scripts/Runtimes.ts"
import { listen } from "../../schema/test/Loopback.ts"
import * as TextTable from "../../schema/test/TextTable.ts"
import { temporaryFolder } from "../../sqlite/test/TemporaryFolder.ts"

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.pem`, import.meta.url))
const pem = (name: string) => readFileSync(fixture(name), "utf8")
const program = (name: string) => fileURLToPath(new URL(`./processes/${name}.ts`, import.meta.url))

const thisNode: Runtimes.Command = { name: "this Node", command: [process.execPath] }

/** This Node; `npm run test:external` adds the oldest Node that is promised, Bun and Deno. */
const runtimes = process.env.PAY_OTHER_RUNTIMES === undefined ? [thisNode] : [thisNode, ...Runtimes.install()]

/** How a request ends, by its cause and by the runtime whose `fetch` sends it. `Lost`: the request may have arrived. */
const table = `
cause                            | Node                                    | Bun                  | Deno
refused                          | NotSent ECONNREFUSED                    | =                    | =
refused at each address          | NotSent ECONNREFUSED                    | =                    | =
no such host name                | NotSent ENOTFOUND                       | =                    | =
no name server                   | NotSent EAI_AGAIN                       | =                    | =
port that fetch blocks           | NotSent BLOCKED_PORT                    | NotSent ECONNREFUSED | =
certificate expired              | NotSent CERT_HAS_EXPIRED                | =                    | =
certificate not valid yet        | NotSent CERT_NOT_YET_VALID              | =                    | =
certificate of another host      | NotSent ERR_TLS_CERT_ALTNAME_INVALID    | =                    | =
certificate self-signed          | NotSent DEPTH_ZERO_SELF_SIGNED_CERT     | =                    | =
unknown authority                | NotSent UNABLE_TO_VERIFY_LEAF_SIGNATURE | =                    | NotSent UNABLE_TO_GET_ISSUER_CERT_LOCALLY
client certificate missing, 1.3  | Lost                                    | =                    | =
client certificate missing, 1.2  | Lost                                    | =                    | =
no common version of TLS         | Lost                                    | =                    | =
TLS to a plain server            | Lost                                    | =                    | =
closed before TLS is ready       | Lost                                    | =                    | =
closed after the request         | Lost                                    | =                    | =
reset after the request          | Lost                                    | =                    | =
closed after the request in TLS  | Lost                                    | =                    | =
answered                         | Answered 200                            | =                    | =`

const [[, ...columns] = [], ...rows] = TextTable.rows(table)

const expected = (runtime: string, cause: string): string => {
  const ends = rows.find(([name]) => name === cause)?.slice(1) ?? []
  const end = ends[columns.findIndex((name) => runtime.toLowerCase().includes(name.toLowerCase()))]
  return (end === "=" ? ends[0] : end) ?? assert.fail(`the table lacks ${cause} on ${runtime}`)
}

const tls = (certificate: string, more: Https.ServerOptions = {}) => {
  const identity = { cert: pem(certificate), key: pem("key"), ...more }
  const server = Https.createServer(identity, (_request, response) => response.end("ok"))
  return Effect.map(listen(server), (port) => `https://localhost:${port}/`)
}

const tcp = (scheme: string, act: (socket: Net.Socket) => void) =>
  Effect.map(listen(Net.createServer(act)), (port) => `${scheme}://localhost:${port}/`)

const onData = (act: (socket: Net.Socket) => void) => tcp("http", (socket) => socket.once("data", () => act(socket)))

const mutual = { ca: pem("authority"), requestCert: true, rejectUnauthorized: true }
const older = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const

/** A port that is assigned to nobody, and that the system gives to none of the servers of other tests. */
const unusedPort = 4

/** The address at which each cause occurs. */
const causes: Readonly<Record<string, ReturnType<typeof tls>>> = {
  refused: Effect.succeed(`http://127.0.0.1:${unusedPort}/`),
  "refused at each address": Effect.succeed(`http://both.test:${unusedPort}/`),
  "no such host name": Effect.succeed("http://gateway.invalid/"),
  "port that fetch blocks": Effect.succeed("http://127.0.0.1:6000/"),
  "certificate expired": tls("expired"),
  "certificate not valid yet": tls("early"),
  "certificate of another host": tls("other-host"),
  "certificate self-signed": tls("certificate"),
  "unknown authority": tls("unknown-authority"),
  "client certificate missing, 1.3": tls("trusted", { ...mutual, minVersion: "TLSv1.3" }),
  "client certificate missing, 1.2": tls("trusted", { ...mutual, maxVersion: "TLSv1.2" }),
  "no common version of TLS": tls("trusted", older),
  "TLS to a plain server": Effect.map(
    listen(Http.createServer((_request, response) => response.end())),
    (port) => `https://localhost:${port}/`
  ),
  "closed before TLS is ready": tcp("https", (socket) => socket.destroy()),
  "closed after the request": onData((socket) => socket.end()),
  "reset after the request": onData((socket) => socket.resetAndDestroy()),
  "closed after the request in TLS": Effect.map(
    listen(Https.createServer({ cert: pem("trusted"), key: pem("key") }, (_request, { socket }) => socket?.destroy())),
    (port) => `https://localhost:${port}/`
  ),
  answered: tls("trusted")
}

const env = {
  ...process.env,
  NODE_EXTRA_CA_CERTS: fixture("authority"),
  DENO_CERT: fixture("authority"),
  NODE_OPTIONS: "--no-warnings --dns-result-order=ipv4first"
}

/** A process that ends with the scope. */
const startProcess = (file: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(file, args, { env, stdio: ["ignore", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const firstLine = ({ stdout }: ChildProcess) =>
  Effect.callback<string>((resume) => {
    stdout?.once("data", (bytes: Buffer) => resume(Effect.succeed(bytes.toString().trim())))
  })

const lines = ({ stdout }: ChildProcess) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    let text = ""
    stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    stdout?.once("end", () => resume(Effect.succeed(text.trim().split("\n"))))
  })

/** `both.test` has an address of IPv4 and then one of IPv6, at which no program listens. No name server answers. */
const hosts = "127.0.0.1 localhost both.test\n::1 both.test\n"
const own =
  'mount --bind "$0" /etc/hosts && { [ -z "$1" ] || mount --bind "$1" /etc/resolv.conf; } && shift && exec "$@"'

/** Sends with the wire of this name in a process with host names of its own. Without `isNamed` it has no name server. */
const sending = Effect.fnUntraced(function* (
  { command }: Runtimes.Command,
  urls: ReadonlyArray<string>,
  { isNamed = true, wire = "fetch" }: { readonly isNamed?: boolean; readonly wire?: string } = {}
) {
  const folder = yield* temporaryFolder
  const [names, server] = [join(folder, "hosts"), join(folder, "resolv.conf")]
  writeFileSync(names, hosts)
  writeFileSync(server, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
  const args = ["-rm", "sh", "-c", own, names, isNamed ? "" : server, ...command, program("send"), wire, ...urls]
  return yield* startProcess("unshare", args)
})

/** Number of handshakes with this port that wait, from the table of the system. */
const waiting = (port: string): number => {
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`
  const connections = readFileSync("/proc/net/tcp", "utf8").split("\n")
  return connections.filter((line) => {
    const [, , remote = "", state] = line.trim().split(/\s+/)
    return remote.endsWith(suffix) && state === "02"
  }).length
}

const untilWaiting = (port: string, count: number) =>
  Effect.repeat(
    Effect.andThen(
      Effect.yieldNow,
      Effect.promise(() => new Promise(setImmediate))
    ),
    {
      until: () => waiting(port) >= count
    }
  )

describe.each(runtimes)("the network, as fetch reports it on $name", (runtime) => {
  it.live("proves that nothing was sent only by its connections and the checks of certificates", () =>
    Effect.gen(function* () {
      const urls = yield* Effect.all(Object.values(causes))
      const ends = yield* lines(yield* sending(runtime, urls))
      const withoutServer = yield* lines(yield* sending(runtime, ["http://gateway.example/"], { isNamed: false }))
      const observed = [...Object.keys(causes), "no name server"].map((cause, index) => [
        cause,
        [...ends, ...withoutServer][index]
      ])
      assert.deepStrictEqual(
        observed.map(([cause, end = ""]) => [cause, end.replace(/^Lost .*/, "Lost")]),
        observed.map(([cause = ""]) => [cause, expected(runtime.name, cause)])
      )
    })
  )
})

describe.each(runtimes)("a connection that the server closes while it is kept, on $name", (runtime) => {
  it.live("is not used to send a request twice", () =>
    Effect.gen(function* () {
      let requests = 0
      const url = yield* tcp("http", (socket) => {
        let isKept = false
        socket.on("data", (bytes) => {
          if (!bytes.toString("latin1").includes("a=1")) return
          requests += 1
          if (isKept) return socket.resetAndDestroy()
          isKept = true
          return socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        })
      })
      const [first, second = ""] = yield* lines(yield* sending(runtime, [url, url]))
      assert.strictEqual(first, "Answered 200")
      assert.match(second, /^Lost|^Answered 200/)
      assert.strictEqual(requests, 2)
    })
  )
})

const slow = [...runtimes.map((runtime) => ({ ...runtime, wire: "fetch" })), { ...thisNode, wire: "undici" }]

describe.each(slow)("a handshake of a second, over $wire on $name", ({ command, name, wire }) => {
  it.live("reaches a host that has addresses of both families, on a network without IPv6", () =>
    Effect.gen(function* () {
      const server = yield* startProcess(process.execPath, [program("listen")])
      const port = yield* firstLine(server)
      server.kill("SIGSTOP")
      const fillers = yield* Effect.acquireRelease(
        Effect.sync(() => [1, 2, 3].map(() => Net.connect(Number(port), "127.0.0.1").on("error", () => undefined))),
        (sockets) => Effect.sync(() => sockets.map((socket) => socket.destroy()))
      )
      yield* untilWaiting(port, 1)
      const client = yield* sending({ command, name }, [`http://both.test:${port}/`], { wire })
      yield* untilWaiting(port, 2)
      for (const socket of fillers) socket.destroy()
      server.kill("SIGCONT")
      assert.deepStrictEqual(yield* lines(client), ["Answered 200"])
    })
  )
})
