import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { previewReport } from '@pc/features/payments/month-close/server/preview-report.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Listener } from '@pc/platform/http/listener.ts'
import type { Log } from '@pc/platform/log.ts'
import type { Dependencies } from './compose.ts'
import { openControlSocket } from './control-socket.ts'
import { claimDataFolder } from './data-folder.ts'
import { checkDemoIsOnLoopback, type FirstRun, prepareFirstRun } from './first-run.ts'
import { openDependencies } from './open-dependencies.ts'
import { type Service, startListeners } from './start-listeners.ts'
import { metricsStream, openTelemetry } from './telemetry.ts'

export interface RunningServer {
  readonly dependencies: Dependencies
  readonly listeners: readonly Listener[]
  readonly firstRun: FirstRun
  /** Accepts nothing new, finishes what runs, closes the stores, stops the embedded ones. Repeatable. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly services: readonly Service[]
  readonly log: Log
  /** Told in words of what takes long at a first start. */
  readonly onProgress?: (message: string) => void
  /** Builds the applications of the browser beside the stores and the demonstration data; the listeners wait for it. */
  readonly buildFrontEnds?: () => Promise<unknown>
}

/**
 * Starts everything and answers when it can be used.
 * @throws AlreadyRunningError, ListenError and the errors of the stores, whose messages are for people
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, services, log, onProgress, buildFrontEnds } = options
  checkDemoIsOnLoopback(config)
  // With both stores elsewhere each service may be a process of its own, and each has its own folder.
  const isShared = config.databaseUrl !== undefined && config.clickhouseUrl !== undefined
  const folder = claimDataFolder(config.dataDir, isShared ? services.join('-') : 'server')
  const closing: (() => Promise<void>)[] = [async () => folder.release()]
  try {
    // The claim comes first: of two starts at once, only one builds.
    const building = buildFrontEnds?.()
    building?.catch(() => {}) // awaited below
    // One process finishes the imports that the last run left: the one that takes deliveries.
    const ownsDeliveries = !isShared || services.includes('web')
    const dependencies = await openDependencies({ config, log, ownsDeliveries, onProgress })
    closing.unshift(() => dependencies.close())
    const working = services.includes('worker') ? startWorking(dependencies) : Promise.resolve()
    working.catch(() => {}) // awaited below
    const firstRun = await prepareFirstRun(dependencies, services, onProgress ?? (() => {}))
    const telemetry = await openTelemetry(dependencies.config, services, dependencies.database)
    closing.unshift(() => telemetry.close())
    await building
    let isAnnounced = false
    const isReady = async () => isAnnounced && dependencies.isReady()
    const listeners = await startListeners({ ...dependencies, isReady }, services, telemetry)
    closing.unshift(async () => {
      await Promise.all(listeners.map(listener => listener.close()))
    })
    const control = await openControlSocket(
      folder.controlSocket,
      {
        '/token': body => dependencies.identity.mintToken(body.email),
        '/first-admin': body => firstAdmin(dependencies, body),
        '/settle-preview': async ({ month }) => ({
          status: 200,
          body: { lines: await previewReport(dependencies, month as YearMonth) },
        }),
      },
      [dependencies.ingest.forOperator, metricsStream(telemetry.metrics)],
      log,
    )
    closing.unshift(() => control.close())
    await working
    folder.announce()
    isAnnounced = true
    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping ??= closeAll(closing, log)
      return stopping
    }
    return { dependencies, listeners, firstRun, stop }
  } catch (error) {
    await closeAll(closing, log)
    throw error
  }
}

async function firstAdmin({ config, database }: Dependencies, body: Readonly<Record<string, unknown>>) {
  const { firstAdminByCommand } = await import('@pc/features/sign-in/server/first-admin-command.ts')
  const { webOrigin, oidcIssuer, isOidcEmbedded } = config
  return firstAdminByCommand({ database, webOrigin, externalIssuer: isOidcEmbedded ? undefined : oidcIssuer }, body)
}

async function startWorking({ database, jobs, jobHandlers }: Dependencies): Promise<void> {
  const { enqueueNewBankMaster } = await import('@pc/features/bank-accounts/server/import-bank-master-job.ts')
  await jobs.work(jobHandlers)
  await enqueueNewBankMaster(database, jobs)
}

/** In this order; one that fails must not keep the next from being closed. */
async function closeAll(closing: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  for (const close of closing) {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'fault while stopping')
    }
  }
}
