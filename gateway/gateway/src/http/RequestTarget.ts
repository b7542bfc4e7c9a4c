/**
 * Parses the address of a request: `/api/v2/sale/123` and `/api/v2/sale/group/123` are the operation SALE at the number 123. The
 * gateway also serves the path prefix of its public address, so it needs no proxy that rewrites paths.
 */
import type { Dialect } from "@pay/schema/Dialect"
import * as EndpointId from "@pay/schema/EndpointId"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import * as Pages from "./Pages.ts"

export interface OperationPath {
  readonly operation: Operation
  readonly pathId: string
}

/** The target of a request, below the path prefix of the public address. */
export interface Target {
  readonly path: string
  /** The query without its `?`. */
  readonly query: string
  /** The address that OAuth signatures cover: as it was sent, even if it has two slashes in a row. */
  readonly url: string
}

/** The path of the public address, without a slash at the end: `/paynet`, or empty. */
const prefixOf = (publicBaseUrl: string): string => {
  const at = publicBaseUrl.indexOf("/", publicBaseUrl.indexOf("//") + 2)
  return at === -1 ? "" : publicBaseUrl.slice(at)
}

/** Paths for operators only. A prefix never leads to them, because a proxy may pass on everything below it. */
const isOperators = (path: string): boolean => path === "/metrics" || `${path}/`.startsWith("/operator/")

const withSingleSlashes = (path: string): string => (path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path)

/** Returns the path below the prefix, in which two slashes in a row count as one. Undefined: it is not below the prefix. */
const below = (prefix: string, path: string): string | undefined => {
  let rest = path
  for (const part of prefix.split("/").slice(1)) {
    const from = rest.search(/[^/]/)
    if (from < 1 || !rest.startsWith(`${part}/`, from)) return undefined
    rest = rest.slice(from + part.length)
  }
  return rest
}

/**
 * Reads a target as it was received. Two slashes in a row count as one in the path of an operation, which is otherwise read as it
 * is, because it is signed. The path of a page stays as it was received, and is read by `Pages.addressOf`.
 */
export const targetOf = (publicBaseUrl: string, received: string): Target => {
  const queryAt = received.indexOf("?")
  const raw = queryAt === -1 ? received : received.slice(0, queryAt)
  const query = queryAt === -1 ? "" : received.slice(queryAt + 1)
  const prefix = prefixOf(publicBaseUrl)
  const inside = prefix === "" ? undefined : below(prefix, raw)
  if (inside !== undefined && !isOperators(Pages.addressOf(inside).path))
    return { path: pathOf(inside), query, url: publicBaseUrl.slice(0, publicBaseUrl.length - prefix.length) + received }
  return { path: pathOf(raw), query, url: publicBaseUrl + received }
}

const pathOf = (path: string): string => {
  const single = withSingleSlashes(path)
  return isApi(single) ? single : path
}

/** Whether a path is that of an operation, served or not. */
export const isApi = (path: string): boolean => path.startsWith("/api/")

const group = "/group"

/** Returns the number of an endpoint or group with which a path ends, also behind a path of no operation. */
export const pathIdOf = (path: string): string | undefined => EndpointId.parse(path.slice(path.lastIndexOf("/") + 1))

/** Returns the operation and the number in a path. Refuses any other path as not found (404). */
export const locate = (path: string): Result.Result<OperationPath, RequestRefused> => {
  const slash = path.lastIndexOf("/")
  const named = path.slice(0, slash)
  const operation = PayApi.byPath.get(named.endsWith(group) ? named.slice(0, -group.length) : named)
  if (operation === undefined) return Result.fail(refuse("notFound", { message: "No operation has this path" }))
  const pathId = pathIdOf(path)
  return pathId === undefined
    ? Result.fail(refuse("notFound", { message: "The path must end with an endpoint id: a decimal number below 2^63" }))
    : Result.succeed({ operation, pathId })
}

export const operationPathOf = (path: string): OperationPath | undefined => Result.getOrUndefined(locate(path))

const version4 = "/api/v4/"

/**
 * Returns the form in which the older dialect answers at this path. Clients of version 4 read JSON only, also at a path without a
 * valid operation or number.
 */
export const olderFormOf = (path: string): Dialect =>
  path.startsWith(version4) ? "json" : (operationPathOf(path)?.operation.olderAnswer ?? "pairs")
