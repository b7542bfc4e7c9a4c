// Shops that do not start as they should, or do odd things: the first argument names what.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createTls } from "node:https"
import { createServer as createSocket } from "node:net"

const [kind, port] = process.argv.slice(2)
const self = (...args) => [process.argv[1], ...args]
const forever = () => setInterval(() => undefined, 1000)
const answer = (_, response) => response.end("{}")
const serve = (at = port) => createServer(answer).listen(Number(at), "127.0.0.1")

const kinds = {
  silent: forever,
  exits: () => {
    console.log("connecting to the database")
    console.error("no database for 4444 5555-6666 1111")
    process.exitCode = 3
  },
  ends: () => undefined,
  elsewhere: () => {
    createServer(answer).listen(0, "127.0.0.1")
    forever()
  },
  hangs: () => createSocket(() => undefined).listen(Number(port), "127.0.0.1"),
  unready: () =>
    createServer((_, response) => {
      response.writeHead(503)
      response.end()
    }).listen(Number(port), "127.0.0.1"),
  plain: () => serve(),
  tls: () => {
    const pem = readFileSync(new URL("./certificate.pem", import.meta.url))
    createTls({ key: pem, cert: pem }, answer).listen(Number(port), "127.0.0.1")
  },
  stubborn: () => {
    process.on("SIGTERM", () => undefined)
    serve()
  },
  floods: () => {
    serve()
    const line = `${"x".repeat(1023)}\n`.repeat(64)
    const more = () => {
      while (process.stdout.write(line));
      process.stdout.once("drain", more)
    }
    more()
  },
  // The child listens.
  forks: () => spawn(process.execPath, self("plain", port), { stdio: "inherit" }),
  // The child listens in a session of its own, and the parent waits.
  leaves: () => {
    spawn(process.execPath, self("plain", port), { stdio: "ignore", detached: true })
    forever()
  },
  // The same without the variables of its parent, as sudo starts programs.
  unmarked: () => {
    spawn(process.execPath, self("plain", port), { stdio: "ignore", detached: true, env: {} })
    forever()
  },
  // As a service of old: the parent has ended when the child listens.
  daemon: () => {
    spawn(process.execPath, self("plain", port), { stdio: "ignore", detached: true }).unref()
  },
  // The same, without the variables of its parent.
  orphan: () => {
    const script = 'setsid "$@" >/dev/null 2>&1 &'
    const words = [process.execPath, ...self("plain", port)]
    spawn("/bin/sh", ["-c", script, "sh", ...words], { stdio: "ignore", env: { PATH: process.env.PATH } }).unref()
  },
  // It ends by itself after the first order.
  falls: () => {
    createServer((request, response) => {
      response.end("{}")
      if (request.method === "POST") {
        console.error("out of memory")
        process.exit(9)
      }
    }).listen(Number(port), "127.0.0.1")
  }
}

kinds[kind]()
