#!/usr/bin/env node
// Starts one of the built programs: production, sandbox or world.
import { readFileSync } from "node:fs"

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const [oldestMajor, oldestMinor] = engines.node.match(/\d+/g).map(Number)
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `pay-gateway needs Node ${oldestMajor}.${oldestMinor} or later, and this is Node ${process.versions.node}: https://nodejs.org`
  )
  process.exit(2)
}
const programs = ["production", "sandbox", "world"]
const [name] = process.argv.splice(2, 1)
if (!programs.includes(name)) {
  console.error(`pay-gateway starts one of: ${programs.join(", ")}`)
  process.exit(2)
}
await import(`../dist/${name}.js`)
