/** What the specification leaves open is a choice of the gateway, and a refusal is no order. */
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import type { Check } from "../../tools/conformance/src/Check.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { at, before, type Fault, replaced } from "./FaultyGateway.ts"
import * as TestRun from "./TestRun.ts"

const only = (ids: RegExp) => ({ isWanted: ({ id }: Check) => ids.test(id) })

const gateway = TestGateway.layer({ merchants: Merchants.both() })

layer(gateway, { excludeTestServices: true })("the suite at a gateway with choices of its own", (it) => {
  it.effect("calls an order made only if status shows one", () =>
    Effect.gen(function* () {
      const made = at("status", (answer) => ({
        ...answer,
        status: 200,
        body: '{"type":"status-response","status":"approved"}'
      }))
      const broken = at("status", () => replaced({ status: 502, body: "<html>" }))
      const at1001 = (yield* NodeServer).publicBaseUrl
      const says = (fault: Fault) =>
        Effect.map(
          Effect.flatMap(before(at1001, fault), (baseUrl) => TestRun.at(baseUrl, only(/^limit\/currency$/))),
          ({ results }) => results.map(({ outcome }) => (outcome._tag === "Failed" ? outcome.message : outcome._tag))
        )
      assert.match((yield* says(made)).join(), /^a refused sale made an order: HTTP 200/)
      assert.match(
        (yield* says(broken)).join(),
        /^status after a refused sale, expected a refusal .*: HTTP 502, a page/
      )
    })
  )

  it.effect("reports a status that the specification leaves open once, as the gateway's choice", () =>
    Effect.gen(function* () {
      const open: ReadonlyArray<readonly [code: string, status: number]> = [
        ["54", 404],
        ["40", 401],
        ["20", 406],
        ["21", 415]
      ]
      const fault: Fault = ({ answer }) => {
        const code = /"error-code":"(\d+)"/.exec(answer.body)?.[1]
        return { ...answer, status: open.find(([each]) => each === code)?.[1] ?? answer.status }
      }
      const settings = { ...TestRun.settings, capabilities: ["assumptions"] }
      const baseUrl = yield* before((yield* NodeServer).publicBaseUrl, fault)
      const checks =
        /^(missing\/(sale|preauth)|limit\/currency|control\/sale\/wrong|request\/sale\/(accept|content-type))$/
      const run = yield* TestRun.at(baseUrl, { ...only(checks), settings })
      assert.deepStrictEqual(TestRun.problems(run), [])
      assert.deepStrictEqual(run.choices.map(({ about, count }) => `${about} (${count})`).toSorted(), [
        "a body that is not a form is answered with HTTP 415 (2)",
        "a request about an order or a card that does not exist is answered with HTTP 404 (3)",
        "a request whose signature is wrong is answered with HTTP 401 (3)",
        "a request without the required Accept is answered with HTTP 406 (4)"
      ])
    })
  )

  it.effect("fails a status that the specification does not leave open", () =>
    Effect.gen(function* () {
      const fault: Fault = ({ answer }) => ({ ...answer, status: answer.status === 400 ? 404 : answer.status })
      const settings = { ...TestRun.settings, capabilities: [] }
      const baseUrl = yield* before((yield* NodeServer).publicBaseUrl, fault)
      const { results } = yield* TestRun.at(baseUrl, { ...only(/^missing\/sale$/), settings })
      assert.match(results.map(({ outcome }) => JSON.stringify(outcome)).join(), /expected a refusal.*HTTP 404/)
    })
  )

  it.effect("knows an operation by its own 404", () =>
    Effect.gen(function* () {
      const other = at("sale", (answer) => ({ ...answer, status: 404 }))
      const none = at("sale", () => replaced({ status: 404, body: "<html>no such page /api/v2/sale</html>" }))
      const outcomes = (fault: Fault) =>
        Effect.map(
          Effect.flatMap(
            Effect.flatMap(NodeServer, ({ publicBaseUrl }) => before(publicBaseUrl, fault)),
            (baseUrl) => TestRun.at(baseUrl, only(/^acceptance\/sale$/))
          ),
          ({ results }) => results.map(({ outcome }) => outcome._tag)
        )
      assert.deepStrictEqual(yield* outcomes(other), ["Failed"])
      assert.deepStrictEqual(yield* outcomes(none), ["Lacking"])
    })
  )
})
