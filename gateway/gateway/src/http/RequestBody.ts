/** Reads the body of a request within its limits. */
import * as buffer from "node:buffer"
import type * as Http from "node:http"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"

/**
 * Largest number of pieces in which a body arrives: chunks of its transfer coding, or reads of the socket. 256 KiB in the smallest
 * packets that networks make are about 500. Each piece costs as much as a small request.
 */
export const mostPieces = 1024

interface Reader {
  /** Receives the body. `undefined`: its bytes are not UTF-8. */
  readonly onBody: (text: string | undefined) => void
  /** Called at most once, instead of `onBody`. The rest of the request is read and dropped. */
  readonly onRefused: (refused: RequestRefused) => void
}

export const read = (request: Http.IncomingMessage, maxBytes: number, { onBody, onRefused }: Reader): void => {
  let pieces: Array<Buffer> = []
  let size = 0
  const stop = (refused: RequestRefused) => {
    pieces = []
    request.removeAllListeners("data")
    request.removeAllListeners("end")
    request.resume()
    onRefused(refused)
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    onRefused(refuse("bodyTooLarge"))
    return
  }
  request.on("data", (piece: Buffer) => {
    size += piece.length
    if (size > maxBytes) stop(refuse("bodyTooLarge"))
    else if (pieces.push(piece) > mostPieces)
      stop(refuse("bodyTooLarge", { message: `The body arrives in more than ${mostPieces} pieces` }))
  })
  request.on("end", () => {
    const [first] = pieces
    const bytes = pieces.length > 1 ? Buffer.concat(pieces) : first
    // An idle connection holds its last request, and with it this function.
    pieces = []
    onBody(bytes === undefined ? "" : buffer.isUtf8(bytes) ? bytes.toString() : undefined)
  })
}
