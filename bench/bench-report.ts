import os from 'node:os'
import { type BenchResult, type BenchRow, readResult } from './bench-result.ts'
import type { MemoryCounts } from './bench-server.ts'
import { printClose, printStep } from './measure-close.ts'
import { printIngest } from './measure-ingest.ts'
import { printLists } from './measure-lists.ts'
import { printScreens } from './measure-screens.ts'
import { printTable } from './print-table.ts'
import type { Times } from './run-times.ts'

export function machine(): string {
  return `${os.cpus().length} × ${os.cpus()[0]?.model ?? '?'}, ${Math.round(os.totalmem() / 1024 ** 3)} GB, Node ${process.version}`
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : value < 10 ? value.toFixed(1) : value.toFixed(0))
const pair = (times: Times | undefined) => (times ? `${ms(times.p50)} / ${ms(times.p95)}` : '–')

export function printResult(result: BenchResult): string {
  const lines = [
    [
      'query',
      'range',
      'for',
      'engine p50 / p95',
      'API p50 / p95',
      'overhead',
      `${result.crowd.readers} readers p50 / p95`,
    ],
    ...result.rows.map(row => [
      row.query,
      row.range,
      row.reader,
      pair(row.engine),
      pair(row.alone),
      ms(row.alone.p50 - row.engine.p50),
      pair(row.crowd),
    ]),
  ]
  return [
    `size ${result.size}, ${result.machine}; milliseconds`,
    printTable(lines, 3),
    '',
    ...(result.lists ?? []).map(({ name, times }) => `list: ${name.padEnd(24)} p50 / p95 ${pair(times)}`),
    `${result.crowd.readers} readers, mixed: ${result.crowd.queriesPerSecond.toFixed(0)} queries/s, p50 ${ms(result.crowd.times.p50)}, p95 ${ms(result.crowd.times.p95)}, longest ${ms(result.crowd.times.max)}, turned away ${result.crowd.turnedAway ?? 0}`,
    `warm start to ready: ${ms(result.startMs.warm)}; server's processor time per query: ${result.cpuMsPerQuery.toFixed(2)}`,
    `memory of the process tree, MB: ${ms(result.rssMb.idle)} idle, ${ms(result.rssMb.afterAlone)} after the queries, ${ms(result.rssMb.afterCrowd)} after the crowd${printCounts(result.memoryAfterCrowd)}`,
    ...result.ingest.map(printIngest),
    ...(result.close ? [printClose(result.close), ...result.close.steps.map(step => `  ${printStep(step)}`)] : []),
    ...(result.search ? ['', printLists(result.search)] : []),
    ...(result.screens ? ['', printScreens(result.screens)] : []),
  ].join('\n')
}

/** RSS counts shared pages in every process; the figures above count them once. */
function printCounts(counts: MemoryCounts | undefined): string {
  return counts ? ` (sum of all processes' RSS ${ms(counts.rssSum)}, of their PSS ${ms(counts.pss)})` : ''
}

/** Compares the same queries of two runs, with the ratio of the second to the first. */
export function compareResults(before: string, after: string): string {
  const [a, b] = [readResult(before), readResult(after)]
  const key = (row: BenchRow) => `${row.query} ${row.range} ${row.reader}`
  const known = new Map(a.rows.map(row => [key(row), row]))
  const ratio = (x: number, y: number) => `×${(y / x).toFixed(2)}`
  const lines = [
    ['query', 'range', 'for', 'engine', 'API p50', 'API p95'],
    ...b.rows.flatMap(row => {
      const old = known.get(key(row))
      if (!old) return []
      return [
        [
          row.query,
          row.range,
          row.reader,
          ratio(old.engine.p50, row.engine.p50),
          `${ms(old.alone.p50)} → ${ms(row.alone.p50)} ${ratio(old.alone.p50, row.alone.p50)}`,
          `${ms(old.alone.p95)} → ${ms(row.alone.p95)} ${ratio(old.alone.p95, row.alone.p95)}`,
        ],
      ]
    }),
  ]
  return [
    `${before} (size ${a.size}) → ${after} (size ${b.size}); milliseconds`,
    printTable(lines, 3),
    '',
    ...compareFigures(a, b),
    `queries/s: ${a.crowd.queriesPerSecond.toFixed(0)} → ${b.crowd.queriesPerSecond.toFixed(0)} ${ratio(a.crowd.queriesPerSecond, b.crowd.queriesPerSecond)}`,
    ...(a.close && b.close
      ? [
          `close of a month: ${a.close.closeSeconds.toFixed(2)} → ${b.close.closeSeconds.toFixed(2)} s ${ratio(a.close.closeSeconds, b.close.closeSeconds)}`,
        ]
      : []),
  ].join('\n')
}

/** Compares all other figures: name, both values, and the ratio. */
function compareFigures(a: BenchResult, b: BenchResult): string[] {
  const figures = (result: BenchResult): [string, number][] => [
    ['warm start, ms', result.startMs.warm],
    ['memory idle, MB', result.rssMb.idle],
    ['memory after the crowd, MB', result.rssMb.afterCrowd],
    ["server's processor time per query, ms", result.cpuMsPerQuery],
    ...(result.lists ?? []).map(({ name, times }): [string, number] => [`list: ${name}, p50 ms`, times.p50]),
    ...result.ingest.map(({ dataset, format, rowsPerSecond }): [string, number] => [
      `ingest ${dataset} ${format}, rows/s`,
      rowsPerSecond,
    ]),
    ...(result.search?.searches ?? []).map(({ list, reader, times }): [string, number] => [
      `search: ${list}, ${reader}, p95 ms`,
      times.p95,
    ]),
    ...(result.search?.calls ?? []).map(({ call, times }): [string, number] => [`${call}, p50 ms`, times.p50]),
    ...(result.screens ?? []).map(({ name, value, unit }): [string, number] => [
      `${name}${unit && `, ${unit}`}`,
      value,
    ]),
  ]
  const before = new Map(figures(a))
  return figures(b).flatMap(([name, value]) => {
    const old = before.get(name)
    return old === undefined ? [] : [`${name}: ${ms(old)} → ${ms(value)} ×${(value / old).toFixed(2)}`]
  })
}
