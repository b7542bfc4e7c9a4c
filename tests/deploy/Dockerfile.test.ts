/** The Dockerfile as a text: what it copies is there, and the gateway runs with few rights. No test builds an image. */
import { assert, describe, it } from "@effect/vitest"
import { files } from "../../scripts/Workspace.ts"
import * as Kit from "./Kit.ts"

const text = Kit.read("Dockerfile")
const [, last = ""] = text.split(/^FROM (?!.* AS ).*$/m)

describe("deploy/Dockerfile", () => {
  it("copies what the repository has or its build makes", () => {
    const sources = [...text.matchAll(/^COPY --from=build \/source\/(\S+) /gm)].map(([, path = ""]) => path)
    assert.lengthOf(sources, 3)
    const isBuilt = (path: string) => path === "gateway/program/dist"
    for (const path of sources)
      assert.isTrue(isBuilt(path) || files.some((file) => file === path || file.startsWith(`${path}/`)), path)
  })

  it("runs as a user without rights, and publishes only the merchants' port", () => {
    assert.match(last, /^USER pay$/m)
    assert.deepStrictEqual(last.match(/^EXPOSE .*$/gm), ["EXPOSE 8080"])
    assert.match(last, /^STOPSIGNAL SIGTERM$/m)
    assert.notMatch(last, /PAY_OPERATOR_HOST|PAY_(?:MASTER|HASHING)_KEY|TOKEN/)
  })
})
