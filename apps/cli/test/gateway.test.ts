import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { merchant as sandbox } from "@pay/server/Sandbox"
import { flags, pay, secrets, spawned } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("gateway")

const sale = {
  ...Sample.request(PayApi.operations.SALE),
  client_orderid: "G1",
  credit_card_number: secrets.cardNumber,
  cvv2: "123"
}

/** Its log on stderr: nothing but how it ended. */
const onlyStopped = expect.stringMatching(/^[^\n]*The gateway has stopped: nothing is under way"\n$/)

it("pay gateway start runs a gateway that completes a sale, and stops on SIGTERM", async () => {
  let [url, operatorUrl] = ["", ""]
  let stop = () => {}
  const listening = Promise.withResolvers<void>()
  const gateway = spawned(["gateway", "start", "--port", "0", "--data", folder, "--json"], {
    onStart: (kill) => {
      stop = () => kill("SIGTERM")
    },
    onOutput: (out) => {
      if (!out.includes("\n")) return
      ;({ url, operatorUrl } = JSON.parse(out))
      listening.resolve()
    }
  })
  await Promise.race([listening.promise, gateway])
  const env = {
    PAY_BASE_URL: url,
    PAY_OPERATOR_URL: operatorUrl,
    PAY_LOGIN: sandbox.login,
    PAY_CONTROL_KEY: sandbox.controlKey,
    PAY_ENDPOINT_ID: sandbox.endpoints.usd
  }
  const called = await pay(["call", "sale", ...flags(sale)], { env })
  const watched = await pay(["status", "G1", "--watch"], { env })
  const passed = await pay(["clock", "advance", "7d"], { env })
  stop()
  const stopped = await gateway
  expect([called.code, called.err]).toEqual([0, ""])
  expect([watched.code, watched.out]).toEqual([0, expect.stringContaining("approved")])
  expect([passed.code, passed.out]).toEqual([0, expect.stringMatching(/^It is \d{4}-.* in the sandbox\.\n$/)])
  expect([stopped.code, stopped.err]).toEqual([0, onlyStopped])
})

it("pay gateway start prints variables and commands that can be pasted, also where npx runs it", async () => {
  const run = await spawned(["gateway", "start", "--port", "0", "--data", join(folder, "other")], {
    env: { npm_command: "exec" },
    onOutput: (out, kill) => {
      if (out.includes("Ctrl-C")) kill("SIGINT")
    }
  })
  expect([run.code, run.err]).toEqual([0, onlyStopped])
  expect(run.out).toMatch(/export PAY_BASE_URL=http:\/\/127\.0\.0\.1:\d+ PAY_LOGIN=sandbox-merchant/)
  const [, keyFile = ""] = /export PAY_PRIVATE_KEY_FILE=(\S+)/.exec(run.out) ?? []
  expect(readFileSync(keyFile, "utf8")).toBe(sandbox.privateKeyPem)
  expect(run.out).toContain("  npx pay call sale --client_orderid 902B4FF5")
  expect(run.out).toContain("  npx pay status 902B4FF5 --watch")
})

it.each([
  ["an address of another machine", ["--port", "1", "--host", "192.0.2.1"], "Cannot listen on 192.0.2.1:1"],
  ["an invalid port", ["--port", "x"], "The gateway does not start"],
  ["a missing configuration file", ["--config", "/nowhere.json"], "/nowhere.json cannot be read"]
])("pay gateway start refuses %s", async (_, args, says) => {
  const run = await pay(["gateway", "start", "--data", join(folder, "third"), ...args])
  expect([run.code, run.out]).toEqual([2, ""])
  expect(run.err).toContain(says)
})
