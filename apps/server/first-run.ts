import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Role } from '@pc/domain/access/role.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Service } from './start-listeners.ts'
import type { Dependencies } from './wire-dependencies.ts'

/** What a person needs who starts the system for the first time. */
export interface FirstRun {
  /** One-time URL for the first administrator; undefined when there are users. */
  readonly firstAdminLink: string | undefined
  readonly demo:
    | { readonly users: readonly { readonly email: string; readonly role: Role }[]; readonly password: string }
    | undefined
}

class DemoNotOnLoopbackError extends Error {
  override name = 'DemoNotOnLoopbackError'
}

/**
 * Demonstration users have a printed password, so the listeners must be on loopback. Called before anything is opened.
 * @throws DemoNotOnLoopbackError
 */
export function checkDemoIsOnLoopback(config: Config): void {
  if (!config.makesDemoData || /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(config.host)) return
  throw new DemoNotOnLoopbackError(
    `HOST=${config.host} is open to other machines, but the demonstration data is for this one alone. ` +
      'Set PUBLISHER_CENTER_DEMO=off for an empty system, or HOST=127.0.0.1.',
  )
}

/**
 * Prepares an unused system: with demonstration data or, without, with a link for the first administrator. Only the
 * process that serves the sign-in screen makes a link, because each link voids the previous one. An interrupted
 * demonstration is completed for the day on which it was begun.
 */
export async function prepareFirstRun(
  dependencies: Dependencies,
  services: readonly Service[],
  onProgress: (message: string) => void,
): Promise<FirstRun> {
  const { config, database } = dependencies
  if (config.makesDemoData) return { firstAdminLink: undefined, demo: await prepareDemo(dependencies, onProgress) }
  if (!services.includes('web')) return { firstAdminLink: undefined, demo: undefined }
  const { makeFirstAdminLink } = await import('@pc/features/sign-in/server/first-admin.ts')
  return { firstAdminLink: await makeFirstAdminLink(database, config.webOrigin), demo: undefined }
}

async function prepareDemo(
  dependencies: Dependencies,
  onProgress: (message: string) => void,
): Promise<FirstRun['demo']> {
  const { database, ingest } = dependencies
  const passwordFile = path.join(dependencies.config.dataDir, 'demo-password')
  const [{ seedDemo }, { DEMO_USERS }, { hashPassword }, { importBatch }, { keepDemoBooks }, demoDelivery, demoHook] =
    await Promise.all([
      import('../../demo/seed-demo.ts'),
      import('../../demo/demo-users.ts'),
      import('@pc/platform/oidc/password-hash.ts'),
      import('@pc/features/ingest/server/import-batch.ts'),
      import('./demo/books.ts'),
      import('./demo/refused-delivery.ts'),
      import('./demo/webhook.ts'),
    ])
  // Written before the users are created, so that an interrupted start is completed with the same password.
  const kept = readPassword(passwordFile)
  const password = kept ?? newPassword()
  if (kept === undefined) fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const isMade = await seedDemo({
    database,
    clock: dependencies.clock,
    password,
    hashPassword,
    keepPicture: dependencies.imageUploads.keep,
    onProgress: (done, total) => onProgress(`デモデータを作成しています… ${done}/${total} か月`),
    async closeMonths(clock, closed, open) {
      onProgress('デモデータの支払を計算しています…')
      await demoDelivery.keepDemoRefusedDelivery({ ...ingest.context, clock })
      await keepDemoBooks({ ...dependencies, clock, webOrigin: dependencies.config.webOrigin }, closed, open)
      await keepDemoScreens(dependencies, clock)
      if (dependencies.keyring) await demoHook.keepDemoWebhook(database, clock, dependencies.keyring)
    },
    async deliver(clock, dataset, batchId, input) {
      const outcome = await importBatch(
        { ...ingest.context, clock },
        {
          dataset,
          input,
          batchId,
          replaces: undefined,
          quarantine: false,
          sourceName: batchId,
        },
      )
      if (outcome.kind === 'refused')
        throw new Error(`demonstration data ${batchId} was refused: ${JSON.stringify(outcome.refusal)}`)
    },
  })
  if (!isMade && kept === undefined) {
    fs.rmSync(passwordFile) // the system is in use and has no demonstration users
    return undefined
  }
  return { users: DEMO_USERS, password }
}

/** Demonstration data of screens other than reports and payments. */
async function keepDemoScreens({ database, stats, config }: Dependencies, clock: Clock): Promise<void> {
  const [{ addDemoStaffActions }, { keepDemoFeedReadings }, { keepDemoLiveHours }, { readDailyRevenue }, { NO_QUEUE }] =
    await Promise.all([
      import('./demo/staff-actions.ts'),
      import('./demo/feed-readings.ts'),
      import('./demo/demo-live-hours.ts'),
      import('@pc/features/reports/core/server/daily-revenue.ts'),
      import('./demo/books.ts'),
    ])
  await addDemoStaffActions(database, clock)
  await keepDemoLiveHours(database, clock)
  await keepDemoFeedReadings({
    database,
    clock,
    jobs: NO_QUEUE,
    webOrigin: config.webOrigin,
    readDailyRevenue: (reader, scope, requested) => readDailyRevenue({ stats, reader }, scope, requested),
  })
}

function readPassword(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() || undefined : undefined
}

/** Readable and easy to type; 16 of 30 characters are 78 bits. */
export function newPassword(): string {
  const characters = 'abcdefghjkmnpqrstuvwxyz2345678'
  const group = () => Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
