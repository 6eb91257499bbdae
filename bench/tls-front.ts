import http, { type IncomingHttpHeaders } from 'node:http'
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { pipeline } from 'node:stream'
import type { SelfSigned } from './self-signed.ts'

const HOST = '127.0.0.1'
/** Hop-by-hop headers, which do not exist in HTTP/2. */
const OF_ONE_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection'])

/**
 * Reverse proxy as in production (docs/production.md): ends TLS, speaks HTTP/2 or HTTP/1.1, and forwards requests
 * unchanged. It does not compress.
 */
export async function openTlsFront(
  certificate: SelfSigned,
  port: number,
  behind: number,
): Promise<() => Promise<void>> {
  const agent = new http.Agent({ keepAlive: true })
  const server = http2.createSecureServer({ key: certificate.key, cert: certificate.cert, allowHTTP1: true })
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', session => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.on('request', (request, response) => handOn(request, response, agent, behind))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve())
  })
  return () =>
    new Promise(resolve => {
      server.close(() => resolve())
      for (const session of sessions) session.destroy()
      agent.destroy()
    })
}

function handOn(request: Http2ServerRequest, response: Http2ServerResponse, agent: http.Agent, port: number): void {
  const host = request.authority || request.headers.host || HOST
  const onward = http.request({
    ...{ agent, host: HOST, port, method: request.method, path: request.url },
    headers: { ...ofAnyHop(request.headers), host },
  })
  onward.on('response', answer => {
    response.writeHead(answer.statusCode ?? 502, ofAnyHop(answer.headers))
    pipeline(answer, response, () => {})
  })
  onward.on('error', () => {
    if (!response.headersSent) response.writeHead(502)
    response.end()
  })
  response.once('close', () => onward.destroy())
  pipeline(request, onward, () => {})
}

function ofAnyHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_ONE_HOP.has(name)))
}
