/** Requests in the texts in which developers have them: lines for shells, logs of programs, and bodies that are no form. */
import { type Change, sale } from "./ControlSale.ts"
import { header, hmac } from "./OAuthPayout.ts"
import { type ControlParts, controlRequest, type Row } from "./RawRequest.ts"

const raw = controlRequest("void")
const body = raw.slice(raw.indexOf("\r\n\r\n") + 4)
const address = "https://gateway.example/paynet/api/v2/void/1111"

const pasted = (did: string, request: string, cause = "right"): Row => ({ did, cause, request })

const shells: ReadonlyArray<Row> = [
  pasted("a line for a shell", `curl -X POST '${address}' -H 'Accept: */*' -d '${body}'`),
  pasted(
    "one -d for each field",
    `curl ${address}${body.split("&").map((field) => ` \\\n  -d '${field}'`)}`.replaceAll(",", "")
  ),
  pasted("short flags in one word", `curl -sSd '${body}' ${address}`),
  pasted("short flags in one word with the data", `curl -skXPOST ${address} -sd'${body}'`),
  pasted("a body in JSON by short flags in one word", `curl -sd '{"login":"x"}' ${address}`, "body-json"),
  pasted(
    "a line of Windows",
    `curl.exe ^\r\n  -H "Accept: */*" ^\r\n  --data-raw "${body.replaceAll("&", "^&")}" ^\r\n  "${address}"`
  ),
  pasted(
    "a line of Windows with escaped quotes",
    `curl ^"${address}^" ^\r\n  --data-raw ^"${body.replaceAll("&", "^&")}^"`
  ),
  pasted("a line of PowerShell", `curl.exe \`\n  -d "${body}" \`\n  ${address}`),
  pasted("what curl -v prints", raw.replace(/^(?=.*\r\n)/gm, "> ")),
  pasted("a request of HTTP/2", raw.replace("HTTP/1.1", "HTTP/2"))
]

const form = ({ fields, sign, key, values }: ControlParts): string =>
  new URLSearchParams({ ...fields, control: sign(values, key) }).toString()
const written =
  (change: (form: string) => string): Change =>
  (right) => ({ body: () => change(form(right)) })

const bodies: ReadonlyArray<Row> = [
  sale(
    "a ? before the body",
    "body-joined",
    written((all) => `?${all}`)
  ),
  sale(
    "a byte order mark before the body",
    "body-joined",
    written((all) => `\uFEFF${all}`)
  ),
  sale(
    "quotes around the body",
    "body-joined",
    written((all) => `"${all}"`)
  ),
  sale(
    "semicolons between the fields",
    "body-joined",
    written((all) => all.replaceAll("&", ";"))
  ),
  sale(
    "line ends between the fields",
    "body-joined",
    written((all) => all.replaceAll("&", "\r\n"))
  ),
  sale(
    "& escaped for HTML between the fields",
    "body-joined",
    written((all) => all.replaceAll("&", "&amp;"))
  ),
  sale("the whole body percent-encoded", "body-joined", written(encodeURIComponent)),
  sale(
    "fields in brackets",
    "control-misnamed and parameter-misnamed and parameter-misnamed",
    written((all) => all.replace(/(^|&)(\w+)=/g, "$1data[$2]="))
  )
]

const headers: ReadonlyArray<Row> = [
  hmac(
    "a header in several lines",
    "header-folded",
    header((all) => all.replaceAll(", ", ",\r\n  "))
  )
]

export const pastedTable: ReadonlyArray<Row> = [...shells, ...bodies, ...headers]
