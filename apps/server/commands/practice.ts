import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { newPracticePassword, PRACTICE_ACCOUNTS } from '@pc/features/practice/server/practice-accounts.ts'
import { isMarkedFolder } from '@pc/features/practice/server/work-on-copy.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { type Config, readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { claimDataFolder } from '../data-folder.ts'
import { SPOKEN_ERRORS } from '../spoken-error.ts'
import { buildFrontEnds } from './build-front-ends.ts'
import { Failure } from './call-running-server.ts'
import { printFailure, UsageError } from './print-failure.ts'

const USAGE = `npm run practice [-- options]
Copies this system and starts the copy beside it, with the newest closed month open again: for practising the close.
  --into <folder>                 where the copy is kept; default: DATA_DIR/practice
  --reset                         throw the copy away and begin with a new one
  --copy-only                     make the copy and do not start it
  --host <address> --port <port>  where it listens; default: 127.0.0.1, 4010 (the APIs: the two ports after it)
  --web-origin --insight-api-origin --iam-api-origin <address>
                                  public origins, for practising from other machines`

const OPTIONS = {
  into: { type: 'string' },
  reset: { type: 'boolean', default: false },
  'copy-only': { type: 'boolean', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '4010' },
  'web-origin': { type: 'string' },
  'insight-api-origin': { type: 'string' },
  'iam-api-origin': { type: 'string' },
} as const

/** Names of errors whose message is shown without a stack. Classes of modules that load on demand are named by text. */
const EXPECTED_ERRORS = [...SPOKEN_ERRORS, 'ArchiveError', 'NothingClosedError', 'NotPracticeError']
/**
 * Environment variables that a practice system uses. All others are ignored, so that it cannot contact other systems.
 */
const TAKEN = ['LOG_LEVEL', 'STATS_MEMORY_LIMIT', 'STATS_THREADS', 'TRUSTED_PROXIES']

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS, strict: true })
  const live = readConfig(process.env)
  if (live.databaseUrl !== undefined)
    throw new Failure('DATABASE_URL is set: a practice is made of a system with embedded stores (docs/production.md).')
  const into = path.resolve(values.into ?? path.join(live.dataDir, 'practice'))
  const config = practiceConfig(into, values)
  if (fs.existsSync(into)) await keepOrRemove(into, values.reset)
  if (!fs.existsSync(into)) {
    console.error('練習環境を作成しています… / copying the system …')
    const { makePractice } = await import('../make-practice.ts')
    await makePractice({ source: live.dataDir, into, clock: systemClock })
  }
  if (values['copy-only']) console.log(`${into}\n開始するには / start it with: npm run practice`)
  else await start(config)
}

function practiceConfig(dataDir: string, values: Readonly<Record<string, string | boolean | undefined>>): Config {
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_533) throw new UsageError(`--port ${values.port}`)
  const host = String(values.host)
  // Cookies ignore ports: under another host name the practice system does not sign people out of the real one.
  const name = host === '127.0.0.1' || host === '::1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const origin = (given: string | boolean | undefined, at: number) => String(given ?? `http://${name}:${at}`)
  return readConfig({
    ...Object.fromEntries(TAKEN.map(key => [key, process.env[key]])),
    DATA_DIR: dataDir,
    PUBLISHER_CENTER_DEMO: 'off',
    HOST: host,
    PORT: String(port),
    INSIGHT_API_PORT: String(port + 1),
    IAM_API_PORT: String(port + 2),
    WEB_ORIGIN: origin(values['web-origin'], port),
    INSIGHT_API_ORIGIN: origin(values['insight-api-origin'], port + 1),
    IAM_API_ORIGIN: origin(values['iam-api-origin'], port + 2),
  })
}

/** Deletes the folder on `--reset`. Only a practice copy that does not run is ever deleted. */
async function keepOrRemove(into: string, isReset: boolean): Promise<void> {
  if (!isMarkedFolder(into)) {
    throw new Failure(`${into} exists and is no practice copy: choose another folder with --into.`)
  }
  if (!isReset) return
  claimDataFolder(into, 'server').release()
  const { discardPractice } = await import('../make-practice.ts')
  discardPractice(into)
}

async function start(config: Config): Promise<void> {
  const [{ startServer }, { stopOnSignals }, { newPassword }, { hashPassword }, { practiceSummary }] =
    await Promise.all([
      import('../start-server.ts'),
      import('../stop-signals.ts'),
      import('../first-run.ts'),
      import('@pc/platform/oidc/password-hash.ts'),
      import('../practice-summary.ts'),
    ])
  const log = openLog(config.logLevel)
  let stop = async () => {}
  stopOnSignals(() => stop(), log)
  const server = await startServer({
    config,
    services: ['web', 'api', 'worker'],
    log,
    buildFrontEnds,
  })
  stop = server.stop
  const { practice } = server.dependencies
  if (!practice) throw new Failure(`${config.dataDir} is no practice system.`)
  const password = newPassword()
  await newPracticePassword(server.dependencies.database, await hashPassword(password))
  process.stdout.write(practiceSummary(config, practice, PRACTICE_ACCOUNTS, password))
  if (process.send) process.send('ready')
}

const isExpected = (error: Error) => error instanceof Failure || EXPECTED_ERRORS.includes(error.name)

main().catch((error: Error) => {
  process.exit(printFailure(error, USAGE, isExpected))
})
