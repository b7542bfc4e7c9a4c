/** A server that listens before its routes exist: the shop's address is known first, and its records and flows are opened then. */
import * as Http from "node:http"

/**
 * Makes a server of `node:http` whose requests wait until somebody serves them. By itself it would take a request that comes before
 * and never answer it: a customer or the gateway's callback, right after a start, would wait until its time is over.
 */
export const make = (): Http.Server => {
  const server = Http.createServer()
  const early: Array<[Http.IncomingMessage, Http.ServerResponse]> = []
  const keep: Http.RequestListener = (request, response) => early.push([request, response])
  const serveEarly = (event: string) => {
    if (event !== "request") return
    server.off("newListener", serveEarly).off("request", keep)
    // The listener is added after this event.
    queueMicrotask(() => {
      for (const [request, response] of early) server.emit("request", request, response)
    })
  }
  return server.on("request", keep).on("newListener", serveEarly)
}
