import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import type { Transaction } from '../postgres/database.ts'
import type { JobHandler, JobKind } from './job-kind.ts'
import { openQueueConnection, type QueueConnection } from './queue-connection.ts'

export interface EnqueueOptions {
  /** For kinds with `onePerKey`: no job is added while one with this key waits or runs. */
  readonly singletonKey?: string
  readonly startAfter?: Date
}

export interface Jobs {
  /**
   * Adds a job in the transaction; it exists only if the transaction commits. Returns its id, or null when a job with
   * the same `singletonKey` exists.
   */
  enqueue<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    data: Data,
    options?: EnqueueOptions,
  ): Promise<string | null>
  /** Adds many jobs in the transaction, in batches of {@link JOBS_AT_A_TIME}. No `singletonKey`. */
  enqueueAll<Data extends object>(tx: Transaction, kind: JobKind<Data>, all: readonly Data[]): Promise<void>
  /** Begins to work in this process. Call once. */
  work(handlers: readonly JobHandler[]): Promise<void>
  /**
   * Takes no new jobs and waits for running ones. Those that exceed `closeTimeoutMs` are repeated by another worker.
   */
  close(): Promise<void>
}

export interface JobsOptions {
  /** Connection of the running system (not of the owner). */
  readonly url: string
  readonly log: Log
  /** How long `close` waits for running jobs. */
  readonly closeTimeoutMs?: number
}

const TIME_ZONE = 'Asia/Tokyo'
/** A worker that crashed is noticed after this time, and another one repeats its jobs. */
const HEARTBEAT_SECONDS = 20
const WATCH_SECONDS = 10
const POLLING_SECONDS = 1
/** Any worker may enqueue a scheduled job when it is due, at most this much late. */
const SCHEDULE_SECONDS = 5
/** With more waiting jobs than this, workers fetch the next without a pause. */
const BACKLOG = 5
const CLOSE_TIMEOUT_MS = 8_000
const JOBS_AT_A_TIME = 500
const KEPT_AFTER_SECONDS = 3 * 86_400

/**
 * The job queue (pg-boss) in the application's own PostgreSQL. It has two clients: one that only adds jobs, started at
 * the first one, and one that works, in processes of the service `worker`.
 */
export function openJobs({ url, log, closeTimeoutMs = CLOSE_TIMEOUT_MS }: JobsOptions): Jobs {
  const onError = (error: Error) => log.error({ err: error }, 'fault in the job queue')
  const connections: QueueConnection[] = []
  const boss = (max: number, options: ConstructorOptions) => {
    const db = openQueueConnection(url, max, onError)
    connections.push(db)
    // Migrations create the schema of pg-boss.
    const own = { migrate: false, createSchema: false, reindex: false, monitorVacuum: false }
    const client = new PgBoss({ db, ...own, ...options })
    client.on('error', onError)
    return client
  }
  const known = new Map<string, Promise<void>>()
  let sender: Promise<PgBoss> | undefined
  let worker: PgBoss | undefined
  const startSender = () => {
    sender ??= boss(2, { supervise: false, schedule: false }).start()
    sender.catch(() => {
      sender = undefined // the next job starts it again
    })
    return sender
  }
  return {
    async enqueue(tx, kind, data, options = {}) {
      const client = await startSender()
      await ensureQueue(client, kind, known)
      return client.send(kind.name, data, { ...options, db: fromKysely(tx) })
    },
    async enqueueAll(tx, kind, all) {
      if (all.length === 0) return
      const client = await startSender()
      await ensureQueue(client, kind, known)
      for (let from = 0; from < all.length; from += JOBS_AT_A_TIME) {
        const jobs = all.slice(from, from + JOBS_AT_A_TIME).map(data => ({ data }))
        await client.insert(kind.name, jobs, { db: fromKysely(tx) })
      }
    },
    async work(handlers) {
      const started = boss(4, { supervise: true, schedule: true, ...WATCHING })
      worker = started
      await started.start()
      for (const handler of handlers) await workOn(started, handler, known, log)
      await unscheduleOthers(started, handlers)
    },
    async close() {
      await worker?.stop({ graceful: true, timeout: closeTimeoutMs })
      await (await sender?.catch(() => undefined))?.stop({ graceful: false })
      await Promise.all(connections.splice(0).map(connection => connection.close()))
    },
  }
}

const WATCHING = {
  superviseIntervalSeconds: WATCH_SECONDS,
  monitorIntervalSeconds: WATCH_SECONDS,
  cronMonitorIntervalSeconds: SCHEDULE_SECONDS,
  cronWorkerIntervalSeconds: 5,
}

function ensureQueue(client: PgBoss, kind: JobKind<object>, known: Map<string, Promise<void>>): Promise<void> {
  const running = known.get(kind.name) ?? makeQueue(client, kind)
  known.set(kind.name, running)
  running.catch(() => known.delete(kind.name))
  return running
}

async function makeQueue(client: PgBoss, kind: JobKind<object>): Promise<void> {
  const options = {
    retryLimit: kind.retryLimit,
    retryDelay: kind.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: kind.timeoutSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEPT_AFTER_SECONDS,
  }
  if (await client.getQueue(kind.name)) await client.updateQueue(kind.name, options)
  else await client.createQueue(kind.name, { ...options, policy: kind.onePerKey ? 'exclusive' : 'standard' })
}

async function workOn(
  client: PgBoss,
  { kind, run }: JobHandler,
  known: Map<string, Promise<void>>,
  log: Log,
): Promise<void> {
  await ensureQueue(client, kind, known)
  const options = {
    pollingIntervalSeconds: POLLING_SECONDS,
    burstWhenReadyExceeds: BACKLOG,
    batchSize: 1,
    localConcurrency: kind.concurrency,
  }
  await client.work<object>(kind.name, options, async jobs => {
    for (const { id, data, signal, retryCount } of jobs) {
      try {
        await run(data ?? {}, { id, signal, retries: retryCount })
      } catch (error) {
        log.error({ err: error, job: kind.name, jobId: id, retries: retryCount }, 'a job failed')
        throw error instanceof Error ? new Error(error.message) : new Error('the job failed')
      }
    }
  })
  if (kind.cron !== undefined) await client.schedule(kind.name, kind.cron, null, { tz: TIME_ZONE })
}

/** Removes schedules of job kinds that this version no longer has. */
async function unscheduleOthers(client: PgBoss, handlers: readonly JobHandler[]): Promise<void> {
  const wanted = new Set(handlers.filter(handler => handler.kind.cron !== undefined).map(handler => handler.kind.name))
  for (const { name } of await client.getSchedules()) if (!wanted.has(name)) await client.unschedule(name)
}
