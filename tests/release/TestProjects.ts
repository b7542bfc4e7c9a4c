/** Projects whose test runners run the gateway in their tests. */
import { manifest, type Project, payment } from "./ProjectCode.ts"

/** A test of a shop with the gateway in its process. */
const testing = (from: string) => `
${from}
let gateway
before(async () => {
  gateway = await testGateway()
}, 60_000)
after(() => gateway.close())
test("a subscription is charged after a month", async () => {
  const begun = await gateway.pay.subscribe({ ...${payment}, period: "monthly", interval: 1 })
  equal(begun.ok, true)
  await gateway.advance("1 month")
  equal((await gateway.books()).length, 2)
}, 60_000)
test("a declined card has an error of its class", async () => {
  const { card, ...payment } = ${payment}
  const { error } = await gateway.pay.cardSale({ ...payment, card: { ...card, cvv: "116" } })
  equal(error instanceof DeclinedError, true)
})
`
const names = "{ DeclinedError }"
const imports = `import ${names} from "@pay/client"\nimport { testGateway } from "@pay/client/testing"`
const requires = `const ${names} = require("@pay/client")\nconst { testGateway } = require("@pay/client/testing")`
const expecting =
  "const [before, after] = [beforeAll, afterAll]\nconst equal = (actual, wanted) => expect(actual).toBe(wanted)"
const ofNode = { before: "before, after, test", file: "node:test" }
export const testRunners: ReadonlyArray<Project> = [
  {
    name: "Jest with require",
    files: { "package.json": manifest("commonjs"), "shop.test.js": testing(`${requires}\n${expecting}`) },
    commands: [["jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Jest and Babel with import",
    files: {
      "package.json": manifest("commonjs"),
      "shop.test.js": testing(`${imports}\n${expecting}`),
      "babel.config.js": `module.exports = { plugins: ["@babel/plugin-transform-modules-commonjs"] }`
    },
    commands: [["jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Jest in its environment jsdom",
    files: {
      "package.json": manifest("commonjs"),
      "shop.test.js": `/** @jest-environment jsdom */
        const { Pay, PayError } = require("@pay/client")
        const { receiver } = require("@pay/client/callbacks")
        test("a page's test loads the client", async () => {
          expect(() => receiver({ controlKey: "key" }).verify("?status=approved")).toThrow("Malformed")
          const { error } = await Pay.fromEnv().status("INV-1")
          expect(error).toBeInstanceOf(PayError)
        })`
    },
    commands: [["jest/bin/jest.js"]],
    prints: /Tests: +1 passed, 1 total/
  },
  {
    name: "Jest with ES modules",
    files: { "package.json": manifest("module"), "shop.test.js": testing(`${imports}\n${expecting}`) },
    commands: [["--experimental-vm-modules", "jest/bin/jest.js"]],
    prints: /Tests: +2 passed, 2 total/
  },
  {
    name: "Vitest",
    files: {
      "package.json": manifest("module"),
      "shop.test.js": testing(`${imports}\nimport { afterAll, beforeAll, expect, test } from "vitest"\n${expecting}`)
    },
    commands: [["vitest/vitest.mjs", "run"]],
    prints: /Tests +2 passed/
  },
  {
    name: "node:test with import",
    files: {
      "shop.test.mjs": testing(
        `${imports}\nimport { equal } from "node:assert"\nimport { ${ofNode.before} as run } from "${ofNode.file}"\nconst test = (name, body) => run(name, body)`
      )
    },
    commands: [["--test"]],
    prints: /pass 2/
  },
  {
    name: "node:test with require",
    files: {
      "shop.test.cjs": testing(
        `${requires}\nconst { equal } = require("node:assert")\nconst { before, after, test: run } = require("node:test")\nconst test = (name, body) => run(name, body)`
      )
    },
    commands: [["--test"]],
    prints: /pass 2/
  }
]
