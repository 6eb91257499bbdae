import { queryHandler } from '@pc/platform/graphql/answer-query.ts'
import { clientAddress } from '@pc/platform/http/client-address.ts'
import { allowedOrigins, answerCrossOrigin } from '@pc/platform/http/cross-origin.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { type Handler, type Listener, openListener } from '@pc/platform/http/listener.ts'
import { securityHeaders } from '@pc/platform/http/security-headers.ts'
import type { GraphQLSchema } from 'graphql'
import type { Parts } from './compose.ts'
import { webHandler } from './web-handler.ts'

/** What one process does; any combination may run as a process of its own. */
export type Service = 'web' | 'api' | 'worker'

/** Opens the listeners of the services; closes those it had opened when one fails. */
export async function startListeners(parts: Parts, services: readonly Service[]): Promise<Listener[]> {
  const { config } = parts
  const opening: Promise<Listener>[] = []
  if (services.includes('web')) {
    opening.push(open(parts, 'web', config.webPort, webHandler(parts), ['/ingest/']))
  }
  if (services.includes('api')) {
    opening.push(open(parts, 'insight API', config.insightApiPort, apiHandler(parts, parts.insightSchema)))
    opening.push(open(parts, 'IAM API', config.iamApiPort, apiHandler(parts, parts.iamSchema)))
  }
  const results = await Promise.allSettled(opening)
  const failed = results.find(result => result.status === 'rejected')
  const opened = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  if (!failed) return opened
  await Promise.all(opened.map(listener => listener.close()))
  throw failed.reason
}

function open(
  parts: Parts,
  name: string,
  port: number,
  handle: Handler,
  slowPaths: readonly string[] = [],
): Promise<Listener> {
  const { config, log, isReady } = parts
  const headers = securityHeaders({ kind: 'json', webOrigin: config.webOrigin })
  return openListener({ name, host: config.host, port, log, handle, headers, isReady, slowPaths })
}

/** An API listener serves `/query` and nothing else. */
function apiHandler(parts: Parts, schema: GraphQLSchema): Handler {
  const { config, log, authenticate } = parts
  const origins = allowedOrigins(config.webOrigin, config.isOidcEmbedded && config.databaseUrl === undefined)
  const query = queryHandler({
    schema,
    log,
    authenticate,
    minimumClientVersion: config.minimumClientVersion,
    sourceAddress: request => clientAddress(request, config.trustedProxies),
  })
  return (request, response, info) => {
    if (answerCrossOrigin(request, response, { origins })) return
    if (info.path !== '/query') throw new HttpError(404, 'Not found. The API answers POST /query.')
    return query(request, response, info)
  }
}
