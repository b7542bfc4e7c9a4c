/** Every operation of the operator contract has a route, a command, a row in the documents and a test. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as OperatorApi from "@pay/gateway/OperatorApi"
import { OperatorOperation } from "@pay/gateway/OperatorApi"
import * as ClockApi from "@pay/sandbox/ClockApi"
import { Effect } from "effect"
import { commands } from "../../apps/cli/src/Commands.ts"
import { files, read } from "../../scripts/Workspace.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

/** Approvers sign their requests at the merchants' address (`Approvals.test.ts`). */
const operations = Object.values(OperatorApi.operations).map((operation) => [operation.name, operation] as const)
const everywhere = [...OperatorApi.all, ...ClockApi.all].map((operation) => [operation.name, operation] as const)

const pathOf = (operation: OperatorOperation.OperatorOperation): string =>
  OperatorOperation.pathOf(
    operation,
    Object.fromEntries(OperatorOperation.pathNames(operation).map((name) => [name, name === "source" ? "bank" : "1"]))
  )

layer(TestGateway.layer())("the operator interface", (it) => {
  it.effect.each(operations)("serves %s and refuses an unknown parameter", ([, operation]) =>
    Effect.gen(function* () {
      const { carrier, method } = operation
      const target = `${pathOf(operation)}${carrier === "query" ? "?surprise=1" : ""}`
      const { body, status } = yield* Operating.ask(method, target, carrier === "body" ? { surprise: 1 } : undefined)
      assert.notStrictEqual(body.error, "there is nothing here")
      const takesParameters = Object.keys(operation.input.fields).length > OperatorOperation.pathNames(operation).length
      if (carrier === "query" || (carrier === "body" && takesParameters)) {
        assert.strictEqual(status, 400)
        assert.include(String(body.error), "surprise is not a parameter of this operation")
      }
    })
  )
})

/** Sources of tests, where paths are written with whatever stands for their parameters. */
const tests = files.filter(
  (path) => /\.test\.ts$|^tests\/.*\.ts$/.test(path) && !path.endsWith("OperatorContract.test.ts")
)
const sources = tests.map(read).join("\n")
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

describe.each(everywhere)("%s", (_, operation) => {
  const { command, method, path } = operation

  it("has a CLI command whose usage names it", () => {
    const [name = ""] = command.split(" ")
    const entry = Object.entries(commands).find(([each]) => each === name)
    assert.include(entry?.[1].usage, `pay ${command}`)
  })

  it("has a row in the documents", () => {
    if (path.startsWith("/sandbox/")) assert.include(read("docs/merchants/testing-effect.md"), `pay ${command}`)
    else assert.include(read("docs/operators/commands.md"), `| \`pay ${command}\` | \`${method} ${path}\` |`)
  })

  it("has a test that uses its route or command", () => {
    const route = escaped(path).replaceAll(/:\w+/g, "[^\"'`]+")
    const words = command.split(" ").map((word) => `"${word}"`)
    assert.match(sources, new RegExp(`["'\`}]${route}["'\`?]|${words.join(", ")}`))
  })
})

describe("the operator contract", () => {
  it("names each operation like its value", () =>
    assert.deepStrictEqual(
      Object.entries({ ...OperatorApi.operations, ...OperatorApi.approvals }).map(([name]) => name),
      OperatorApi.all.map(({ name }) => name)
    ))
  it("has each method and path once", () => {
    const routes = OperatorApi.all.map(({ method, path }) => `${method} ${path}`)
    assert.deepStrictEqual(
      routes.filter((route, index) => routes.indexOf(route) !== index),
      []
    )
  })
  it("has only operands and path parameters that are fields of the operation", () => {
    for (const operation of OperatorApi.all)
      for (const name of [...operation.operands, ...OperatorOperation.pathNames(operation)])
        assert.property(operation.input.fields, name)
  })
})
