import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@pc/platform/config.ts'

/**
 * `npm run -s token -- --email <user>`: an ID token of ten minutes from the running system, for scripts and load tests.
 * Prints nothing but the token; whatever goes wrong is said on stderr.
 */
const USAGE = 'Usage: npm run -s token -- --email <address of a user>'
const TIMEOUT_MS = 10_000

class Failure extends Error {}

async function readControlSocket(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'run', 'server.json')
  try {
    const { controlSocket } = JSON.parse(await readFile(file, 'utf8')) as { controlSocket?: unknown }
    if (typeof controlSocket === 'string') return controlSocket
  } catch {
    // Said below: without a readable file there is no running system to ask.
  }
  throw new Failure(`Publisher Center is not running with DATA_DIR=${dataDir} (no ${file}). Start it with: npm start`)
}

function post(socketPath: string, body: unknown): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
    const req = request({ socketPath, path: '/token', method: 'POST', headers, timeout: TIMEOUT_MS }, res => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }))
    })
    req.on('timeout', () => req.destroy(new Error('timeout')))
    req.on('error', reject)
    req.end(payload)
  })
}

async function fetchToken(socketPath: string, email: string): Promise<string> {
  const answer = await post(socketPath, { email }).catch((error: Error) => {
    throw new Failure(`The running system does not answer (${error.message}). Start it again with: npm start`)
  })
  let parsed: { token?: unknown; message?: unknown } = {}
  try {
    parsed = JSON.parse(answer.text)
  } catch {
    // Said below with the status.
  }
  if (answer.status === 200 && typeof parsed.token === 'string') return parsed.token
  throw new Failure(typeof parsed.message === 'string' ? parsed.message : `No token: status ${answer.status}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' } }, strict: true })
  if (!values.email) throw new Failure(USAGE)
  const { dataDir } = readConfig(process.env)
  process.stdout.write(`${await fetchToken(await readControlSocket(dataDir), values.email)}\n`)
}

main().catch((error: Error & { code?: string }) => {
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS')
  const isExpected = error instanceof Failure || error instanceof ConfigError
  console.error(isUsage ? `${error.message}\n${USAGE}` : isExpected ? error.message : error)
  process.exitCode = 1
})
