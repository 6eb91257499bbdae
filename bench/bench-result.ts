import fs from 'node:fs'
import type { MemoryCounts } from './bench-server.ts'
import type { CloseFigures } from './measure-close.ts'
import type { IngestSpeed } from './measure-ingest.ts'
import type { ListFigures } from './measure-lists.ts'
import type { Times } from './run-times.ts'
import type { ScreenFigure } from './screen-figure.ts'

export interface BenchRow {
  readonly query: string
  readonly range: string
  readonly reader: string
  /** Only the statements in the statistics store. */
  readonly engine: Times
  /** Through the API, one request at a time. */
  readonly alone: Times
  /** Through the API while many other readers send requests. */
  readonly crowd: Times | undefined
}
export interface BenchResult {
  readonly size: string
  readonly madeAt: string
  readonly machine: string
  readonly rows: readonly BenchRow[]
  readonly crowd: {
    readonly readers: number
    readonly queriesPerSecond: number
    readonly times: Times
    readonly turnedAway?: number
  }
  readonly startMs: { readonly warm: number }
  /** Pages shared by several processes count once. */
  readonly rssMb: { readonly idle: number; readonly afterAlone: number; readonly afterCrowd: number }
  readonly memoryAfterCrowd?: MemoryCounts
  readonly cpuMsPerQuery: number
  readonly lists?: readonly { readonly name: string; readonly times: Times }[]
  readonly search?: ListFigures
  readonly screens?: readonly ScreenFigure[]
  readonly ingest: readonly IngestSpeed[]
  readonly close?: CloseFigures
}

export function readResult(file: string): BenchResult {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as BenchResult
}
