import type { BenchResult, BenchRow } from './bench-result.ts'
import { printTable } from './print-table.ts'

/**
 * Shows how the cost of each query grows with the data: its shortest time for each size (least affected by other
 * programs), as a multiple of the first. If the cost follows the number of rows it grows by 4 and 16; if the query
 * reads a publisher's period it does not grow.
 */
export function printGrowth(results: readonly BenchResult[]): string {
  const [first, ...others] = results
  if (!first || others.length === 0) throw new RangeError('growth needs the results of two sizes at least')
  const key = (row: BenchRow) => `${row.query}|${row.range}|${row.reader}`
  const byKey = results.map(({ rows }) => new Map(rows.map(row => [key(row), row])))
  const lines = first.rows.flatMap(row => {
    const same = byKey.map(rows => rows.get(key(row)))
    if (same.some(each => each === undefined)) return []
    const found = same as readonly BenchRow[]
    return [
      [
        row.query,
        row.range,
        row.reader,
        ...growthOf(found.map(each => each.engine.min)),
        ...growthOf(found.map(each => each.alone.min)),
      ],
    ]
  })
  const names = results.map(({ size }) => (/^\d+$/.test(size) ? `${size}×` : size))
  const heads = ['engine', 'API'].flatMap(what => names.map((name, at) => (at === 0 ? `${what} ${name}, ms` : name)))
  const figure = (name: string, values: readonly (number | undefined)[]) =>
    values.every(value => value !== undefined) ? [[name, ...growthOf(values as readonly number[])]] : []
  return [
    `shortest times; ${first.machine}`,
    printTable([['query', 'range', 'for', ...heads], ...lines], 3),
    '',
    printTable(
      [
        ['', ...names],
        ...figure(
          'crowd: median, ms',
          results.map(each => each.crowd.times.p50),
        ),
        ...figure(
          'crowd: 95 %, ms',
          results.map(each => each.crowd.times.p95),
        ),
        ...figure(
          'queries/s (less is worse)',
          results.map(each => each.crowd.queriesPerSecond),
        ),
        ...figure(
          'warm start, ms',
          results.map(each => each.startMs.warm),
        ),
        ...figure(
          'memory after the crowd, MB',
          results.map(each => each.rssMb.afterCrowd),
        ),
        ...(first.lists ?? []).flatMap(list =>
          figure(
            `list: ${list.name}, ms`,
            results.map(each => each.lists?.find(other => other.name === list.name)?.times.min),
          ),
        ),
      ],
      1,
    ),
  ].join('\n')
}

/** The first value, then the others as multiples of it. */
function growthOf(values: readonly number[]): string[] {
  const [first = Number.NaN, ...others] = values
  return [first.toFixed(first < 10 ? 1 : 0), ...others.map(value => `×${(value / first).toFixed(2)}`)]
}
