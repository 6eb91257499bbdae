import { expect, test } from 'vitest'
import type { BenchResult } from './bench-result.ts'
import { printGrowth } from './growth.ts'

const times = (p50: number) => ({ min: p50, p50, p95: p50 * 2, max: p50 * 3, runs: 10 })
const result = (size: string, engine: number, api: number): BenchResult => ({
  size,
  madeAt: '',
  machine: 'a machine',
  rows: [
    { query: 'dashboard', range: '7d', reader: 'all', engine: times(engine), alone: times(api), crowd: undefined },
  ],
  crowd: { readers: 8, queriesPerSecond: 100 / api, times: times(api) },
  startMs: { warm: 1_000 },
  rssMb: { idle: 1, afterAlone: 1, afterCrowd: 100 },
  cpuMsPerQuery: 1,
  lists: [{ name: 'publishers', times: times(api) }],
  ingest: [],
})

test('growth: the first size as it is, the others as multiples of it', () => {
  const lines = printGrowth([result('1', 2, 10), result('4', 4, 15), result('16', 32, 20)]).split('\n')
  expect(lines[1]).toMatch(/^query\s+range\s+for\s+engine 1×, ms\s+4×\s+16×\s+API 1×, ms\s+4×\s+16×$/)
  expect(lines[2]).toMatch(/^dashboard\s+7d\s+all\s+2\.0\s+×2\.00\s+×16\.00\s+10\s+×1\.50\s+×2\.00$/)
  expect(lines.find(line => line.startsWith('queries/s'))).toMatch(/10\s+×0\.67\s+×0\.50$/)
  expect(lines.find(line => line.startsWith('list: publishers'))).toMatch(/10\s+×1\.50\s+×2\.00$/)
})

test('growth: a query that one of the sizes does not have is left out, one size alone is no growth', () => {
  const without = { ...result('4', 1, 1), rows: [] }
  expect(printGrowth([result('1', 2, 10), without])).not.toContain('dashboard')
  expect(() => printGrowth([result('1', 2, 10)])).toThrow(RangeError)
})
