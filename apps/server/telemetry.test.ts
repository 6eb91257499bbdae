import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '@pc/platform/config.ts'
import { openListener } from '@pc/platform/http/listener.ts'
import { openLog } from '@pc/platform/log.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { until } from '@pc/testing/until.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metricsHandler, openTelemetry } from './telemetry.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db?.drop())

const log = openLog('silent')

test('metrics count requests by names of closed lists, and read the ledger and the jobs', async () => {
  const telemetry = await openTelemetry(readConfig({}), ['api'], db.database)
  const listen = (name: string, handle: Parameters<typeof openListener>[0]['handle']) =>
    openListener({
      name,
      host: '127.0.0.1',
      port: 0,
      log,
      headers: {},
      isReady: () => true,
      observe: telemetry.observe,
      handle,
    })
  const api = await listen('api', (_request, response, info) => {
    info.notes.set('graphql.field', 'agreements')
    response.end('{}')
  })
  const operator = await listen('operator', metricsHandler(telemetry.metrics))
  await db.database.inScope({ kind: 'all' }, tx =>
    tx
      .insertInto('ingestBatches')
      .values({ dataset: 'events', batchId: 'a', contentSha256: 'x', state: 'applied', appliedAt: new Date(5_000) })
      .execute(),
  )
  for (const path of ['/query', '/wp-admin/4711', '/healthz']) await fetch(`http://127.0.0.1:${api.port}${path}`)
  const metrics = `http://127.0.0.1:${operator.port}/metrics`
  // A request is counted after its answer, and a busy database leaves its own gauges out.
  const wanted = [
    'pc_http_request_duration_seconds_count{listener="api",method="GET",area="/other",status="200"} 1',
    'pc_http_request_duration_seconds_count{listener="api",method="GET",area="/query",status="200"} 1',
    'pc_graphql_operation_duration_seconds_count{listener="api",field="agreements",outcome="ok"} 2',
    'pc_ingest_last_applied_timestamp_seconds{dataset="events"} 5',
  ]
  const text = await until(async () => {
    const read = await (await fetch(metrics)).text()
    return wanted.every(line => read.includes(line)) ? read : undefined
  })
  expect(text).not.toContain('4711')
  expect(text).not.toContain('healthz')
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect((await fetch(`http://127.0.0.1:${operator.port}/query`)).status).toBe(404)
  expect((await fetch(metrics, { method: 'POST' })).status).toBe(405)
  await Promise.all([api.close(), operator.close(), telemetry.close()])
})

test('traces join the trace of the caller and reach the collector', async () => {
  const received: string[] = []
  const collector = createServer(async (request, response) => {
    received.push(`${request.url} ${await textOf(request)}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  const telemetry = await openTelemetry(config, ['web', 'api'], db.database)
  telemetry.observe({
    listener: 'insight API',
    method: 'POST',
    area: '/query',
    status: 200,
    startedAtMs: 1_800_000_000_000,
    tookMs: 12,
    requestId: 'r1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    notes: new Map([['graphql.field', 'summaryStats']]),
  })
  await telemetry.close()
  expect(received).toHaveLength(1)
  expect(received[0]).toMatch(/^\/v1\/traces /)
  for (const part of ['POST /query summaryStats', '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331', 'web-api'])
    expect(received[0]).toContain(part)
  await new Promise(resolve => collector.close(resolve))
})

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
