/** A client's connection to a PostgreSQL server, as an Effect. */
import { Data, Effect } from "effect"
import { Client, type ClientConfig, DatabaseError } from "pg"
import * as DataTemplate from "./DataTemplate.ts"
import type { PostgresServer } from "./PostgresServer.ts"

/** A statement or a connection failed. */
export class SessionError extends Data.TaggedError("SessionError")<{
  /** The server's SQLSTATE; undefined if the failure is of the connection, so that the outcome is unknown. */
  readonly state: string | undefined
  readonly cause: unknown
}> {
  override get message() {
    return `${this.state ?? "connection"}: ${this.cause instanceof Error ? this.cause.message : "no reason"}`
  }
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

export interface Session {
  /** With a name the statement is prepared at its first use, and known by its name afterwards. */
  readonly query: (text: string, values?: ReadonlyArray<unknown>, name?: string) => Effect.Effect<Rows, SessionError>
}

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new SessionError({ state: cause instanceof DatabaseError ? cause.code : undefined, cause })
  })

/** A connection that closes with the scope. */
export const open = (config: ClientConfig) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const client = new Client(config)
        // The statement that waits fails as well, or the next one does.
        client.on("error", () => undefined)
        yield* attempt(() => client.connect())
        return client
      }),
      // A server that is paused never answers.
      (client) => Effect.sync(() => void client.end())
    ),
    (client): Session => ({
      query: (text, values = [], name) =>
        Effect.map(
          attempt(() => client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })),
          ({ rows }) => rows
        )
    })
  )

/** Connects, executes one statement, and leaves. */
export const query = (config: ClientConfig, text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.scoped(Effect.flatMap(open(config), (session) => session.query(text, values)))

/** How the superuser reaches a server: by its socket, without a password. */
export const superuser = ({ folder, port }: PostgresServer, database = "postgres"): ClientConfig => ({
  host: folder,
  port,
  user: "postgres",
  database
})

export interface Login {
  readonly user?: string
  readonly password?: string
  readonly database?: string
}

/** The URL by which a program reaches what listens on these ports of the loopback interface, in their order. */
export const url = (ports: ReadonlyArray<number>, login: Login = {}): string => {
  const { database = "postgres", password = DataTemplate.superuserPassword, user = "postgres" } = login
  return `postgres://${user}:${password}@${ports.map((port) => `localhost:${port}`).join(",")}/${database}`
}

/** The SQLSTATE with which something fails; `connection` if the connection does. */
export const stateOf = <A, R>(effect: Effect.Effect<A, SessionError, R>) =>
  Effect.map(Effect.flip(effect), ({ state = "connection" }) => state)
