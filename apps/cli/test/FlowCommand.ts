/** `pay flow` as the sandbox's merchant runs it. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import type { Name } from "../src/flow/FlowCommands.ts"
import * as FlowKinds from "../src/flow/FlowKinds.ts"
import { type InProcess, pay, type Surroundings, secrets } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const folder = TestFiles.newFolder("flows")
const key = join(folder, "key.pem")
writeFileSync(key, Sandbox.merchant.privateKeyPem)

export const { endpoints } = Sandbox.merchant

/** A card whose issuer asks its holder. */
export const challenged = "4444000011118888"
/** A card whose issuer has a method page, and then asks its holder. */
export const methodFirst = "4444000022224444"
/** A card whose issuer asks its holder in 3-D Secure version 1.0.2. */
export const version1 = "4444024000000006"

export const card = { credit_card_number: secrets.cardNumber, cvv2: "123" }

/** The fields as a form: card data never stands on the command line. */
export const form = (flow: Name, changes: Readonly<Record<string, string>>): string => {
  const sample: Readonly<Record<string, string>> = Sample.request(FlowKinds.find(flow).operation)
  const { login: _, redirect_url: __, ...fields } = sample
  return new URLSearchParams({ ...fields, ...changes }).toString()
}

export const payFlow = (args: ReadonlyArray<string>, surroundings: InProcess = {}, run = pay) =>
  Effect.flatMap(TestGateway.merchant, (merchant) =>
    Effect.promise(() =>
      run(["flow", ...args], {
        ...surroundings,
        env: { ...merchant, PAY_PRIVATE_KEY_FILE: key, PAY_STATE: folder, ...surroundings.env }
      })
    )
  )

/** The file of a flow that can be resumed. */
export const recordOf = (clientOrderId: string): string =>
  join(folder, "flows", `${createHash("sha256").update(clientOrderId).digest("hex")}.json`)

/** Sends the signal once, as soon as standard error contains the text. */
export const stopAt = (report: string | RegExp, signal: NodeJS.Signals = "SIGINT"): Surroundings => {
  const sent = { signals: 0 }
  return {
    onError: (err, kill) => {
      if (sent.signals > 0 || err.search(report) < 0) return
      sent.signals += 1
      kill(signal)
    }
  }
}
