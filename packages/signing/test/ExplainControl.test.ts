import { createHash, createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Control from "../src/Control.ts"
import * as Explain from "../src/explain/Explain.ts"

const key = "B17F59B4-A7DC-41B4-8FF9-37d986b43d20"
const sandboxKey = "00000000-SAND-BOX0-0000-000000000000"

const sale = {
  recipe: Control.recipes.sale,
  values: { endpointId: "1111", client_orderid: "Order 7", amount: "1040", email: "John+José@example.com" },
  key,
  fields: {
    endpointId: "1111",
    login: "merchantlogin",
    client_orderid: "Order 7",
    amount: "10.40",
    currency: "USD",
    email: "John+José@example.com",
    credit_card_number: "4444000022224444"
  },
  otherIds: ["2222", "77"],
  otherKeys: [{ label: "the sandbox key", key: sandboxKey }]
} as const satisfies Omit<Explain.ControlQuestion, "received">

const status = {
  recipe: Control.recipes.status,
  values: { login: "merchantlogin", client_orderid: "902B4FF5" },
  key
} as const satisfies Omit<Explain.ControlQuestion, "received">

type Question = Omit<Explain.ControlQuestion, "received">

const sha1 = (text: string | Buffer) => createHash("sha1").update(text).digest("hex")
const [id, order, minor, email] = ["1111", "Order 7", "1040", "John+José@example.com"]
const right = `${id}${order}${minor}${email}`

const inMinor = (major: string, amount: string) => ({
  values: { ...sale.values, amount },
  fields: { ...sale.fields, amount: major }
})

/** Each mistake made by hand: what a merchant's code would have sent. */
const made: ReadonlyArray<readonly [mistake: string, received: string, question?: Question]> = [
  ["amount-major", sha1(`${id}${order}10.40${email}${key}`)],
  ["amount-major", sha1(`${id}${order}10.4${email}${key}`)],
  ["amount-exponent", sha1(`${id}${order}104000${email}${key}`)],
  ["amount-exponent", sha1(`${id}${order}104${email}${key}`)],
  ["amount-float", sha1(`${id}${order}1039${email}${key}`)],
  ["amount-float", sha1(`${id}${order}1041${email}${key}`)],
  ["amount-float", sha1(`${id}${order}819.9999999999999${email}${key}`), { ...sale, ...inMinor("8.20", "820") }],
  ["amount-float", sha1(`${id}${order}819${email}${key}`), { ...sale, ...inMinor("8.20", "820") }],
  ["amount-float", sha1(`${id}${order}1004.9999999999999${email}${key}`), { ...sale, ...inMinor("1.005", "1005") }],
  ["amount-whole", sha1(`${id}${order}1000${email}${key}`)],
  ["amount-whole", sha1(`${id}${order}800${email}${key}`), { ...sale, ...inMinor("8.20", "820") }],
  [
    "value-refused",
    sha1(`${id}${order}1042${email}${key}`),
    {
      ...sale,
      values: { ...sale.values, amount: "10,42" },
      fields: { ...sale.fields, amount: "10,42" },
      readings: [{ says: "the amount in hundredths", values: { ...sale.values, amount: "1042" } }]
    }
  ],
  ["endpoint-or-group", sha1(`2222${order}${minor}${email}${key}`)],
  ["login-or-endpoint", sha1(`merchantlogin${order}${minor}${email}${key}`)],
  ["values-encoded", sha1(`${id}Order%207${minor}John%2BJos%C3%A9%40example.com${key}`)],
  ["values-encoded", sha1(`${id}Order+7${minor}John%2BJos%C3%A9%40example.com${key}`)],
  [
    "plus-unescaped",
    sha1(`${id}${order}${minor}John+José@example.com${key}`),
    { ...sale, values: { ...sale.values, email: "John José@example.com" } }
  ],
  ["values-untrimmed", sha1(`${id}${order} ${minor}${email}${key}`)],
  ["values-untrimmed", sha1(`${id}${order}${minor}${email}\n${key}`)],
  ["values-case", sha1(`${id}${order}${minor}john+josé@example.com${key}`)],
  ["absent-as-word", sha1(`merchantlogin902B4FF5null${key}`), status],
  ["part-missing", sha1(`${id}${order}${minor}${key}`)],
  ["part-extra", sha1(`${id}${order}${minor}USD${email}${key}`)],
  ["recipe-other", sha1(`${id}${order}${email}${key}`)],
  [
    "recipe-other",
    sha1(`merchantlogin902B4FF56768788${key}`),
    { ...status, recipe: Control.recipes.getCardInfo, values: { ...status.values, orderid: "6768788", cardrefid: "9" } }
  ],
  ["parts-order", sha1(`${order}${id}${minor}${email}${key}`)],
  ["parts-order", sha1(`${id}${order}${email}${minor}${key}`)],
  ["key-other", sha1(right + sandboxKey)],
  ["key-line-end", sha1(`${right}${key}\r\n`)],
  ["key-blank", sha1(`${right} ${key}`)],
  ["key-quoted", sha1(`${right}"${key}"`)],
  ["key-case", sha1(right + key.toUpperCase())],
  ["key-case", sha1(right + key.toLowerCase())],
  ["key-without-hyphens", sha1(right + key.replaceAll("-", ""))],
  ["key-missing", sha1(right)],
  ["key-first", sha1(key + right)],
  ["separator", sha1([id, order, minor, email, key].join("+"))],
  ["separator", sha1([id, order, minor, email].join("|") + key)],
  ["names-signed", sha1(`endpointId=${id}&client_orderid=${order}&amount=${minor}&email=${email}${key}`)],
  ["text-line-end", sha1(`${right}${key}\n`)],
  ["character-set", sha1(Buffer.from(right + key, "latin1"))],
  ["character-set", sha1(Buffer.from(right + key, "utf16le"))],
  [
    "hash-other",
    createHash("md5")
      .update(right + key)
      .digest("hex")
  ],
  [
    "hash-other",
    createHash("sha256")
      .update(right + key)
      .digest("hex")
      .toUpperCase()
  ],
  ["hmac", createHmac("sha1", key).update(right).digest("hex")],
  [
    "hmac",
    createHmac("sha256", key)
      .update(right + key)
      .digest("hex")
  ],
  ["hash-twice", sha1(sha1(right + key))],
  [
    "base64",
    createHash("sha1")
      .update(right + key)
      .digest("base64")
  ],
  ["base64", Buffer.from(sha1(right + key)).toString("base64")],
  [
    "zeros-dropped",
    [
      ...createHash("sha1")
        .update(right + key)
        .digest()
    ]
      .map((byte) => byte.toString(16))
      .join("")
  ]
]

const cases = made.map(([mistake, received, question]) => [mistake, received, question ?? sale] as const)

const ids = (explanation: Explain.Explanation): ReadonlyArray<string> =>
  explanation._tag === "Explained"
    ? explanation.findings.map(({ mistakes }) => mistakes.map(({ id }) => id).join(" and "))
    : [explanation._tag]

describe("Explain.control", () => {
  it.each(cases)("names the mistake %s (%s), and repeats no key and no value", (mistake, received, question) => {
    const explanation = Explain.control({ ...question, received })
    expect(ids(explanation)).toContain(mistake)
    const report = JSON.stringify(explanation).toLowerCase()
    for (const secret of [key, sandboxKey, key.replaceAll("-", ""), "example.com", "4444000022224444", "order 7"]) {
      expect(report).not.toContain(secret.toLowerCase())
    }
  })

  it("accepts the right control in lower and upper case", () => {
    const received = Control.sign(sale.recipe, sale.values, key)
    expect(Explain.control({ ...sale, received })).toEqual({ _tag: "Correct" })
    expect(Explain.control({ ...sale, received: received.toUpperCase() })).toEqual({ _tag: "Correct" })
  })

  it("names the part that is missing", () => {
    const received = sha1(`${id}${order}${minor}${key}`)
    expect(Explain.control({ ...sale, received })).toMatchObject({
      findings: [{ mistakes: [{ id: "part-missing", detail: "email is missing" }] }]
    })
  })

  it.each([
    ["amount-major and key-line-end", sha1(`${id}${order}10.40${email}${key}\n`)],
    ["amount-major and parts-order", sha1(`${id}10.40${order}${email}${key}`)],
    ["parts-order and separator", sha1([order, id, minor, email, key].join("&"))],
    ["endpoint-or-group and key-other", sha1(`77${order}${minor}${email}${sandboxKey}`)],
    ["key-blank and hash-other", createHash("sha256").update(`${right}${key} `).digest("hex")]
  ])("names two mistakes that were made together: %s", (mistakes, received) => {
    expect(ids(Explain.control({ ...sale, received }))).toContain(mistakes)
  })

  it.each(["0123456789abcdef0123456789abcdef01234567", ""])("answers Unexplained to the control '%s'", (received) => {
    expect(Explain.control({ ...sale, received })._tag).toBe("Unexplained")
  })
})
