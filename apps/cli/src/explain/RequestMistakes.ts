/** Mistakes with a pasted request apart from its signature: its method, its address, the form of its body, and where its signature is. */
import * as Canonical from "@pay/schema/Canonical"
import * as EndpointId from "@pay/schema/EndpointId"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as Suggestion from "@pay/server/Suggestion"
import type { NamedMistake } from "@pay/signing/Explain"
import * as Form from "@pay/signing/Form"
import { all, type OperationFacts } from "../command/Contract.ts"
import type { PastedRequest } from "./PastedRequest.ts"
import * as RequestText from "./RequestText.ts"

type Described = Omit<NamedMistake, "detail">

const mistakes = {
  method: {
    id: "method-other",
    description: "The request has another HTTP method than POST.",
    remedy: "Send a POST: every operation takes only that."
  },
  path: {
    id: "path-other",
    description: "The gateway has no operation at this path.",
    remedy: "Write the path exactly so, in small letters and without a slash at its end."
  },
  json: {
    id: "body-json",
    description: "The body is JSON, and the gateway takes a form.",
    remedy: "Send name=value&name=value with Content-Type: application/x-www-form-urlencoded."
  },
  multipart: {
    id: "body-multipart",
    description: "The body is multipart, and the gateway takes a form.",
    remedy: "Send name=value&name=value with Content-Type: application/x-www-form-urlencoded."
  },
  type: {
    id: "content-type-other",
    description: "The request has another Content-Type than a form in UTF-8.",
    remedy: "Send name=value&name=value in UTF-8 with Content-Type: application/x-www-form-urlencoded."
  },
  joined: {
    id: "body-joined",
    description: "The body is not one line of fields that & separates.",
    remedy: "Send name=value&name=value, and nothing before it."
  },
  folded: {
    id: "header-folded",
    description: "The Authorization header stands in several lines, which HTTP does not have any more.",
    remedy: "Send it in one line. If only this text has several lines, join them and ask again."
  },
  malformed: {
    id: "body-malformed",
    description: "The body is not a valid form.",
    remedy: "Percent-encode the UTF-8 bytes of every name and value."
  },
  query: {
    id: "fields-in-query",
    description: "The fields stand in the address, and the body is empty.",
    remedy: "Send the fields in the body: addresses are written into logs."
  },
  noControl: {
    id: "control-missing",
    description: "The request has no control.",
    remedy:
      "Send the signature as the field control of the body. Give the control as --received TEXT if it is not in the request."
  },
  emptyControl: {
    id: "control-empty",
    description: "The control of the request is empty: it was not computed, or the value was lost on its way.",
    remedy: "Check that the code that signs reaches the code that sends: the field must have 40 hex digits."
  },
  misnamed: {
    id: "control-misnamed",
    description: "The control stands under another name.",
    remedy: "Send the signature as the field control, in small letters."
  },
  misplaced: {
    id: "control-misplaced",
    description: "The control stands in the address or in a header.",
    remedy: "Send the signature as the field control of the body."
  },
  noHeader: {
    id: "header-missing",
    description: "The request has no Authorization header.",
    remedy:
      "Send the oauth_ parameters and the signature in the header Authorization: OAuth … Give the Authorization header as --received TEXT if it is not in the request."
  },
  inBody: {
    id: "header-in-body",
    description: "The oauth_ parameters and the signature stand in the body or in the address only.",
    remedy: "Send them in the header Authorization: OAuth …; the body may repeat them, except oauth_signature."
  },
  scheme: {
    id: "signing-other",
    description: "The request is signed in the way of other operations.",
    remedy: "Look up how this operation is signed: pay help call OPERATION says it."
  },
  twice: {
    id: "parameter-twice",
    description: "A parameter is given twice with different values.",
    remedy: "Send every parameter once."
  },
  login: {
    id: "login-other",
    description:
      "The control is right for this key, but the request names another login than the settings (PAY_LOGIN).",
    remedy: "Send the login that belongs to this key."
  },
  spelling: {
    id: "parameter-misnamed",
    description: "An amount or a currency stands under a name that the operation does not have.",
    remedy: "Send it in the body under exactly its name."
  }
} satisfies Readonly<Record<string, Described>>

const named = (described: Described, detail: string): NamedMistake => ({ ...described, detail })

/** The operation and endpoint that an address names. */
export interface Located {
  readonly operation: OperationFacts
  readonly endpointId: string
}

const single = (path: string): string => path.replaceAll(/\/{2,}/g, "/")

/** Splits a path at `/api/` and before its last part. */
const split = (path: string) => {
  const begin = Math.max(0, path.search(/\/api\//i))
  const end = path.lastIndexOf("/")
  return { operation: path.slice(begin, end).replace(/\/group$/, ""), id: path.slice(end + 1) }
}

/** Returns what a path names, or the operation that it most likely means, or `undefined` if it resembles none. */
export const locate = (url: string): Located | { readonly meant: OperationFacts } | undefined => {
  const path = single(new URL(url, "https://host.invalid").pathname)
  const { id, operation: written } = split(path)
  const operation = all.find((each) => each.path === written)
  const endpointId = EndpointId.parse(id)
  if (operation !== undefined && endpointId !== undefined) return { operation, endpointId }
  const lower = path.toLowerCase().replace(/\/$/, "")
  const texts = [split(lower).operation, lower.slice(Math.max(0, lower.indexOf("/api/")))]
  const paths = all.map((each) => each.path)
  const near = texts.find((text) => paths.includes(text)) ?? Suggestion.closest(texts[0] ?? "", paths)
  const meant = lower.includes("/api/") ? all.find((each) => each.path === near) : undefined
  return meant === undefined ? undefined : { meant }
}

const isJson = (body: string): boolean => {
  if (!/^\s*[[{]/.test(body)) return false
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

const formType = /^application\/x-www-form-urlencoded\s*(;.*)?$/i
const otherCharset = /charset\s*=\s*"?(?!utf-?8"?\s*$)/i

/** What a body shows in which something stands before the fields, or something else than & between them. */
const joints: ReadonlyArray<readonly [detail: string, shape: RegExp]> = [
  ["a byte order mark stands before it", /^\uFEFF/],
  ["a ? stands before it", /^\?/],
  ["it is in quotes", /^["']/],
  ["its & are escaped for HTML", /&amp;\w/]
]

/** What a body without any & shows. Every request has several fields, so that something else stands between them. */
const jointsOfOne: ReadonlyArray<readonly [detail: string, shape: RegExp]> = [
  ["it has semicolons between its fields", /;\w/],
  ["it has line ends between its fields", /[\r\n]\w/],
  ["it is percent-encoded as a whole", /%3D/i]
]

const jointOf = (body: string): string | undefined => {
  const all = body.includes("&") ? joints : [...joints, ...jointsOfOne]
  return all.find(([, shape]) => shape.test(body))?.[0]
}

/** Returns the mistake with the form of the body. */
const ofBody = ({ body, headers }: PastedRequest): ReadonlyArray<NamedMistake> => {
  const type = headers.get("content-type")?.trim()
  if (/[/+]json\b/i.test(type ?? "") || isJson(body)) return [named(mistakes.json, type ?? "no Content-Type")]
  if (/^multipart\//i.test(type ?? "") || /^--\S+\r?\ncontent-disposition:/i.test(body))
    return [named(mistakes.multipart, "multipart/form-data")]
  if (type !== undefined && type !== "" && (!formType.test(type) || otherCharset.test(type)))
    return [named(mistakes.type, type.slice(0, 60))]
  const joint = jointOf(body)
  if (joint !== undefined) return [named(mistakes.joined, joint)]
  const form = Form.parse(body)
  return form.ok ? [] : [named(mistakes.malformed, `${form.reason}, at character ${form.at + 1}`)]
}

type Parameters = ReadonlyArray<Form.Parameter>

const formOf = (text: string): Parameters => {
  const form = Form.parse(text)
  return form.ok ? form.parameters : []
}

const queryOf = (url: string): Parameters => formOf(RequestText.queryOf(url))

const otherName = /^(control|signature|sign|hash|checksum|hmac|digest|sha1|controlkey|securehash)$/

const isControlLike = ([name, value]: Form.Parameter, { spellings }: OperationFacts): boolean =>
  !spellings.has(name) &&
  (otherName.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")) || /^[0-9a-f]{40}$/i.test(value))

const carriesOAuth = (text: string): boolean => /oauth_signature=/.test(text)

/** Returns the mistake with the place of a `control`. */
const ofControl = (
  request: PastedRequest,
  body: Parameters,
  operation: OperationFacts
): ReadonlyArray<NamedMistake> => {
  const controls = body.filter(([name]) => name === "control").map(([, value]) => value.trim())
  if (new Set(controls).size > 1) return [named(mistakes.twice, "control")]
  if (controls.length > 0) return controls[0] === "" ? [named(mistakes.emptyControl, "control=")] : []
  const header = ["control", "x-control", "signature", "x-signature"].find((name) => request.headers.has(name))
  if (header !== undefined) return [named(mistakes.misplaced, `the header ${header}`)]
  if (queryOf(request.url).some(([name]) => name === "control")) return [named(mistakes.misplaced, "the address")]
  const other = body.find((parameter) => isControlLike(parameter, operation))?.[0]
  if (other !== undefined) return [named(mistakes.misnamed, `it is ${other.slice(0, 40)}`)]
  if (carriesOAuth(request.headers.get("authorization") ?? ""))
    return [named(mistakes.scheme, "by OAuth, and this operation takes control")]
  return [named(mistakes.noControl, "no field of this name")]
}

/** Returns the mistake with the place of an OAuth signature. */
const ofHeader = (request: PastedRequest, body: Parameters): ReadonlyArray<NamedMistake> => {
  const authorization = request.headers.get("authorization")
  if (authorization?.includes("\n") === true) return [named(mistakes.folded, "it goes on in the next line")]
  if (authorization !== undefined) return []
  const isIn = (parameters: Parameters) => parameters.some(([name]) => name === "oauth_signature")
  if (isIn(body)) return [named(mistakes.inBody, "in the body")]
  if (isIn(queryOf(request.url))) return [named(mistakes.inBody, "in the address")]
  if (body.some(([name]) => name === "control"))
    return [named(mistakes.scheme, "by control, and this operation takes OAuth")]
  const [other] = [...request.headers].find(([, value]) => carriesOAuth(value)) ?? []
  return [named(mistakes.noHeader, other === undefined ? "there is none" : `it is ${other.slice(0, 40)}`)]
}

/** Returns the mistakes of the fields that the gateway refuses before it looks at a signature. */
const ofFields = (request: PastedRequest, body: Parameters, operation: OperationFacts): ReadonlyArray<NamedMistake> =>
  Canonical.fields(operation, body, queryOf(request.url)).problems.map(({ code, field, message }) =>
    named(code === ErrorCode.codes.parameterConflict.code ? mistakes.twice : mistakes.spelling, `${field}: ${message}`)
  )

/** Returns the mistakes of a request to an operation. `hasReceived`: its signature is given apart from it. */
export const of = (
  request: PastedRequest,
  operation: OperationFacts,
  hasReceived: boolean
): ReadonlyArray<NamedMistake> => {
  const method =
    request.method === "POST" ? [] : [named(mistakes.method, `--request is a ${request.method}: operations take POST`)]
  const inBody = ofBody(request)
  if (method.length + inBody.length > 0) return [...method, ...inBody]
  const body = formOf(request.body)
  if (body.length === 0 && queryOf(request.url).some(([name]) => operation.spellings.has(name)))
    return [named(mistakes.query, "the query of the address")]
  const signature = operation.signing._tag === "Control" ? ofControl(request, body, operation) : ofHeader(request, body)
  return [...(hasReceived ? [] : signature), ...ofFields(request, body, operation)]
}

/** Returns the mistake with a path that resembles that of an operation. */
export const ofPath = ({ path }: OperationFacts): NamedMistake => named(mistakes.path, `the path is …${path}/ENDPOINT`)

export const loginOther: NamedMistake = named(mistakes.login, "another login")

/** All of them, for the documentation. */
export const catalogue: ReadonlyArray<Described> = Object.values(mistakes)
