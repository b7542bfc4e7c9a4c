/** The wire over any Effect `HttpClient`. */
import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { isBeforeSending, systemError } from "./SystemError.ts"
import { expiring, Wire, WireError } from "./WirePort.ts"

export const layer: Layer.Layer<Wire, never, HttpClient.HttpClient> = Layer.effect(
  Wire,
  Effect.map(HttpClient.HttpClient, (client) =>
    Wire.of({
      send: (request) =>
        HttpClientRequest.post(request.url).pipe(
          HttpClientRequest.bodyText(request.body, request.headers["content-type"]),
          HttpClientRequest.setHeaders(request.headers),
          client.execute,
          Effect.flatMap((response) =>
            Effect.map(response.text, (body) => ({ status: response.status, headers: response.headers, body }))
          ),
          Effect.mapError(fromClient),
          Effect.provideService(HttpClient.TracerPropagationEnabled, false),
          Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
          (sending) => expiring(request, sending)
        )
    })
  )
)

/**
 * Converts an error of the client. Only a failure to resolve or to connect, or a request that could not be built, proves that
 * nothing was sent.
 */
const fromClient = ({ reason }: HttpClientError.HttpClientError): WireError => {
  if (reason._tag === "InvalidUrlError" || reason._tag === "EncodeError") {
    return new WireError({ reason: "NotSent", code: reason._tag })
  }
  const error = systemError(reason)
  return new WireError({ reason: isBeforeSending(error) ? "NotSent" : "Lost", code: error?.code ?? reason._tag })
}
