import { parseArgs } from 'node:util'
import v8 from 'node:v8'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { checkStart } from '@pc/platform/start-checks.mjs'
import { spokenError } from '../spoken-error.ts'
import type { Service } from '../start-listeners.ts'
import { buildFrontEnds } from './build-front-ends.ts'
import { UsageError } from './print-failure.ts'

/**
 * Garbage collection starts when the heap has grown by half. On large machines Node lets it grow three- to fourfold by
 * default, and short-lived answers of the statistics fill it with garbage (docs/scaling.md, memory).
 */
v8.setFlagsFromString('--heap-growing-percent=50')

const USAGE = 'Usage: npm start [-- --services=web,api,worker]'
const KNOWN_SERVICES: readonly Service[] = ['web', 'api', 'worker']

/** Set as soon as it is known, for the message of a failed start. */
let dataDir: string | undefined

/** `npm start`: builds the front ends if missing or outdated, starts the system, and prints its addresses. */
async function main(): Promise<void> {
  const services = readServices()
  const config = readConfig(process.env)
  dataDir = config.dataDir
  const problem = await checkStart(process.env, services)
  if (problem !== undefined) throw new UsageError(problem)
  const log = openLog(config.logLevel)
  // Loaded after the checks, so that a wrong setting is told at once.
  const [{ startServer }, { startSummary }, { stopOnSignals }] = await Promise.all([
    import('../start-server.ts'),
    import('../start-summary.ts'),
    import('../stop-signals.ts'),
  ])
  let stop = async () => {}
  stopOnSignals(() => stop(), log)
  const server = await startServer({
    config,
    services,
    log,
    onProgress: message => console.error(message),
    ...(services.includes('web') ? { buildFrontEnds } : {}),
  })
  stop = server.stop
  process.stdout.write(startSummary(config, services, server.firstRun, performance.now()))
  if (process.send) process.send('ready')
}

function readServices(): readonly Service[] {
  const { values } = parseArgs({ options: { services: { type: 'string' } }, strict: true })
  if (values.services === undefined) return KNOWN_SERVICES
  const names = values.services.split(',').map(name => name.trim())
  const unknown = names.filter(name => !KNOWN_SERVICES.some(known => known === name))
  if (names.length === 0 || unknown.length > 0) {
    throw new UsageError(`--services=${values.services}: choose from ${KNOWN_SERVICES.join(', ')}.\n${USAGE}`)
  }
  return KNOWN_SERVICES.filter(name => names.includes(name))
}

main().catch((error: unknown) => {
  const isUsage = error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${error.message}\n${USAGE}` : (spokenError(error, dataDir) ?? error))
  process.exit(1)
})
