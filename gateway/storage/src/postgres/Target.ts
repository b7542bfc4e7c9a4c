/**
 * The PostgreSQL servers that a program may use, read from a connection URL in the form of libpq. Several hosts are tried in order
 * until one accepts writes.
 */
import { readFileSync } from "node:fs"
import * as Port from "@pay/schema/Port"
import { Redacted, Result } from "effect"

export interface Host {
  /** A name, an address, or the folder of a Unix socket. */
  readonly name: string
  readonly port: number
}

export interface Target {
  readonly hosts: ReadonlyArray<Host>
  readonly database: string
  readonly user: string
  readonly password: Redacted.Redacted<string> | undefined
  /** The authorities for the server's certificate; empty: those of the system; undefined: no TLS. */
  readonly tls: { readonly authorities: string | undefined; readonly checksName: boolean } | undefined
  /** True behind a pooler, which uses another server for each transaction: statements have no names, and no channel is listened to. */
  readonly pooled: boolean
}

const form = /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

const parameters: ReadonlySet<string> = new Set([
  "host",
  "pgbouncer",
  "sslmode",
  "sslrootcert",
  "target_session_attrs",
  "passfile"
])

const isLocal = ({ name }: Host): boolean =>
  name.startsWith("/") || name === "localhost" || name === "::1" || name.startsWith("127.")

const hostOf = (text: string): Host | undefined => {
  const [, name = "", port = "5432"] = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  const number = Port.parse(port)
  return name === "" || number === undefined ? undefined : { name: name.replaceAll(/^\[|\]$/g, ""), port: number }
}

/** Parses the URL. `passwordFile` is read for each connection, so that the password can change while the program runs. */
export const parse = (url: string, passwordFile?: string): Result.Result<Target, string> => {
  const match = form.exec(url)
  if (match === null) return Result.fail("it does not have the form postgres://USER@HOST:PORT/DATABASE")
  const [, user = "", password, hostList = "", database = "", query = ""] = match
  const search = new URLSearchParams(query)
  const unknown = [...search.keys()].find((name) => !parameters.has(name))
  if (unknown !== undefined)
    return Result.fail(`the parameter ${unknown} is not known; known are ${[...parameters].join(", ")}`)
  const folder = search.get("host")
  const listed = (folder === null ? hostList : folder).split(",").map((text) => {
    const [, port = "5432"] = /:(\d{1,5})$/.exec(hostList) ?? []
    return folder?.startsWith("/") === true ? { name: text, port: Number(port) } : hostOf(decodeURIComponent(text))
  })
  const hosts = listed.filter((host) => host !== undefined)
  if (hosts.length !== listed.length)
    return Result.fail(`it names no host, or a host or port that cannot be read; a port is ${Port.expected}`)
  const sessionAttrs = search.get("target_session_attrs") ?? "read-write"
  if (sessionAttrs !== "read-write" && sessionAttrs !== "primary")
    return Result.fail("target_session_attrs is read-write or primary: the gateway never reads from a standby")
  const tls = tlsOf(search, hosts)
  if (Result.isFailure(tls)) return Result.fail(tls.failure)
  return Result.succeed({
    hosts,
    database: decodeURIComponent(database) || "pay",
    user: decodeURIComponent(user) || "pay",
    password:
      passwordFile === undefined
        ? password === undefined
          ? undefined
          : Redacted.make(decodeURIComponent(password))
        : Redacted.make(readFileSync(passwordFile, "utf8").trim()),
    tls: tls.success,
    pooled: search.get("pgbouncer") === "true"
  })
}

const tlsOf = (search: URLSearchParams, hosts: ReadonlyArray<Host>): Result.Result<Target["tls"], string> => {
  const mode = search.get("sslmode") ?? (hosts.every(isLocal) ? "disable" : "verify-full")
  const file = search.get("sslrootcert")
  switch (mode) {
    case "disable":
      return Result.succeed(undefined)
    case "verify-ca":
    case "verify-full":
      return Result.succeed({
        authorities: file === null ? undefined : readFileSync(file, "utf8"),
        checksName: mode === "verify-full"
      })
    default:
      return Result.fail(`sslmode=${mode} does not verify whom it talks to: use verify-full, verify-ca, or disable`)
  }
}
