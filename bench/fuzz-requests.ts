import http from 'node:http'
import net from 'node:net'
import { parseArgs } from 'node:util'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { type HostileRequest, HostileRequests } from './hostile-requests.ts'

/**
 * Security, figure 14: sends hostile requests to all listeners with real stores. Counts what must not occur: status 500
 * or higher (including 503), INTERNAL_SERVER_ERROR, internal texts, answers after more than three seconds, and missing
 * answers.
 */
const USAGE = 'Usage: npm run fuzz -- [--requests 100000] [--seed 1] [--seconds 3600]'
const SLOW_MS = 3_000
const AT_ONCE = 8
const REQUESTS_PER_TOKEN = 5_000
/** Number of different logged faults that are printed. */
const SHOWN_FAULTS = 20
/** Texts that only internal errors contain; no sent request contains them. */
const INSIDE =
  /node_modules|\.ts:\d+|at async |violates |pg_catalog|duckdb|invalid input syntax|(Type|Range|Reference)Error|ECONNREFUSED|app\.scope|kysely/i

interface Answer {
  readonly status: number
  readonly text: string
  readonly tookMs: number
}

/** Reads the log while it is written and keeps only faults, because the lines of a million requests fill gigabytes. */
class FaultsInLog {
  count = 0
  /** The first fault since {@link forget}. */
  first: string | undefined
  readonly #shown = new Set<string>()

  readonly read = (line: string): void => {
    if (!line.includes('fault')) return
    this.count += 1
    this.first ??= line
    if (this.#shown.size < SHOWN_FAULTS) this.#shown.add(line.slice(0, 500))
  }

  forget(): void {
    this.first = undefined
  }

  get shown(): readonly string[] {
    return [...this.#shown]
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    strict: true,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '3600' },
    },
  })
  const requests = Number(values.requests)
  if (!Number.isInteger(requests) || requests < 1) throw new RangeError(USAGE)
  const faults = new FaultsInLog()
  const system = await startSystemUnderTest({}, { readLog: faults.read })
  const { dependencies, rows, origins } = system
  const people = Object.values(rows.users).filter(user => user !== rows.users.disabled)
  let tokens: string[] = []
  const renew = async () => {
    const minted = await Promise.all(people.map(user => system.tokenOf(user.email).catch(() => undefined)))
    const found = minted.filter(token => token !== undefined)
    // The most powerful role passes the permission checks, so that values reach the code behind them.
    const admin = await system.tokenOf(rows.users.admin.email).catch(() => undefined)
    tokens = admin === undefined ? found : [...found, ...found.map(() => admin)]
  }
  await renew()
  const ids = idsOf(rows)
  const source = new HostileRequests(
    randomFrom(Number(values.seed)),
    { insight: dependencies.insightSchema, iam: dependencies.iamSchema },
    ids,
    () => (tokens.length > 0 ? tokens : ['none']),
  )
  const findings = new Map<string, { count: number; example: string }>()
  const statuses = new Map<number, number>()
  const codes = new Map<string, number>()
  let [sent, answered] = [0, 0]
  let slowestMs = 0
  const endsAt = performance.now() + Number(values.seconds) * 1_000
  const find = (what: string, request: HostileRequest, answer: string) => {
    const key = `${what} · ${request.kind}`
    const example = `${JSON.stringify(request).slice(0, 1_200)}\n      → ${answer.slice(0, 400)}`
    const known = findings.get(key)
    findings.set(key, { count: (known?.count ?? 0) + 1, example: known?.example ?? example })
  }
  const work = async () => {
    while (sent < requests && performance.now() < endsAt) {
      sent += 1
      if (sent % REQUESTS_PER_TOKEN === 0) await renew()
      const request = source.next()
      const answer = await send(request, new URL(origins[request.target])).catch((error: Error) => error)
      if (answer instanceof Error) {
        find(`no answer (${(answer as NodeJS.ErrnoException).code ?? answer.message})`, request, '')
        continue
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      slowestMs = Math.max(slowestMs, answer.tookMs)
      for (const [, code = ''] of answer.text.matchAll(/"code":"([A-Z_]+)"/g))
        codes.set(code, (codes.get(code) ?? 0) + 1)
      if (answer.status >= 500) find(`status ${answer.status}`, request, answer.text)
      if (answer.text.includes('INTERNAL_SERVER_ERROR')) {
        find('INTERNAL_SERVER_ERROR', request, `${answer.text.slice(0, 200)} ${faults.first ?? ''}`)
      }
      if (INSIDE.test(answer.text)) find('text of the inside', request, INSIDE.exec(answer.text)?.[0] ?? '')
      if (answer.tookMs > SLOW_MS) find('slower than 3 s', request, `${answer.tookMs} ms`)
      faults.forget()
      answered += 1
      if (answered % 10_000 === 0) {
        const kinds = [...findings].map(([what, { count }]) => `${count} × ${what}`)
        console.error(`${answered} answers, ${memoryMb()} MB; found so far: ${kinds.join(', ') || 'nothing'}`)
      }
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const isAlive = await dependencies.isReady()
  const audit = await dependencies.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('auditLog')
      .select(({ fn }) => fn.countAll<bigint>().as('rows'))
      .executeTakeFirstOrThrow(),
  )
  await system.close()
  const list = (counts: ReadonlyMap<unknown, number>) =>
    [...counts]
      .toSorted((a, b) => b[1] - a[1])
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ')
  console.log(`seed ${values.seed}: ${sent} requests in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  console.log(`statuses  ${list(statuses)}`)
  console.log(`codes     ${list(codes)}`)
  console.log(
    `slowest   ${Math.round(slowestMs)} ms; ready at the end: ${isAlive}; changes made: ${audit.rows}; faults logged: ${faults.count}; memory: ${memoryMb()} MB`,
  )
  for (const [what, { count, example }] of findings) console.log(`FOUND ${count} × ${what}\n      ${example}`)
  for (const line of faults.shown) console.log(`LOGGED ${line}`)
  process.exit(findings.size > 0 || !isAlive ? 1 : 0)
}

const memoryMb = () => Math.round(process.memoryUsage().rss / 1024 ** 2)

function idsOf(rows: object): string[] {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'bigint') found.add(String(value))
    else if (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)) found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  walk(rows)
  return [...found]
}

function send(request: HostileRequest, origin: URL): Promise<Answer> {
  const startedAt = performance.now()
  const tookMs = () => performance.now() - startedAt
  if (request.raw !== undefined) return sendRaw(request.raw, origin).then(text => ({ ...text, tookMs: tookMs() }))
  return new Promise((resolve, reject) => {
    const { hostname, port } = origin
    const { method = 'GET', path = '/', headers = {}, body } = request
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = http.request({ hostname, port, path, method, headers: { ...headers, ...length } }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), tookMs: tookMs() }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends text that is not HTTP. An answer and a closed connection are both correct. */
function sendRaw(raw: string, origin: URL): Promise<{ status: number; text: string }> {
  return new Promise(resolve => {
    const socket = net.connect(Number(origin.port), origin.hostname)
    let text = ''
    const done = () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text })
    socket.setTimeout(1_000, () => socket.destroy())
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      socket.end()
    })
    socket.on('error', () => {}).on('close', done)
    socket.write(raw)
  })
}

await main()
