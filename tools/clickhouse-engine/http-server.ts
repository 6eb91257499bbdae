/**
 * The part of ClickHouse's HTTP interface that @clickhouse/client uses, over chDB, so that the store is tested through
 * the same driver as with a server. It runs as a separate process (chDB does not survive process.exit) and prints its
 * address. Supported: `GET /ping`; a statement in `query` or the body, with settings and parameters in the address; an
 * insert in Parquet.
 * Usage: http-server.ts <data folder> [--shards]: with it as the cluster of `emulated-shards.ts`
 */
import fs from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CONFIG, forShards } from './emulated-shards.ts'

interface Session {
  queryAsync(text: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
  close(): void
}
const { Session } = createRequire(import.meta.url)('chdb') as { Session: new (folder: string) => Session }

const folder = path.resolve(process.argv[2] ?? '')
const hasShards = process.argv.includes('--shards')
if (hasShards) {
  fs.mkdirSync(folder, { recursive: true })
  process.chdir(path.dirname(folder))
  fs.writeFileSync('config.xml', CONFIG)
}
const keeper = new Session(folder)
/** Parameters of the HTTP interface that are not statement settings. */
const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'role'])
const HTTP_ONLY = /^(cancel_http_|http_|send_progress|wait_end_of_query|enable_http_compression)/

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

let files = 0
async function run(parameters: URLSearchParams, body: Buffer): Promise<Uint8Array> {
  const settings = [...parameters].filter(
    ([name]) => /^\w+$/.test(name) && !NOT_SETTINGS.has(name) && !HTTP_ONLY.test(name),
  )
  const assignments = settings.map(
    ([name, value]) => `${name}=${/^-?\d+$/.test(value) && !name.startsWith('param_') ? value : quoted(value)}`,
  )
  const inAddress = parameters.get('query')
  let text = inAddress === null ? body.toString('utf8') : `${inAddress}\n${body.toString('utf8')}`
  let file: string | undefined
  const parquet = inAddress === null ? null : /^insert into (\S+) \((.*)\) format Parquet\s*$/i.exec(inAddress)
  if (parquet) {
    files += 1
    file = path.join(folder, `upload-${files}.parquet`)
    fs.writeFileSync(file, body)
    text = `insert into ${parquet[1]} (${parquet[2]}) select ${parquet[2]} from file(${quoted(file)}, Parquet)`
  }
  const session = new Session(folder) // a new session, so that statements do not influence each other
  try {
    const set = assignments.length === 0 ? '' : `SET ${assignments.join(', ')};\n`
    return (await session.queryAsync(set + (hasShards ? forShards(text) : text), { format: 'TabSeparated' })).bytes()
  } finally {
    session.close()
    if (file) fs.rmSync(file)
  }
}

/** chDB runs one statement at a time, so statements are queued. */
let last: Promise<unknown> = Promise.resolve()
const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  const answer = buffer(request).then(body => {
    const result = last.then(() => run(url.searchParams, body))
    last = result.catch(() => undefined)
    return result
  })
  answer.then(
    bytes => response.end(bytes),
    (cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      response.writeHead(500, { 'x-clickhouse-exception-code': /Code: (\d+)/.exec(message)?.[1] ?? '0' }).end(message)
    },
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})

/** Exits when the parent process ends in any way, because its end closes our standard input. */
process.stdin.on('end', stop).on('error', stop).resume()
process.on('SIGTERM', stop)
function stop(): void {
  server.close()
  void last.finally(() => {
    keeper.close()
    process.kill(process.pid, 'SIGKILL')
  })
}
