/** The gateway's operator side over HTTP: one question, one JSON answer, and failures as exit codes. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { variable } from "./Environment.ts"
import { codes, type ExitCode } from "./ExitCode.ts"
import * as Files from "./Files.ts"
import type { Flag, Given } from "./Flags.ts"
import * as Output from "./Output.ts"
import { UsageError } from "./UsageError.ts"

/** Flags of every command that talks to it. */
export const flags: Readonly<Record<string, Flag>> = {
  "operator-url": {
    value: "URL",
    about: "Where the gateway listens; http://127.0.0.1:8080 by default (PAY_OPERATOR_URL)."
  },
  "operator-token-file": {
    value: "FILE",
    about: "The file with your operator token; - is standard input (PAY_OPERATOR_TOKEN)."
  },
  json: { about: "Print JSON, for programs." }
}

export type Json = Readonly<Record<string, unknown>>

/** What a command ends with where the gateway did not do it. */
export class OperatorFailure extends Error {
  readonly code: ExitCode
  readonly json: Json

  constructor(code: ExitCode, message: string, json: Json) {
    super(message)
    this.code = code
    this.json = json
  }
}

export interface Question {
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Json
  /** Instead of `body`. */
  readonly form?: Readonly<Record<string, string>>
}

/** Who answers, and what to say where they do not. */
export interface Place {
  readonly base: string
  readonly token: string | undefined
  /** How the address and the right to ask are given. */
  readonly address: string
  readonly unknown: string
}

export interface Reply {
  readonly headers: Headers
  readonly text: string
}

export interface OperatorGateway {
  readonly text: (question: Question) => Promise<Reply>
  readonly json: (question: Question) => Promise<Json>
}

const tokenOf = async (given: Given): Promise<string | undefined> => {
  const path = given.flags.get("operator-token-file")
  return path === undefined ? variable("PAY_OPERATOR_TOKEN") : (await Files.read("operator-token-file", path)).trim()
}

const baseOf = (given: Given): string => {
  const url = given.flags.get("operator-url") ?? variable("PAY_OPERATOR_URL") ?? "http://127.0.0.1:8080"
  if (!URL.canParse(url)) throw new UsageError("--operator-url is an address: http://127.0.0.1:8080")
  return url.replace(/^(.*[^/])?\/*$/s, "$1")
}

export const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

const parsed = (text: string): Json => {
  const value: unknown = JSON.parse(text)
  return isJson(value) ? value : {}
}

const query = (values: Question["query"] = {}): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

/** Nothing answered: for what only reads, ask again; what acts is safe to repeat, or says so. */
const silent = (error: unknown, { address }: Place, hasLeft: boolean): OperatorFailure => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = isJson(cause) && typeof cause.code === "string" ? cause.code : undefined
  return hasLeft
    ? new OperatorFailure(
        codes.unknown,
        `No answer came (${code ?? "no reason"}): look what happened, then ask again.`,
        {
          outcome: "unknown"
        }
      )
    : new OperatorFailure(
        codes.notSent,
        `The gateway could not be reached${code === undefined ? "" : ` (${code})`}: set ${address}.`,
        { outcome: "not-sent" }
      )
}

/** What Node's own `fetch` tells as it begins to write a request; before that, nothing of it has left. */
const leaving = "undici:client:sendHeaders"

/** Status, headers and body; `hasLeft`: whether the gateway can have seen any of the request where that fails. */
const ask = async (url: string, init: RequestInit, fail: (error: unknown, hasLeft: boolean) => OperatorFailure) => {
  let hasLeft = false
  const note = () => {
    hasLeft = true
  }
  subscribe(leaving, note)
  try {
    const response = await fetch(url, init)
    return { response, answer: await response.text() }
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
  return new OperatorFailure(
    status >= 500 ? codes.unknown : codes.refused,
    `The gateway refused: ${reason}${hint === undefined ? "" : `\n${hint}`}`,
    { outcome: status >= 500 ? "unknown" : "refused", status, ...error }
  )
}

/** Of what was asked: the body and how it is written. */
const written = ({ body, form }: Question): { readonly type?: string; readonly body?: string } =>
  form !== undefined
    ? { type: "application/x-www-form-urlencoded", body: new URLSearchParams(form).toString() }
    : body === undefined
      ? {}
      : { type: "application/json", body: JSON.stringify(body) }

export const at = (place: Place): OperatorGateway => {
  const { base, token } = place
  const text = async (question: Question): Promise<Reply> => {
    const { method = "GET", path, query: values } = question
    const { body, type } = written(question)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { "content-type": type })
    }
    const init = { method, headers, ...(body === undefined ? {} : { body }) }
    const { answer, response } = await ask(`${base}${path}${query(values)}`, init, (error, hasLeft) =>
      silent(error, place, hasLeft)
    )
    if (!response.ok) throw refused(response.status, answer, place)
    return { headers: response.headers, text: answer }
  }
  return { text, json: async (question) => parsed((await text(question)).text) }
}

export const make = async (given: Given): Promise<OperatorGateway> =>
  at({
    base: baseOf(given),
    token: await tokenOf(given),
    address: "--operator-url or PAY_OPERATOR_URL",
    unknown: "Set PAY_OPERATOR_TOKEN, or give --operator-token-file FILE."
  })

/** Runs a command to its exit code, telling what went wrong. */
export const ending = async (asJson: boolean, run: () => Promise<ExitCode>): Promise<ExitCode> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof OperatorFailure)) throw error
    Output.printFailure({ text: error.message, json: error.json }, asJson)
    return error.code
  }
}
