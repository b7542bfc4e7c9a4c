import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { files, read, root } from "../../scripts/Workspace.ts"
import { compile, passes, tool } from "../rules/Tool.ts"
import { fences } from "./Fences.ts"

const examples = files.filter((path) => /^examples\/[^/]+\.(ts|mjs)$/.test(path))

// A test that is an example is run by vitest itself, as the project `examples`.
it.concurrent.each(examples.filter((path) => !path.endsWith(".test.ts")))(
  "%s runs to its end, and prints a result",
  async (path) => {
    const { answer, output } = await passes(tool(process.execPath, [path], { cwd: root }))
    expect(answer).not.toBe("")
    expect(output).toBe(answer)
  }
)

it("examples in plain JavaScript import no package of ours except @pay/signing", () => {
  const imported = examples
    .filter((path) => path.endsWith(".mjs"))
    .map((path) =>
      [...read(path).matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name.replace(/^(@pay\/\w+)\/.*/, "$1"))
    )
  expect(imported.map((names) => [...new Set(names)])).toEqual([
    ["@pay/signing", "express"],
    ["@pay/signing", "fastify"],
    ["@pay/signing"]
  ])
})

it("the reader of Markdown finds each piece of TypeScript, with its line", () => {
  const text =
    "# Title\n\n```ts\nconst one = 1\n```\n\n```sh\nnpm test\n```\n\n```ts\n// two.ts\nconst two = 2\n```\n\n```sh\ncat > three.ts <<'END'\nconst three = 3\nEND\n```\n"
  expect(fences(text)).toEqual([
    { line: 3, code: "const one = 1\n" },
    { line: 11, code: "// two.ts\nconst two = 2\n", name: "two.ts" },
    { line: 17, code: "const three = 3\n", name: "three.ts" }
  ])
})

const payment = `{
  clientOrderId: "INV-1", orderDesc: "Two tickets", amount: "10.42", currency: "USD",
  creditCardNumber: Redacted.make("4444000022224444"), cardPrintedName: "ADA LOVELACE", expireMonth: 12, expireYear: 2035,
  cvv2: Redacted.make("123"), address1: "1 Main Street", city: "London", zipCode: "N1", country: "GB",
  email: "ada@example.com", ipAddress: "203.0.113.7", redirectUrl: "https://shop.example/back", state: undefined
}`
const without = (field: string) => payment.replace(new RegExp(`\\b${field}: (\\w+\\.make\\([^)]*\\)|[^,}]+),`), "")
const withField = (field: string) => payment.replace(/\}$/, `, ${field} }`)

/** Calls as a person mistypes them, and what the compiler has to say about each. `undefined`: nothing. */
const calls: ReadonlyArray<readonly [what: string, call: string, says: string | undefined]> = [
  ["accepts a whole payment", `CardSale.execute(${payment})`, undefined],
  [
    "accepts `undefined` for optional fields",
    `CardSale.start({ ...${payment}, phone: undefined, customerBrowserTimeZone: undefined })`,
    undefined
  ],
  ["names a missing field", `CardSale.execute(${without("ipAddress")})`, "Property 'ipAddress' is missing"],
  [
    "names a missing secret",
    `CardSale.execute(${without("creditCardNumber")})`,
    "Property 'creditCardNumber' is missing"
  ],
  [
    "names the field that a mistyped secret should be",
    `CardSale.execute(${withField('cvv: Redacted.make("1")')})`,
    "Did you mean to write 'cvv2'?"
  ],
  [
    "names the flow's field for the wire's",
    `CardSale.execute(${withField('redirect_url: "x"')})`,
    "Did you mean to write 'redirectUrl'?"
  ],
  [
    "names a field with another case",
    `CardSale.execute(${withField("customerBrowserTimezone: 0")})`,
    "Did you mean to write 'customerBrowserTimeZone'?"
  ],
  [
    "refuses an amount that is a number",
    `CardSale.execute({ ...${without("amount")}, amount: 10.42 })`,
    "Type 'number' is not assignable to type 'string'"
  ],
  [
    "refuses a card number in plain text",
    `CardSale.execute({ ...${payment}, creditCardNumber: "4444000022224444" })`,
    "to type 'Redacted<string>'"
  ],
  [
    "refuses `undefined` for a required field",
    `CardSale.execute({ ...${payment}, email: undefined })`,
    "Type 'undefined' is not assignable to type 'string'"
  ],
  [
    "names the missing name of a refund",
    `Refund.execute({ clientOrderId: "INV-1", orderId: "7" })`,
    "Property 'name' is missing"
  ],
  [
    "accepts a refund of all that is left",
    `Refund.execute({ clientOrderId: "INV-1", orderId: "7", name: "slip-7", amount: undefined })`,
    undefined
  ],
  ["names a mistyped identifier", `PayChecked.execute({ clientOrderId: "CLAIM-1", orderID: "7" })`, "'orderId'"],
  [
    "names the change that was meant",
    `ChangeSubscription.execute({ recurringPaymentId: "7", name: "leave", change: "cancelled" })`,
    '"cancel"'
  ]
]
const imports = [
  'import { CardSale } from "@pay/flows/CardPayment"',
  'import { Refund } from "@pay/flows/OrderAction"',
  'import { PayChecked } from "@pay/flows/PayOut"',
  'import { ChangeSubscription } from "@pay/flows/Subscription"',
  'import { Redacted } from "effect"'
]
/** One line for each import and each call. */
const mistyped = [
  ...imports,
  ...calls.map(([, call], index) => `export const call${index} = ${call.replace(/\s+/g, " ")}`)
].join("\n")

/** The file of docs/merchants/sandbox.md that the pages after it use. */
const paymentFile = fences(read("docs/merchants/sandbox.md")).find(({ name }) => name === "payment.ts")?.code ?? ""

describe("the compiler", () => {
  // Beside the examples, so that it finds the same packages.
  const folder = join(root, "examples/node_modules/.fences")
  let lines: ReadonlyArray<string> = []
  const isMistyped = (line: string): boolean => line.includes("mistyped.ts(")
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "mistyped.ts"), mistyped)
    for (const path of files.filter((name) => name.endsWith(".md") && !name.endsWith("CHANGELOG.md"))) {
      const text = path.replaceAll("/", "_")
      for (const { code, line, name = `${line}.ts` } of fences(read(path))) {
        mkdirSync(join(folder, text), { recursive: true })
        writeFileSync(join(folder, text, name), `${code}export {}\n`)
        // The text says to use the file of another page.
        if (code.includes('"./payment.ts"')) writeFileSync(join(folder, text, "payment.ts"), paymentFile)
        if (code.includes('"./PaymentService.ts"'))
          copyFileSync(join(root, "apps/shop/src/PaymentService.ts"), join(folder, text, "PaymentService.ts"))
      }
    }
    const pieces = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
    const compilerOptions = { noUnusedLocals: false }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.check.json", compilerOptions, files: pieces, include: [] })
    )
    lines = (await compile(["-p", folder])).output.split("\n")
    expect(pieces.length).toBeGreaterThan(50)
  })

  it("accepts the TypeScript in the documentation", () =>
    expect(lines.filter((line) => !isMistyped(line) && !line.startsWith(" "))).toEqual([]))

  it.each(calls.map(([what, , says], index) => [what, says, index] as const))("%s", (_, says, index) => {
    const complaints = lines.filter((line) => line.includes(`mistyped.ts(${imports.length + index + 1},`))
    if (says === undefined) expect(complaints).toEqual([])
    else expect(complaints.join("\n")).toContain(says)
  })
})
