import { type Change, sale, saleRecipe, signing } from "./ControlSale.ts"
import { controlOperations, controlRequest, login, type Row, sha1, values } from "./RawRequest.ts"

const parts: ReadonlyArray<Row> = [
  sale(
    "email before amount",
    "parts-order",
    signing((id, order, minor, email) => [id, order, email, minor])
  ),
  sale(
    "the order's number first",
    "parts-order",
    signing((id, order, minor, email) => [order, id, minor, email])
  ),
  sale(
    "no email",
    "part-missing",
    signing((id, order, minor) => [id, order, minor])
  ),
  sale(
    "no endpoint id",
    "part-missing",
    signing((_, order, minor, email) => [order, minor, email])
  ),
  sale("nothing but the key", "part-missing", () => ({ values: [] })),
  sale(
    "the currency too",
    "part-extra",
    signing((id, order, minor, email) => [id, order, minor, "USD", email])
  ),
  sale(
    "the login too",
    "part-extra",
    signing((...all) => [login, ...all])
  ),
  sale(
    "the email twice",
    "part-twice",
    signing((...all) => [...all, all[3]])
  ),
  sale(
    "the description in place of the email",
    "part-replaced",
    signing((id, order, minor) => [id, order, minor, "A gift & more"]),
    { or: ["part-extra"] }
  ),
  sale(
    "the login in place of the endpoint",
    "login-or-endpoint",
    signing((_, ...rest) => [login, ...rest])
  ),
  sale(
    "another endpoint of --other-ids",
    "endpoint-or-group",
    signing((_, ...rest) => ["2222", ...rest]),
    { args: ["--other-ids=2222"] }
  ),
  sale(
    "the endpoint of the settings, not of the path",
    "endpoint-or-group",
    signing((_, ...rest) => ["7", ...rest]),
    { env: { PAY_ENDPOINT_ID: "7" } }
  ),
  {
    did: "the path's group/ signed with the number",
    cause: "endpoint-or-group",
    request: controlRequest("sale-form", (right) => ({
      line: "POST /paynet/api/v2/sale-form/group/17 HTTP/1.1",
      values: ["group/17", ...right.values.slice(1)]
    }))
  },
  {
    did: "the endpoint in place of the login",
    cause: "login-or-endpoint",
    request: controlRequest("void", ({ values: [, ...rest] }) => ({ values: ["1111", ...rest] }))
  },
  {
    did: "order numbers exchanged",
    cause: "parts-order",
    request: controlRequest("capture", ({ values: [own = "", order = "", id = "", ...rest] }) => ({
      values: [own, id, order, ...rest]
    }))
  },
  {
    did: "a return without amount and currency in the text",
    cause: "recipe-other",
    or: ["part-missing"],
    request: controlRequest("return", ({ values: all }) => ({ values: all.slice(0, 3) }), {
      amount: "5.00",
      currency: "USD"
    })
  },
  {
    did: "the recipe of a sale for a return",
    cause: "recipe-other",
    request: controlRequest(
      "return",
      ({ endpointId, fields }) => ({ values: values({ ...fields, email: "a@b.cc" }, saleRecipe, endpointId) }),
      {
        amount: "5.00",
        currency: "USD",
        email: "a@b.cc"
      }
    )
  },
  {
    did: "the order's number in place of the card reference",
    cause: "part-replaced",
    or: ["recipe-other"],
    request: controlRequest("get-card-info", () => ({ values: [login, "Order 7"] }), { client_orderid: "Order 7" })
  }
]

/** Each recipe with the same few mistakes. */
/** Values for every slot of every recipe. */
const filled = { amount: "19.99", currency: "USD", orderid: "6768788" }

const everyRecipe: ReadonlyArray<Row> = controlOperations.flatMap((command): ReadonlyArray<Row> => {
  const request = (change?: Change) => controlRequest(command, change, filled)
  return [
    { did: `${command}, right`, cause: "right", request: request() },
    {
      did: `${command}, the key first`,
      cause: "key-first",
      request: request(() => ({ sign: (all, own) => sha1(own + all.join("")) }))
    },
    {
      did: `${command}, the first two values exchanged`,
      cause: "parts-order",
      or: ["recipe-other", "part-replaced"],
      request: request(({ values: [one = "", two = "", ...rest] }) => ({ values: [two, one, ...rest] }))
    },
    {
      did: `${command}, without its last value`,
      cause: "part-missing",
      or: ["recipe-other"],
      request: request(({ values: all }) => ({ values: all.slice(0, -1) }))
    }
  ]
})

export const controlParts: ReadonlyArray<Row> = [...parts, ...everyRecipe]
