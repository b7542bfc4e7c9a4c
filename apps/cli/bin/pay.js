#!/usr/bin/env node
// The built program; in a repository that is not built, the source itself. Help alone is a small program.
import { readFileSync } from "node:fs"

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const [oldestMajor, oldestMinor] = engines.node.match(/\d+/g).map(Number)
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `pay needs Node ${oldestMajor}.${oldestMinor} or later, and this is Node ${process.versions.node}: https://nodejs.org`
  )
  process.exit(2)
}
const [, , word, ...others] = process.argv
const isOverview = others.length === 0 && (word === undefined || word === "--help" || word === "-h")
const built = new URL(isOverview ? "../dist/overview.js" : "../dist/main.js", import.meta.url).href
await import(built).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || error.url !== built) throw error
  return import("../src/main.ts")
})
