/** A kind of background job. Its data are plain JSON; amounts are strings, because JSON numbers are not exact. */
export interface JobKind<Data extends object> {
  /** Name of the queue, for example `mail`. */
  readonly name: string
  readonly retryLimit: number
  /** Seconds before the first retry; every further one waits about twice as long, at most an hour. */
  readonly retryDelaySeconds: number
  /** Time limit of one attempt; after it the attempt counts as failed. */
  readonly timeoutSeconds: number
  /** How many of these jobs one worker runs in parallel. */
  readonly concurrency: number
  /** True: at most one job for each `singletonKey` waits or runs. Fixed when the queue is first created. */
  readonly onePerKey: boolean
  /** Cron expression in Asia/Tokyo: the scheduler also enqueues the job, with empty data. */
  readonly cron?: string | undefined
  /** Only carries the type; never set. */
  readonly data?: Data
}

/** Declares a kind of job. See {@link JobKind} for the options. */
export function defineJob<Data extends object>(
  name: string,
  options: Partial<Omit<JobKind<Data>, 'name' | 'data'>> = {},
): JobKind<Data> {
  return {
    name,
    retryLimit: 5,
    retryDelaySeconds: 10,
    timeoutSeconds: 300,
    concurrency: 1,
    onePerKey: false,
    ...options,
  }
}

export interface RunningJob {
  readonly id: string
  /** Aborted when the job exceeds its time limit or another worker has taken it over. */
  readonly signal: AbortSignal
  /** 0 at the first attempt. */
  readonly retries: number
}

/** Does the work of a kind. It must be idempotent, because a crash or a failure runs it again. */
export interface JobHandler {
  readonly kind: JobKind<object>
  readonly run: (data: object, job: RunningJob) => Promise<void>
}

/** Connects a kind of job with the function that does its work. */
export function handleJob<Data extends object>(
  kind: JobKind<Data>,
  run: (data: Data, job: RunningJob) => Promise<void>,
): JobHandler {
  return { kind, run: (data, job) => run(data as Data, job) }
}
