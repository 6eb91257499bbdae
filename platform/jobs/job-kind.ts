/** A kind of work that is done later. Its data are JSON: ids, texts, numbers; amounts as text. */
export interface JobKind<Data extends object> {
  /** Name of the queue, for example `mail`. */
  readonly name: string
  readonly retryLimit: number
  /** Seconds before the first retry; every further one waits about twice as long, at most an hour. */
  readonly retryDelaySeconds: number
  /** Longest time of one attempt, after which it counts as failed. */
  readonly timeoutSeconds: number
  /** How many of them one worker runs side by side. */
  readonly concurrency: number
  /** Of the jobs with one `singletonKey` at most one waits or runs; fixed when the queue is first made. */
  readonly onePerKey: boolean
  /** A cron expression in Asia/Tokyo: the job is also enqueued by the clock, with empty data. */
  readonly cron?: string | undefined
  /** Only for the type. */
  readonly data?: Data
}

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
  /** Aborted when the job takes too long or was taken away from this worker. */
  readonly signal: AbortSignal
  /** 0 at the first attempt. */
  readonly retries: number
}

/** Does the work of a kind. It may be run again after a crash or a failure: it must have one effect all the same. */
export interface JobHandler {
  readonly kind: JobKind<object>
  readonly run: (data: object, job: RunningJob) => Promise<void>
}

export function handleJob<Data extends object>(
  kind: JobKind<Data>,
  run: (data: Data, job: RunningJob) => Promise<void>,
): JobHandler {
  return { kind, run: (data, job) => run(data as Data, job) }
}
