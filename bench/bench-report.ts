import fs from 'node:fs'
import os from 'node:os'
import { type CloseFigures, printClose, printStep } from './measure-close.ts'
import type { IngestSpeed } from './measure-ingest.ts'
import type { Times } from './percentile.ts'

export interface BenchRow {
  readonly query: string
  readonly range: string
  readonly reader: string
  readonly engine: Times
  readonly alone: Times
  readonly crowd: Times | undefined
}
export interface BenchResult {
  readonly size: string
  readonly madeAt: string
  readonly machine: string
  readonly rows: readonly BenchRow[]
  readonly crowd: { readonly readers: number; readonly queriesPerSecond: number; readonly times: Times }
  readonly startMs: { readonly warm: number }
  readonly rssMb: { readonly idle: number; readonly afterAlone: number; readonly afterCrowd: number }
  readonly cpuMsPerQuery: number
  readonly ingest: readonly IngestSpeed[]
  readonly close?: CloseFigures
}

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
    table(lines),
    '',
    `${result.crowd.readers} readers, mixed: ${result.crowd.queriesPerSecond.toFixed(0)} queries/s, p50 ${ms(result.crowd.times.p50)}, p95 ${ms(result.crowd.times.p95)}, longest ${ms(result.crowd.times.max)}`,
    `warm start to ready: ${ms(result.startMs.warm)}; server's processor time per query: ${result.cpuMsPerQuery.toFixed(2)}`,
    `memory of the process tree, MB: ${ms(result.rssMb.idle)} idle, ${ms(result.rssMb.afterAlone)} after the queries, ${ms(result.rssMb.afterCrowd)} after the crowd`,
    ...result.ingest.map(
      each =>
        `ingest ${each.format}: ${Math.round(each.rowsPerSecond).toLocaleString('en')} rows/s (${each.rows} rows)`,
    ),
    ...(result.close ? [printClose(result.close), ...result.close.steps.map(step => `  ${printStep(step)}`)] : []),
  ].join('\n')
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map(line => line[column]!.length)))
  const isText = (column: number) => column < 3
  return lines
    .map(line =>
      line
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n')
}

/** The same queries of two runs, and how the second stands to the first. */
export function compareResults(before: string, after: string): string {
  const [a, b] = [before, after].map(file => JSON.parse(fs.readFileSync(file, 'utf8')) as BenchResult) as [
    BenchResult,
    BenchResult,
  ]
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
    table(lines),
    `queries/s: ${a.crowd.queriesPerSecond.toFixed(0)} → ${b.crowd.queriesPerSecond.toFixed(0)} ${ratio(a.crowd.queriesPerSecond, b.crowd.queriesPerSecond)}`,
    ...(a.close && b.close
      ? [
          `close of a month: ${a.close.closeSeconds.toFixed(2)} → ${b.close.closeSeconds.toFixed(2)} s ${ratio(a.close.closeSeconds, b.close.closeSeconds)}`,
        ]
      : []),
  ].join('\n')
}
