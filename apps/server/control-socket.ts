import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { parseJson } from '@pc/platform/http/parse-json.ts'
import { readBody } from '@pc/platform/http/read-body.ts'
import type { Log } from '@pc/platform/log.ts'

const MAX_BODY_BYTES = 64 * 1024

export interface ControlAnswer {
  readonly status: number
  readonly body: unknown
}
/** Handlers of `POST <path>` with a JSON object. Access to the socket's folder is the only protection. */
export type ControlHandlers = Readonly<
  Record<string, (body: Readonly<Record<string, unknown>>) => Promise<ControlAnswer>>
>
/** Answers a request and streams it, for long uploads with progress. Resolves to false when the path is not its own. */
export type ControlStream = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** The Unix socket over which commands on this machine talk to the running server. */
export async function openControlSocket(
  socketPath: string,
  handlers: ControlHandlers,
  streams: readonly ControlStream[],
  log: Log,
): Promise<{ close(): Promise<void> }> {
  // No time limit, because an upload may be large.
  const server = createServer({ requestTimeout: 0 }, async (request, response) => {
    try {
      for (const stream of streams) if (await stream(request, response)) return
      const { pathname } = new URL(request.url ?? '/', 'http://control')
      const handler = request.method === 'POST' && Object.hasOwn(handlers, pathname) ? handlers[pathname] : undefined
      if (!handler) return answer(response, { status: 404, body: { message: `No such command: ${pathname}` } })
      const body = parseJson(await readBody(request, MAX_BODY_BYTES))
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new HttpError(400, 'body-not-object')
      answer(response, await handler(body as Record<string, unknown>))
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      if (error instanceof HttpError)
        return answer(response, { status: error.status, body: { message: error.message } })
      log.error({ err: error }, 'fault in a command')
      answer(response, { status: 500, body: { message: 'Internal error: see the log of the server.' } })
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: socketPath, readableAll: false, writableAll: false }, resolve)
  })
  return {
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      // Time for running requests to finish.
      const force = setTimeout(() => server.closeAllConnections(), 5_000)
      await closed
      clearTimeout(force)
    },
  }
}

function answer(response: ServerResponse, { status, body }: ControlAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
