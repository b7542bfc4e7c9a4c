/** A proxy between a program and its PostgreSQL server that delays, holds back or cuts what passes. */
import { connect, createServer, type Socket } from "node:net"
import { Deferred, Effect } from "effect"
import * as WireFrames from "./WireFrames.ts"

/**
 * When a connection is cut, both ends at once: before the server receives the statement; when the server has received it; when the
 * server has answered it, and before the client receives any of the answer.
 */
export type Moment = "before" | "during" | "after"

export interface TcpProxy {
  readonly port: number
  /** Delays everything that clients send by so many milliseconds. */
  readonly delay: (ms: number) => Effect.Effect<void>
  /** Holds back everything, in both directions, on connections that are open and on new ones, until {@link resume}. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Resets every connection. */
  readonly cutAll: Effect.Effect<void>
  /** Resets every connection and accepts no others, until {@link accept}. */
  readonly refuse: Effect.Effect<void>
  readonly accept: Effect.Effect<void>
  /** Connects new clients to this port of the loopback interface. */
  readonly aim: (target: number) => Effect.Effect<void>
  /**
   * Resets the connection of the next statement whose text contains this, at that moment; the inner effect completes when it is done. The
   * text is known only of connections without TLS. With `refuse` others are refused from that moment, as {@link refuse} does. With `about`
   * only a statement counts whose values contain this.
   */
  readonly cutAt: (
    moment: Moment,
    statement: string,
    then?: "accept" | "refuse",
    about?: string
  ) => Effect.Effect<Effect.Effect<void>>
  /** Holds back the next statement whose text contains this, also when its client is gone. */
  readonly holdAt: (statement: string) => Effect.Effect<HeldStatement>
  /** How many connections are open, and how many requests passed: statements or groups of them that are answered together. */
  readonly counts: Effect.Effect<{ readonly connections: number; readonly requests: number }>
}

/** A statement that the proxy holds back. */
export interface HeldStatement {
  readonly begun: Effect.Effect<void>
  /** Lets the server receive it; completes when the server has answered. */
  readonly arrive: Effect.Effect<void>
}

interface Trap {
  readonly moment: Moment | "late"
  readonly refuses: boolean
  readonly statement: string
  readonly about: string
  readonly sprung: Deferred.Deferred<void>
  /** Sends the statement to the server. */
  arrive: () => void
  readonly arrived: Deferred.Deferred<void>
}

/** The state that all connections of a proxy share. */
interface Rules {
  target: number
  delayMs: number
  paused: boolean
  refused: boolean
  trap: Trap | undefined
  requests: number
}

/** One connection of a client through the proxy. */
interface ProxiedConnection {
  readonly release: () => void
  readonly cut: () => void
}

const proxied = (client: Socket, rules: Rules, forget: () => void): ProxiedConnection => {
  const server = connect(rules.target, "127.0.0.1")
  const waiting: Array<() => void> = []
  const delayed: Array<() => void> = []
  const cut = (sockets = [client, server]) => {
    for (const socket of sockets) socket.resetAndDestroy()
    waiting.length = 0
    delayed.length = 0
    forget()
  }
  const pass = (socket: Socket, bytes: Buffer) => {
    const write = () => void (socket.writable && socket.write(bytes))
    const now = () => (rules.paused ? void waiting.push(write) : write())
    if (socket !== server || (rules.delayMs === 0 && delayed.length === 0)) return now()
    // Whatever the delay is now, nothing overtakes what was sent before.
    delayed.push(now)
    setTimeout(() => delayed.shift()?.(), rules.delayMs)
  }
  const fromClient = WireFrames.splitter(true)
  const fromServer = WireFrames.splitter(false)
  const statementOf = WireFrames.statements()
  /** False for a connection that is encrypted; unknown from the request for that to the server's answer. */
  let legible: boolean | "unknown" = true
  let request: Array<Buffer> = []
  let isTrapped = false
  let requests = 0
  let answers = 0
  /** The number of the request whose answer is not to arrive. */
  let withheld: { readonly request: number; readonly trap: Trap } | undefined

  let heldStatement: Trap | undefined

  const spring = (trap: Trap, sockets?: Array<Socket>) => {
    rules.refused ||= trap.refuses
    cut(sockets)
    Deferred.doneUnsafe(trap.sprung, Effect.void)
  }

  const onRequest = () => {
    const bytes = Buffer.concat(request)
    request = []
    requests += 1
    rules.requests += 1
    const trap = isTrapped ? rules.trap : undefined
    if (trap === undefined) return pass(server, bytes)
    isTrapped = false
    rules.trap = undefined
    if (trap.moment === "before") return spring(trap)
    // A reset would throw away what the server has received and not read yet.
    if (trap.moment === "during") return void server.end(bytes, () => spring(trap, [client]))
    withheld = { request: requests, trap }
    if (trap.moment === "after") return pass(server, bytes)
    heldStatement = trap
    trap.arrive = () => void server.write(bytes)
    Deferred.doneUnsafe(trap.sprung, Effect.void)
  }

  client.on("data", (bytes: Buffer) => {
    if (!legible) return pass(server, bytes)
    for (const frame of fromClient(bytes)) {
      if (WireFrames.asksForEncryption(frame)) {
        legible = "unknown"
        pass(server, frame.bytes)
        continue
      }
      request.push(frame.bytes)
      const statement = statementOf(frame)
      isTrapped ||=
        rules.trap !== undefined &&
        statement?.includes(rules.trap.statement) === true &&
        frame.body.includes(rules.trap.about)
      if (WireFrames.endsRequest(frame)) onRequest()
      else if (frame.type === "p" || frame.type === "X" || frame.type === "H") {
        pass(server, Buffer.concat(request))
        request = []
      }
    }
  })
  server.on("data", (bytes: Buffer) => {
    if (legible === "unknown") {
      legible = bytes.toString("latin1", 0, 1) === "N"
      return pass(client, bytes)
    }
    if (!legible) return pass(client, bytes)
    for (const frame of fromServer(bytes)) {
      if (withheld === undefined || answers + 1 < withheld.request) pass(client, frame.bytes)
      if (WireFrames.endsAnswer(frame)) {
        answers += 1
        if (withheld === undefined || answers !== withheld.request) continue
        spring(withheld.trap)
        Deferred.doneUnsafe(withheld.trap.arrived, Effect.void)
      }
    }
  })
  const pairs = [
    [client, server],
    [server, client]
  ] as const
  for (const [socket, other] of pairs) {
    socket.setNoDelay(true)
    // An end that fails is closed as well.
    socket.on("error", () => undefined)
    socket.on("close", () => {
      if (other === client || heldStatement === undefined) other.destroySoon()
      forget()
    })
  }
  return {
    cut,
    release: () => {
      for (const write of waiting.splice(0)) write()
    }
  }
}

/** A proxy in front of what listens on this port of the loopback interface. */
export const make = (target: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly proxy: TcpProxy; readonly close: () => void }>((resume) => {
      const rules: Rules = { target, delayMs: 0, paused: false, refused: false, trap: undefined, requests: 0 }
      const connections = new Set<ProxiedConnection>()
      const cutAll = () => {
        for (const each of connections) each.cut()
      }
      const listener = createServer((client) => {
        if (rules.refused) return void client.resetAndDestroy()
        const each = proxied(client, rules, () => connections.delete(each))
        connections.add(each)
      })
      const set = (change: Partial<Rules>) => Effect.sync(() => void Object.assign(rules, change))
      const setTrap = Effect.fnUntraced(function* (
        moment: Trap["moment"],
        statement: string,
        refuses: boolean,
        about = ""
      ) {
        const [sprung, arrived] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const trap: Trap = { moment, statement, about, refuses, sprung, arrived, arrive: () => undefined }
        yield* set({ trap })
        return trap
      })
      const release = () => {
        for (const each of connections) each.release()
      }
      listener.listen(0, "127.0.0.1", () => {
        const address = listener.address()
        const port = address === null || typeof address === "string" ? 0 : address.port
        const proxy: TcpProxy = {
          port,
          delay: (delayMs) => set({ delayMs }),
          pause: set({ paused: true }),
          resume: Effect.andThen(set({ paused: false }), Effect.sync(release)),
          cutAll: Effect.sync(cutAll),
          refuse: Effect.andThen(set({ refused: true }), Effect.sync(cutAll)),
          accept: set({ refused: false }),
          aim: (port) => set({ target: port }),
          cutAt: (moment, statement, then = "accept", about = "") =>
            Effect.map(setTrap(moment, statement, then === "refuse", about), ({ sprung }) => Deferred.await(sprung)),
          holdAt: (statement) =>
            Effect.map(setTrap("late", statement, false), (trap) => ({
              begun: Deferred.await(trap.sprung),
              arrive: Effect.andThen(
                Effect.sync(() => trap.arrive()),
                Deferred.await(trap.arrived)
              )
            })),
          counts: Effect.sync(() => ({ connections: connections.size, requests: rules.requests }))
        }
        const close = () => {
          listener.close()
          cutAll()
        }
        resume(Effect.succeed({ proxy, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ proxy }) => proxy))
