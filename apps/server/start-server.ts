import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { previewReport } from '@pc/features/payments/month-close/server/preview-report.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Listener } from '@pc/platform/http/listener.ts'
import type { Log } from '@pc/platform/log.ts'
import { openControlSocket } from './control-socket.ts'
import { claimDataFolder } from './data-folder.ts'
import { checkDemoIsOnLoopback, type FirstRun, prepareFirstRun } from './first-run.ts'
import { openDependencies } from './open-dependencies.ts'
import { operatorRoutes } from './operator-commands.ts'
import { type Service, startListeners } from './start-listeners.ts'
import { metricsStream, openTelemetry } from './telemetry.ts'
import type { Dependencies } from './wire-dependencies.ts'

export interface RunningServer {
  readonly dependencies: Dependencies
  readonly listeners: readonly Listener[]
  readonly firstRun: FirstRun
  /** Accepts no new requests, finishes running ones, and closes the stores. Idempotent. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly config: Config
  readonly services: readonly Service[]
  readonly log: Log
  /** Receives progress in words during a slow first start. */
  readonly onProgress?: (message: string) => void
  /** Builds the front ends in parallel with opening the stores; the listeners wait for it. */
  readonly buildFrontEnds?: () => Promise<unknown>
}

/**
 * Starts the system and resolves when it can be used.
 * @throws AlreadyRunningError, ListenError and the errors of the stores, whose messages are meant for people
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, services, log, onProgress, buildFrontEnds } = options
  checkDemoIsOnLoopback(config)
  // With external stores each service may be its own process, with its own entry in the data folder.
  const isShared = config.databaseUrl !== undefined && config.clickhouseUrl !== undefined
  const folder = claimDataFolder(config.dataDir, isShared ? services.join('-') : 'server')
  const closing: (() => Promise<void>)[] = [async () => folder.release()]
  try {
    // After the claim: of two simultaneous starts only one builds.
    const building = buildFrontEnds?.()
    building?.catch(() => {}) // awaited below
    // Only the process that accepts deliveries finishes interrupted imports.
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
        ...operatorRoutes(dependencies),
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

async function startWorking({ database, jobs, jobHandlers }: Dependencies): Promise<void> {
  const { enqueueNewBankMaster } = await import('@pc/features/bank-accounts/server/import-bank-master-job.ts')
  await jobs.work(jobHandlers)
  await enqueueNewBankMaster(database, jobs)
}

/** Closes in this order. A failure does not prevent the next one from closing. */
async function closeAll(closing: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  for (const close of closing) {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'fault while stopping')
    }
  }
}
