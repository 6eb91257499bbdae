import type { LoadFigures } from './measure-load.ts'

/** The measured figures and whether they meet the targets. */
export function printLoad(figures: LoadFigures): string {
  const { all, reports, lists, statuses, rssMb } = figures
  const ms = (value: number) => `${Math.round(value)} ms`
  const verdicts = figures.isOverload ? overloadVerdicts(figures) : loadVerdicts(figures)
  return [
    `${figures.users} people, ${figures.seconds} s, ${Math.round(figures.offeredDays * 100)} % of the reports for days that screens offer: ${figures.requestsPerSecond.toFixed(0)} requests/s; ${Object.entries(
      statuses,
    )
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
    `answered: p50 ${ms(all.p50)}, p95 ${ms(all.p95)}, p99 ${ms(all.p99)}, longest ${ms(all.max)}`,
    `reports:  p50 ${ms(reports.p50)}, p95 ${ms(reports.p95)}; lists: p50 ${ms(lists.p50)}, p95 ${ms(lists.p95)}`,
    `memory of the process tree: ${Math.round(rssMb.before)} MB, at most ${Math.round(rssMb.highest)} MB; normal again after ${ms(figures.normalAfterMs)}`,
    `processor time of a request: ${partsText(figures.cpuMsPerRequest)}`,
    ...verdicts.map(({ text, holds }) => `${holds ? '✓' : '✗'} ${text}`),
    ...figures.problems.slice(0, 10),
  ].join('\n')
}

function partsText({ mainMs, threadsMs, postgresMs, generatorMs }: LoadFigures['cpuMsPerRequest']): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return `answering thread ${ms(mainMs)}, its other threads ${ms(threadsMs)}, PostgreSQL ${ms(postgresMs)}, this generator ${ms(generatorMs)}`
}

interface Verdict {
  readonly text: string
  readonly holds: boolean
}

function loadVerdicts({ all, reports, statuses, rssMb, errorsInAnswers }: LoadFigures): Verdict[] {
  const failed = Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0)
  return [
    { text: 'p95 at most 500 ms', holds: all.p95 <= 500 },
    { text: 'p99 at most 1,500 ms', holds: all.p99 <= 1_500 },
    { text: 'reports p95 at most 1,000 ms', holds: reports.p95 <= 1_000 },
    { text: 'every request answered 200', holds: failed === 0 },
    { text: 'no error in an answer', holds: errorsInAnswers === 0 },
    { text: 'memory under twice as much', holds: rssMb.highest < 2 * rssMb.before },
  ]
}

function overloadVerdicts({ statuses, withoutRetryAfter, normalAfterMs, errorsInAnswers }: LoadFigures): Verdict[] {
  return [
    {
      text: 'only 200, 429 and 503',
      holds: Object.keys(statuses).every(status => ['200', '429', '503'].includes(status)),
    },
    { text: 'every 429 and 503 with Retry-After', holds: withoutRetryAfter === 0 },
    { text: 'no error in an answer', holds: errorsInAnswers === 0 },
    { text: 'normal again within a second', holds: normalAfterMs <= 1_000 },
  ]
}

/** Whether all targets are met. */
export function holdsLoad(figures: LoadFigures): boolean {
  return (figures.isOverload ? overloadVerdicts(figures) : loadVerdicts(figures)).every(({ holds }) => holds)
}
