import type { IncomingMessage } from 'node:http'
import { agreementDocumentHandler } from '@pc/features/agreements/server/download-agreement-document.ts'
import { IMPORT_PATH, importHandler } from '@pc/features/imports/server/import-endpoint.ts'
import { openImportTable, TEMPLATE_PATH } from '@pc/features/imports/server/import-template.ts'
import { openReportExport } from '@pc/features/reports/exports/server/report-export.ts'
import { exportHandler } from '@pc/platform/export/export-endpoint.ts'
import { queryHandler } from '@pc/platform/graphql/answer-query.ts'
import { Admission } from '@pc/platform/http/admission.ts'
import { clientAddress } from '@pc/platform/http/client-address.ts'
import { allowedOrigins } from '@pc/platform/http/cross-origin.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { type Handler, type Listener, type ListenerOptions, openListener } from '@pc/platform/http/listener.ts'
import { securityHeaders } from '@pc/platform/http/security-headers.ts'
import type { GraphQLSchema } from 'graphql'
import { REPORT_EXPORTERS } from './report-rooms.ts'
import { metricsHandler, type Telemetry } from './telemetry.ts'
import { webHandler } from './web-handler.ts'
import type { Dependencies } from './wire-dependencies.ts'

/** A part of the system; any combination can run in one process. */
export type Service = 'web' | 'api' | 'worker'

/** Opens the listeners of the services. When one fails, the others are closed again. */
export async function startListeners(
  dependencies: Dependencies,
  services: readonly Service[],
  telemetry?: Telemetry,
): Promise<Listener[]> {
  const { config } = dependencies
  const opening: Promise<Listener>[] = []
  const open = (name: string, port: number, handle: Handler, more: Partial<ListenerOptions> = {}) =>
    openOne(dependencies, { name, port, handle, ...(telemetry ? { observe: telemetry.observe } : {}), ...more })
  if (services.includes('web')) {
    opening.push(open('web', config.webPort, webHandler(dependencies), { slowPaths: ['/ingest/'] }))
  }
  if (services.includes('api')) {
    // Both APIs share one admission limit, because they share processors and databases.
    const admission = new Admission()
    const isOnLoopback = config.isOidcEmbedded && config.databaseUrl === undefined
    const crossOrigin = { origins: allowedOrigins(config.webOrigin, isOnLoopback) }
    const insight = insightHandler(dependencies, admission)
    opening.push(
      open('insight API', config.insightApiPort, insight, { slowPaths: ['/exports/', IMPORT_PATH], crossOrigin }),
    )
    const iam = apiHandler(dependencies, dependencies.iamSchema, admission)
    opening.push(open('IAM API', config.iamApiPort, iam, { crossOrigin }))
  }
  // A worker has no other listener: the operator listener also answers its health checks.
  if (telemetry && config.operatorPort !== undefined)
    opening.push(
      open('operator', config.operatorPort, metricsHandler(telemetry.metrics), { host: config.operatorHost }),
    )
  const results = await Promise.allSettled(opening)
  const failed = results.find(result => result.status === 'rejected')
  const opened = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  if (!failed) return opened
  await Promise.all(opened.map(listener => listener.close()))
  throw failed.reason
}

function openOne(
  { config, log, isReady }: Dependencies,
  options: Pick<ListenerOptions, 'name' | 'port' | 'handle'> & Partial<ListenerOptions>,
): Promise<Listener> {
  const headers = securityHeaders({ kind: 'json', webOrigin: config.webOrigin })
  return openListener({ host: config.host, log, headers, isReady, ...options })
}

const REPORT_EXPORT_PATH = '/exports/report'
const AGREEMENT_DOCUMENTS_PATH = '/agreement-documents'

/** The insight API also serves files of any length, without a time limit. */
function insightHandler(dependencies: Dependencies, admission: Admission): Handler {
  const { config, log, authenticate, database, stats, clock } = dependencies
  const sourceAddress = (request: IncomingMessage) => clientAddress(request, config.trustedProxies)
  const exporting = { database, log, authenticate, sourceAddress }
  const imports = { database, clock, kinds: dependencies.importKinds }
  const reports = { database, stats, clock, exporters: REPORT_EXPORTERS }
  const exportReport = exportHandler({
    ...exporting,
    open: (viewer, request, signal) => openReportExport(reports, viewer, request, signal),
  })
  const exportTemplate = exportHandler({
    ...exporting,
    open: (viewer, request) => openImportTable(imports, viewer, request),
  })
  const document = agreementDocumentHandler({ ...dependencies, sourceAddress })
  return apiHandler(
    dependencies,
    dependencies.insightSchema,
    admission,
    new Map([
      [REPORT_EXPORT_PATH, exportReport],
      [TEMPLATE_PATH, exportTemplate],
      [IMPORT_PATH, importHandler({ ...imports, log, authenticate, sourceAddress })],
      [AGREEMENT_DOCUMENTS_PATH, document],
    ]),
  )
}

/** An API listener serves `/query` and the paths in `more`. */
function apiHandler(
  dependencies: Dependencies,
  schema: GraphQLSchema,
  admission: Admission,
  more: ReadonlyMap<string, Handler> = new Map(),
): Handler {
  const { config, log } = dependencies
  const noteLoadShedding = sometimes(LOAD_SHEDDING_NOTE_MS, () =>
    log.warn({ turnedAway: admission.turnedAway }, 'too many requests: some are asked to come back later'),
  )
  const query = queryHandler({
    schema,
    log,
    // API keys are accepted by the insight API only; identities and permissions are for people.
    authenticate: schema === dependencies.insightSchema ? dependencies.authenticateReader : dependencies.authenticate,
    minimumClientVersion: config.minimumClientVersion,
    sourceAddress: request => clientAddress(request, config.trustedProxies),
  })
  return async (request, response, info) => {
    const other = more.get(info.path)
    if (other) return other(request, response, info)
    if (info.path !== '/query') throw new HttpError(404, 'query-address')
    // By token or address and not by person: looking the person up needs the database, which is the scarce resource.
    const caller = request.headers.authorization ?? clientAddress(request, config.trustedProxies)
    const leave = await admission.enter(caller, info.signal).catch((error: unknown) => {
      noteLoadShedding()
      throw error
    })
    response.once('close', leave)
    return query(request, response, info)
  }
}

const LOAD_SHEDDING_NOTE_MS = 10_000

/** Calls `work` at most once per interval: a log line for each refused request would add load. */
function sometimes(everyMs: number, work: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    work()
  }
}
