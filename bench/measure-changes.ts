import { addDays } from '@pc/domain/month/day.ts'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import type { BenchSize } from './bench-size.ts'
import { prepareStore, STAFF_EMAIL } from './prepare-store.ts'
import { timesOf } from './run-times.ts'

/** Limit: explaining a change at the first level may take this multiple of the report's time. */
const MAX_SHARE = 1.5
const DAYS = [7, 30, 365]
const WARM_RUNS = 5
/** Number of different last days of the reports. */
const ENDS = 40

const SUMMARY = 'impressions clicks ctr watchCount publisherTotalRevenue rpm'
const CONTENT = 'impression click ctr watch publisherTotalRevenue rpm'
const LIST = `total totals { ${CONTENT} compared { from ${CONTENT} } } nodes { title ${CONTENT} compared { from ${CONTENT} } }`
const FACTORS = `query Q($param: ExplainChangeParam!) { explainChange(param: $param) { before now exactDifference
  factors { key label before now exactDifference } } }`

/** Reports of all publishers with a comparison, and the figure that is explained. */
const REPORTS = [
  {
    name: 'dashboard',
    of: 'publisher',
    document: `query Q($param: SummaryStatsParam!) { summaryStats(limit: 1000, offset: 0, param: $param) {
      total totals { ${SUMMARY} compared { from ${SUMMARY} } } nodes { date ${SUMMARY} compared { from ${SUMMARY} } } } }`,
  },
  {
    name: 'ranking',
    of: 'publisher',
    document: `query Q($param: PublisherRankParam!) { publisherRank(limit: 100, offset: 0, orderBy: REVENUE_DESC, param: $param) {
      total totals { ${SUMMARY} compared { from ${SUMMARY} } } nodes { publisherName rank ${SUMMARY} compared { from ${SUMMARY} } } } }`,
  },
  {
    name: 'articles',
    of: 'article',
    document: `query Q($param: ArticleStatsParam!) { articleStats(limit: 100, offset: 0, param: $param) { ${LIST} } }`,
  },
  {
    name: 'videos',
    of: 'video',
    document: `query Q($param: VideoStatsParam!) { videoStats(limit: 100, offset: 0, param: $param) { ${LIST} } }`,
  },
] as const

interface Side {
  readonly p50: number
  /** Processor time per request of the server (with the statistics engine) and PostgreSQL. */
  readonly cpuMs: number
}
interface ChangeLine {
  readonly name: string
  readonly days: number
  readonly report: Side
  readonly factors: Side
}

/** Measures each report and the explanation of its change in turn, so that both run under the same conditions. */
export async function measureChanges(
  dataDir: string,
  size: BenchSize,
  { runs, port, only }: { readonly runs: number; readonly port: number; readonly only: string | undefined },
  progress: (text: string) => void,
): Promise<readonly ChangeLine[]> {
  const folder = await prepareStore(dataDir, size, progress)
  const server = await startBenchServer(folder, port)
  try {
    const lines: ChangeLine[] = []
    for (const report of REPORTS.filter(({ name }) => only === undefined || name === only))
      for (const days of DAYS) {
        progress(`${report.name}, ${days} days …`)
        lines.push(await measureLine(server, size, report, days, runs))
      }
    return lines
  } finally {
    await server.stop()
  }
}

async function measureLine(
  server: BenchServer,
  size: BenchSize,
  { name, of, document }: (typeof REPORTS)[number],
  days: number,
  runs: number,
): Promise<ChangeLine> {
  const token = await server.tokenOf(STAFF_EMAIL)
  const [report, factors] = [
    { document, own: {} },
    { document: FACTORS, own: { of, metric: 'publisherTotalRevenue' } },
  ]
  const measured = new Map([report, factors].map(side => [side, { ms: [] as number[], cpuMs: 0 }]))
  for (let n = -WARM_RUNS; n < runs; n += 1) {
    const to = addDays(size.to, -(((n + WARM_RUNS) * 7) % ENDS))
    const range = { from: addDays(to, 1 - days), to, compareWith: 'previous_period' }
    for (const side of n % 2 === 0 ? [report, factors] : [factors, report]) {
      const [started, before] = [performance.now(), cpuOf(server)]
      await server.ask(token, side.document, { param: { ...range, ...side.own } })
      if (n < 0) continue
      const found = measured.get(side)!
      found.ms.push(performance.now() - started)
      found.cpuMs += cpuOf(server) - before
    }
  }
  const sideOf = (side: typeof report | typeof factors): Side => {
    const { ms, cpuMs } = measured.get(side)!
    return { p50: timesOf(ms).p50, cpuMs: cpuMs / runs }
  }
  return { name, days, report: sideOf(report), factors: sideOf(factors) }
}

function cpuOf(server: BenchServer): number {
  const { mainMs, threadsMs, postgresMs } = server.cpuTimes()
  return mainMs + threadsMs + postgresMs
}

/** Whether every explanation stays within {@link MAX_SHARE}. */
export function holdsChanges(lines: readonly ChangeLine[]): boolean {
  return lines.every(({ report, factors }) => factors.p50 <= MAX_SHARE * report.p50)
}

export function printChanges(lines: readonly ChangeLine[]): string {
  const number = (value: number) => value.toFixed(1).padStart(8)
  const rows = lines.map(({ name, days, report, factors }) =>
    [
      `${name}, ${days} days`.padEnd(22),
      ...[report.p50, factors.p50, factors.p50 / report.p50].map(number),
      ...[report.cpuMs, factors.cpuMs].map(number),
    ].join(' '),
  )
  const heads = ['report', 'factors', 'share', 'cpu', 'cpu'].map(head => head.padStart(8))
  return [`${'ms, median'.padEnd(22)} ${heads.join(' ')}`, ...rows].join('\n')
}
