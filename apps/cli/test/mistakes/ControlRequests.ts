import { file } from "../TestFiles.ts"
import { amount, type Change, control, head, sale } from "./ControlSale.ts"
import { controlRequest, type Row } from "./RawRequest.ts"

const requests: ReadonlyArray<Row> = [
  sale(
    "an empty control",
    "control-empty",
    control(() => "")
  ),
  sale("no control", "control-missing", () => ({ body: (fields) => new URLSearchParams(fields).toString() })),
  sale("the control under another name", "control-misnamed", () => ({
    body: (fields, made) => new URLSearchParams({ ...fields, signature: made }).toString()
  })),
  sale("the control in the address", "control-misplaced", (right) => ({
    line: right.line.replace(" HTTP", `?control=${right.sign(right.values, right.key)} HTTP`),
    body: (fields) => new URLSearchParams(fields).toString()
  })),
  sale("a body in JSON", "body-json", (right) => ({
    headers: right.headers.map((header) =>
      header.startsWith("Content-Type") ? "Content-Type: application/json" : header
    ),
    body: (fields, made) => JSON.stringify({ ...fields, control: made })
  })),
  sale("a body in JSON with the type of a form", "body-json", () => ({
    body: (fields, made) => JSON.stringify({ ...fields, control: made })
  })),
  sale("a multipart body", "body-multipart", (right) => ({
    headers: right.headers.map((header) =>
      header.startsWith("Content-Type") ? "Content-Type: multipart/form-data; boundary=xx" : header
    ),
    body: (fields, made) =>
      `${Object.entries({ ...fields, control: made })
        .map(([name, value]) => `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join("")}--xx--`
  })),
  sale(
    "an XML body",
    "content-type-other",
    head((right) => ({
      headers: right.headers.map((header) => (header.startsWith("Content-Type") ? "Content-Type: text/xml" : header)),
      body: (_, made) => `<control>${made}</control>`
    }))
  ),
  sale("a broken escape in the body", "body-malformed", () => ({
    body: (fields, made) => new URLSearchParams({ ...fields, control: made }).toString().replace("%2B", "%zz")
  })),
  sale("a GET with the fields in the address", "method-other", (right) => ({
    line: right.line.replace("POST", "GET").replace(" HTTP", `?${new URLSearchParams(right.fields)} HTTP`),
    body: () => ""
  })),
  sale("a POST with the fields in the address", "fields-in-query", (right) => ({
    line: right.line.replace(
      " HTTP",
      `?${new URLSearchParams({ ...right.fields, control: right.sign(right.values, right.key) })} HTTP`
    ),
    body: () => ""
  })),
  sale("the path in capitals", "path-other", (right) => ({
    line: right.line.replace("/api/v2/sale-form", "/API/V2/SALE-FORM")
  })),
  sale("a slash after the endpoint id", "path-other", (right) => ({ line: right.line.replace("/1111", "/1111/") })),
  sale("no endpoint id", "path-other", (right) => ({ line: right.line.replace("/1111", "") })),
  sale("a misspelt operation", "path-other", (right) => ({ line: right.line.replace("sale-form", "saleform") })),
  sale("the amount under a name with a capital", "parameter-misnamed", () => ({
    body: (fields, made) => new URLSearchParams({ ...fields, control: made }).toString().replace("amount=", "Amount=")
  })),
  sale("a signature of OAuth where control is taken", "signing-other", (parts) => ({
    headers: [...parts.headers, 'Authorization: OAuth oauth_consumer_key="merchantlogin", oauth_signature="eA%3D%3D"'],
    body: (fields) => new URLSearchParams(fields).toString()
  })),
  sale("an email given twice", "parameter-twice", () => ({
    body: (fields, made) => `${new URLSearchParams({ ...fields, control: made })}&email=other%40example.com`
  })),
  {
    did: "the login of another merchant",
    cause: "login-other",
    request: controlRequest("void", ({ fields, values: [, ...rest] }) => ({
      fields: { ...fields, login: "somebody" },
      values: ["somebody", ...rest]
    }))
  }
]

/** The fields in the address, with no body. */
const inAddress: Change = (right) => ({
  headers: right.headers.slice(0, 1),
  line: right.line.replace(
    " HTTP",
    `?${new URLSearchParams({ ...right.fields, control: right.sign(right.values, right.key) })} HTTP`
  ),
  body: () => ""
})

/** The file of a profile with another recipe for one operation. */
const profile = file("profile.json", JSON.stringify({ profile: { recipes: { VOID: ["login", "orderid"] } } }))

const right: ReadonlyArray<Row> = [
  {
    did: "a right request by the recipe of the gateway's profile",
    cause: "right",
    request: controlRequest("void", ({ values: [own = "", , id = ""] }) => ({ values: [own, id] })),
    env: { PAY_GATEWAY_PROFILE: profile }
  },
  sale("a right request with its fields in the address, at a gateway of the older dialect", "right", inAddress, {
    env: { PAY_BASE_URL: "https://gateway.example", PAY_GATEWAY_PROFILE: "paynet" }
  }),
  sale("a right request", "right", () => ({})),
  sale(
    "a right request with capital digits",
    "right",
    control((made) => made.toUpperCase())
  ),
  sale("a right request with blanks around a value, which are signed", "right", () => ({
    body: (fields, made) => new URLSearchParams({ ...fields, email: ` ${fields.email} `, control: made }).toString(),
    values: ["1111", "Order 7", "1999", " John+José@example.com "]
  })),
  sale("a right request with blanks around a value, which are not signed", "right", () => ({
    body: (fields, made) => new URLSearchParams({ ...fields, email: ` ${fields.email} `, control: made }).toString()
  })),
  sale("a right request that asks for another answer", "right", (parts) => ({
    headers: [...parts.headers.slice(0, 1), "Accept: */*", ...parts.headers.slice(2)]
  })),
  sale("a right request with a charset", "right", (parts) => ({
    headers: parts.headers.map((header) => header.replace("urlencoded", "urlencoded; charset=UTF-8"))
  })),
  sale("a right request in yen", "right", amount("500"), { fields: { amount: "500", currency: "JPY" } }),
  sale("a right request in dinars", "right", amount("12500"), { fields: { amount: "12.5", currency: "BHD" } }),
  {
    did: "a right request to a group's path",
    cause: "right",
    request: controlRequest("sale-form", (parts) => ({ line: parts.line.replace("/1111", "/group/1111") }))
  },
  {
    did: "a key that nothing tells of",
    cause: "unexplained",
    request: controlRequest("void", () => ({ key: "another key" }))
  },
  {
    did: "a control that is no hash",
    cause: "unexplained",
    request: controlRequest("void", () => ({ sign: () => "nothing" }))
  }
]

export const controlRequests: ReadonlyArray<Row> = [...requests, ...right]
