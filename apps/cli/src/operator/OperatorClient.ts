/** The typed client of the operator contract: one request, one checked answer, and failures as exit codes. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { OperatorOperation } from "@pay/gateway/OperatorApi"
import * as Loopback from "@pay/schema/Loopback"
import * as AnswerBody from "@pay/transport/AnswerBody"
import { Schema } from "effect"
import type { Given } from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import { variable } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"

export type Json = Readonly<Record<string, unknown>>

/** The failure of an operator's command: a message, an exit code, and the JSON for programs. */
export class OperatorFailure extends Error {
  readonly code: ExitCode
  readonly json: Json

  constructor(code: ExitCode, message: string, json: Json) {
    super(message)
    this.code = code
    this.json = json
  }
}

/** The gateway's address, the operator's token, and hints for the messages about failures. */
export interface Place {
  readonly base: string
  readonly token: string | undefined
  /** The code of the second step of the sign-in. */
  readonly code?: string | undefined
  /** The flag or variable that sets the address, for messages. */
  readonly address: string
  /** The advice if the token or signature is not accepted. */
  readonly unknown: string
}

/** One page of a CSV export. */
export interface Page {
  readonly text: string
  /** The value of `after` for the next page, or `undefined` after the last page. */
  readonly next: string | undefined
}

type Operation = OperatorOperation.OperatorOperation
type Input<O extends Operation> = O["input"]["Encoded"]

export interface OperatorClient {
  readonly call: <O extends Operation>(operation: O, input: Input<O>) => Promise<O["answer"]["Encoded"]>
  readonly csv: <O extends Operation>(operation: O, input: Input<O>) => Promise<Page>
}

const tokenOf = async (given: Given): Promise<string | undefined> => {
  const token = given.flags.has("operator-token-file") ? undefined : variable("PAY_OPERATOR_TOKEN")
  const path = Credentials.setting(given, "operator-token-file")
  if (token !== undefined || path === undefined) return token
  return (await Files.read("operator-token-file", path)).trim()
}

/** Returns the address for operators of the merchant's gateway, if that is on this machine: one port above its own. */
const here = (given: Given): string | undefined => {
  const base = Credentials.setting(given, "base-url")
  const port = Number(base !== undefined && Loopback.isOn(base) ? URL.parse(base)?.port : 0)
  return port > 0 ? `http://127.0.0.1:${port + 1}` : undefined
}

const baseOf = (given: Given): string => {
  const url = Credentials.setting(given, "operator-url") ?? here(given) ?? "http://127.0.0.1:8081"
  if (!URL.canParse(url)) throw new UsageError("--operator-url is an address: http://127.0.0.1:8081")
  return url.replace(/^(.*[^/])?\/*$/s, "$1")
}

export const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

const parsed = (text: string): Json => {
  const value: unknown = JSON.parse(text)
  return isJson(value) ? value : {}
}

/** Returns the failure of a request without an answer. If the request was sent, its effect is unknown and must be looked up. */
const silent = (error: unknown, { address, base }: Place, hasLeft: boolean): OperatorFailure => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = isJson(cause) && typeof cause.code === "string" ? cause.code : undefined
  return hasLeft
    ? new OperatorFailure(
        codes.unknown,
        `No answer came (${code ?? "no reason"}). The command may have had its effect: look at the result, then repeat it if necessary.`,
        {
          outcome: "unknown"
        }
      )
    : new OperatorFailure(
        codes.notSent,
        `The gateway at ${base} could not be reached${code === undefined ? "" : ` (${code})`}. Start it, or set ${address}.`,
        { outcome: "not-sent" }
      )
}

/** Longest answer in bytes: a page has at most 1000 rows. */
const longestAnswer = 64 * 1024 * 1024

/** Diagnostics channel on which Node's `fetch` reports that it begins to write a request. Before that, nothing was sent. */
const leaving = "undici:client:sendHeaders"

/**
 * Sends a request. Returns status, headers and body. `hasLeft` in `fail`: whether the gateway may have received a part of the
 * request.
 */
const ask = async (url: string, init: RequestInit, fail: (error: unknown, hasLeft: boolean) => OperatorFailure) => {
  let hasLeft = false
  const note = () => {
    hasLeft = true
  }
  subscribe(leaving, note)
  try {
    const response = await fetch(url, init)
    return { response, answer: await AnswerBody.read(response.body, longestAnswer) }
  } catch (error) {
    throw fail(error, hasLeft)
  } finally {
    unsubscribe(leaving, note)
  }
}

const refused = (status: number, text: string, { unknown }: Place): OperatorFailure => {
  const error = (() => {
    try {
      return parsed(text)
    } catch {
      return {}
    }
  })()
  const reason = "error" in error && typeof error.error === "string" ? error.error : `HTTP ${status}`
  const hint =
    status === 401
      ? unknown
      : status === 404 && reason === "HTTP 404"
        ? "Only the machine of the gateway may ask, and behind a proxy only with a token."
        : undefined
  const problems = "problems" in error && Array.isArray(error.problems) ? error.problems.map(String) : []
  return new OperatorFailure(
    status >= 500 ? codes.unknown : codes.refused,
    [`The gateway refused: ${reason}`, ...problems, ...(hint === undefined ? [] : [hint])].join("\n"),
    { outcome: status >= 500 ? "unknown" : "refused", status, ...error }
  )
}

export const at = (place: Place): OperatorClient => {
  const { base, code, token } = place
  const send = async (operation: Operation, input: Json) => {
    const { body, path, query } = OperatorOperation.requestOf(operation, input)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(code === undefined ? {} : { "x-pay-operator-code": code }),
      ...(body === undefined ? {} : { "content-type": body.type })
    }
    const init = { method: operation.method, headers, ...(body === undefined ? {} : { body: body.text }) }
    const reply = await ask(`${base}${path}${query === "" ? "" : `?${query}`}`, init, (error, hasLeft) =>
      silent(error, place, hasLeft)
    )
    const { status } = reply.response
    if (!reply.response.ok && !operation.statuses.includes(status)) throw refused(status, reply.answer, place)
    return reply
  }
  return {
    call: async (operation, input) => {
      const { answer } = await send(operation, input)
      const value = parsed(answer)
      if (Schema.is(Schema.toEncoded(operation.answer))(value)) return value
      throw new OperatorFailure(codes.unknown, "The gateway's answer is of another version of this program.", {
        outcome: "unknown",
        answer: value
      })
    },
    csv: async (operation, input) => {
      const { answer, response } = await send(operation, input)
      return { text: answer, next: response.headers.get("x-next") ?? undefined }
    }
  }
}

export const make = async (given: Given): Promise<OperatorClient> =>
  at({
    base: baseOf(given),
    token: await tokenOf(given),
    code: given.flags.get("operator-code"),
    address: "--operator-url or PAY_OPERATOR_URL",
    unknown: "Set PAY_OPERATOR_TOKEN, or give --operator-token-file FILE."
  })

/** Runs a command and returns its exit code. Prints the message of a failure. */
export const withExitCode = async (asJson: boolean, run: () => Promise<ExitCode>): Promise<ExitCode> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof OperatorFailure)) throw error
    Output.printFailure({ text: error.message, json: error.json }, asJson)
    return error.code
  }
}
