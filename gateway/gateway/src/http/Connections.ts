/**
 * Limits what the connections of a server hold: how many there are in all and of one address, and how many requests of one connection
 * wait for their answers. A connection that the server ends is destroyed, whether or not the client closes its side.
 */
import type * as Http from "node:http"
import type { Socket } from "node:net"

export interface Limits {
  /** Largest number of connections. */
  readonly connections: number
  /** Largest number of connections that have one key. */
  readonly addressConnections: number
  /** Time after which a connection without a request is closed. */
  readonly idleConnectionMs: number
  /** Time after which a connection is closed on which nothing moves although answers wait. Longer than any answer takes. */
  readonly unreadAnswerMs: number
}

export interface Options extends Limits {
  /** The key under which connections of a peer are counted. `undefined`: they are not. */
  readonly keyOf: (peer: string) => string | undefined
  /** Called when a connection is refused. `peer` is empty if the limit in all is reached. */
  readonly onRefused: (peer: string) => void
}

export interface Connections {
  /**
   * Takes a request whose head is complete. `false`: it must not begin. The connection has too many requests without an answer and is
   * destroyed, or it has had its last request.
   */
  readonly begin: (request: Http.IncomingMessage, response: Http.ServerResponse) => boolean
  /** Records that the body of a request is complete. The connection is not read further while too many answers wait. */
  readonly received: (request: Http.IncomingMessage) => void
  /** Returns the request of a connection whose body is not complete. */
  readonly reading: (socket: Socket) => Http.IncomingMessage | undefined
  /** Whether this is the first failure of the connection. The parser may fail again on the rest of what it was refused for. */
  readonly fail: (socket: Socket) => boolean
  /** Writes the last bytes of a connection, and destroys it when the client had time to read them. */
  readonly end: (socket: Socket, bytes: string) => void
}

/** Requests without an answer from which a connection is not read further. Clients that do not pipeline have one. */
const mostRead = 16
/**
 * Requests without an answer with which a connection is destroyed. There can be more than {@link mostRead}, because one read of the
 * socket may contain thousands of short requests.
 */
const mostWaiting = 100
/** Requests of one connection. With the last one the client learns that the connection is closed. */
const mostRequests = 1000
/** Time in which a client can read why its connection ends. Destroyed at once, a socket may discard what was not yet read. */
const lingerMs = 1000

interface Connection {
  requests: number
  waiting: number
  reading: Http.IncomingMessage | undefined
  hasFailed: boolean
}

/** Counts the connections of each key. */
const countByKey = (most: number) => {
  const counts = new Map<string, number>()
  return {
    enter: (key: string): boolean => {
      const count = counts.get(key) ?? 0
      if (count >= most) return false
      counts.set(key, count + 1)
      return true
    },
    leave: (key: string): void => {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    }
  }
}

/** Applies the limits to a server. The request handler of the server calls `begin` and `received`. */
export const limit = (server: Http.Server, options: Options): Connections => {
  const connections = new WeakMap<Socket, Connection>()
  const byKey = countByKey(options.addressConnections)
  const of = (socket: Socket): Connection => {
    const existing = connections.get(socket) ?? { requests: 0, waiting: 0, reading: undefined, hasFailed: false }
    connections.set(socket, existing)
    return existing
  }

  server.maxConnections = options.connections
  server.keepAliveTimeout = options.idleConnectionMs
  server.timeout = options.unreadAnswerMs
  server.on("drop", () => options.onRefused(""))
  server.on("connection", (socket: Socket) => {
    const peer = socket.remoteAddress ?? ""
    const key = options.keyOf(peer)
    if (key === undefined) return
    if (byKey.enter(key)) socket.once("close", () => byKey.leave(key))
    else {
      options.onRefused(peer)
      socket.destroy()
    }
  })

  return {
    begin: (request, response) => {
      const { socket } = request
      const connection = of(socket)
      connection.requests += 1
      // The connection closes with an earlier answer.
      if (connection.requests > mostRequests) return false
      connection.waiting += 1
      connection.reading = request
      if (connection.waiting > mostWaiting) {
        socket.destroy()
        return false
      }
      // `maxRequestsPerSocket` of node:http says so too, but leaves the socket open.
      if (connection.requests === mostRequests) response.shouldKeepAlive = false
      response.once("close", () => {
        connection.waiting -= 1
        if (connection.reading === request) connection.reading = undefined
        if (connection.waiting < mostRead && socket.isPaused()) socket.resume()
      })
      return true
    },
    received: ({ socket }) => {
      const connection = of(socket)
      connection.reading = undefined
      if (connection.waiting >= mostRead) socket.pause()
    },
    reading: (socket) => {
      // The parser may be past a body whose end was not announced yet.
      const request = connections.get(socket)?.reading
      return request?.complete === false ? request : undefined
    },
    fail: (socket) => {
      const connection = of(socket)
      if (connection.hasFailed) return false
      connection.hasFailed = true
      return true
    },
    end: (socket, bytes) => {
      socket.end(bytes)
      const timer = setTimeout(() => socket.destroy(), lingerMs)
      socket.once("close", () => clearTimeout(timer))
    }
  }
}
