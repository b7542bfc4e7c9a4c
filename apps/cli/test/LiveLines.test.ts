/** The lines on the screen while a flow is in progress. */
import { describe, expect, it } from "@effect/vitest"
import * as LiveLines from "../src/terminal/LiveLines.ts"

/** Returns the rows of a terminal that understands carriage returns, erased lines and line feeds. */
const watched = (columns: number, tell: (lines: LiveLines.Lines) => void): ReadonlyArray<string> => {
  const rows = [""]
  const write = (text: string) => {
    for (const part of text.split(/(\r|\n)/)) {
      if (part === "\n") rows.push("")
      else if (part === "\r") rows[rows.length - 1] = ""
      else rows[rows.length - 1] += part.replace("\u001b[2K", "")
    }
  }
  tell(LiveLines.live({ write, columns: () => columns }))
  return rows
}

describe("the progress of a flow on a terminal", () => {
  it("shows one line for each step, also if the status is requested again", () =>
    expect(
      watched(80, (lines) => {
        lines.begin("create", 1000)
        lines.tell({ step: "create", outcome: "117" }, 1200)
        lines.begin("status 1 1", 1200)
        lines.tell({ step: "status 1 1", outcome: "processing" }, 1400)
        lines.begin("status 1 2", 1900)
        lines.tick(5000)
        lines.tell({ step: "status 1 2", outcome: "approved" }, 6000)
        lines.end()
      })
    ).toEqual(["   +0 s  create           117", "   +5 s  status           approved", ""]))

  it("counts the seconds while a step is in progress", () => {
    const asking = (ticks: number) =>
      watched(80, (lines) => {
        lines.begin("create", 0)
        for (let tick = 1; tick <= ticks; tick += 1) lines.tick(tick * 1000)
      })
    expect(asking(0)).toEqual(["   +0 s  create           …"])
    expect(asking(61)).toEqual(["  +61 s  create           …"])
  })

  it("prints messages whole on their own lines, and cuts changing lines to the width", () => {
    const url = `https://gateway.example/${"x".repeat(40)}`
    const rows = watched(40, (lines) => {
      lines.tell({ step: "status 1 1", outcome: "processing sale_3d_validating" }, 0)
      lines.begin("Redirect 1 send", 0)
      lines.say(url)
    })
    expect(rows).toEqual(["   +0 s  status           processing…", url, "   +0 s  Redirect send    …"])
  })

  it("escapes control characters in the gateway's text", () => {
    const rows = watched(80, (lines) => lines.tell({ step: "create", outcome: "a\u001b[2Jb\rc" }, 0))
    expect(rows).toEqual(["   +0 s  create           a\\u001b[2Jb\\u000dc"])
  })
})

describe("the progress of a flow without a terminal", () => {
  it("prints each outcome on its own line", () => {
    const messages: Array<string> = []
    const lines = LiveLines.plain((text) => messages.push(text))
    lines.begin("create", 0)
    lines.tell({ step: "create", outcome: "117" }, 0)
    lines.tick(1000)
    lines.say("Open")
    lines.end()
    expect(messages).toEqual(["create: 117", "Open"])
  })
})
