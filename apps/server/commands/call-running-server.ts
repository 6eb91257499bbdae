import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'

const TIMEOUT_MS = 10_000

/** An error whose message is shown to the person at the terminal, without a stack. */
export class Failure extends Error {}

async function readControlSocket(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'run', 'server.json')
  try {
    const { controlSocket } = JSON.parse(await readFile(file, 'utf8')) as { controlSocket?: unknown }
    if (typeof controlSocket === 'string') return controlSocket
  } catch {
    // Reported below: without a readable file there is no running system.
  }
  throw new Failure(`Publisher Center is not running with DATA_DIR=${dataDir} (no ${file}). Start it with: npm start`)
}

function post(socketPath: string, command: string, body: unknown): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
    const req = request({ socketPath, path: command, method: 'POST', headers, timeout: TIMEOUT_MS }, res => {
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

/**
 * Calls a command of the running system over the control socket of its data folder.
 * @throws Failure when it does not run or refuses
 */
export async function askRunningServer(
  dataDir: string,
  command: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await post(await readControlSocket(dataDir), command, body).catch((error: Error) => {
    if (error instanceof Failure) throw error
    throw new Failure(`The running system does not answer (${error.message}). Start it again with: npm start`)
  })
  let parsed: Record<string, unknown> = {}
  try {
    parsed = JSON.parse(answer.text)
  } catch {
    // The status is reported below.
  }
  if (answer.status === 200) return parsed
  throw new Failure(typeof parsed.message === 'string' ? parsed.message : `No answer: status ${answer.status}`)
}
