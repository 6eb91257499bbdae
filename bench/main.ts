import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '@pc/platform/config.ts'
import { compareResults, machine, printResult } from './bench-report.ts'
import { type BenchResult, readResult } from './bench-result.ts'
import { startBenchServer } from './bench-server.ts'
import { type BenchSize, benchSize } from './bench-size.ts'
import { printGrowth } from './growth.ts'
import { holdsLoad, printLoad } from './load-verdicts.ts'
import { holdsChanges, measureChanges, printChanges } from './measure-changes.ts'
import { measureClose, printClose } from './measure-close.ts'
import { measureEngine } from './measure-engine.ts'
import { measureImports, printImports } from './measure-imports.ts'
import { measureIngest, printIngest } from './measure-ingest.ts'
import { measureLists, printLists } from './measure-lists.ts'
import { measureLoad } from './measure-load.ts'
import { measureAlone, measureCrowd, measureFirstPages, Reader } from './measure-reports.ts'
import { measureScreens, printScreens } from './measure-screens.ts'
import { measurePeers } from './peers/measure-peers.ts'
import { prepareStore } from './prepare-store.ts'
import { profileStart } from './profile-start.ts'
import { benchQueries, mixedQueries } from './report-queries.ts'

const USAGE = `Usage:
  npm run bench -- [--size small|1|4|16] [--runs 15] [--readers 32] [--seconds 20] [--only <part of a query's name, or close, or ingest>] [--no-ingest]
  npm run bench -- --all …                             the same with lists of 100,000 rows, searched, and the screens
  npm run bench -- grow [--sizes 1,4,16]               reports and lists at each size, and how their cost grows
  npm run bench -- growth <1.json> <4.json> <16.json>  the table of growth of results that are there
  npm run bench -- --lists [--only <a list, or calls>] [--runs 15] [--port 4910]
  npm run bench -- compare <a.json> <b.json>
  npm run bench -- load [--size 1] [--users 200] [--seconds 60] [--offered 0.75]   figure 12; the long form: --seconds 600
  npm run bench -- overload [--size 1] [--users 2000] [--seconds 30]   figure 13
  npm run bench -- changes [--size 4] [--runs 15] [--only <a report>]   why a figure changed, beside the report that shows it
  npm run bench -- --screens [--port 4910]
  npm run bench -- imports [--rows 10000] [--only <a kind>]   a workbook of every kind: preview, confirmation
  npm run bench -- peers [--shape today|long-lived|one-large] [--runs 15] [--only <a part of a line's name>]
                                                       beside PostGraphile and the bare engine, ours and theirs in turn
  npm run bench -- start [--port 4910]                 where the time of a start with an empty cache goes
The generated store is kept under DATA_DIR/bench; size 16 holds 51 million article-days and needs 20 GB while it is made.`
const PORT = 4910
const INGESTED_ROWS = 2_000_000
const CLOSED_AGREEMENTS = 10_000

interface Options {
  readonly size: BenchSize
  readonly runs: number
  readonly readers: number
  readonly seconds: number
  readonly only: string | undefined
  readonly withIngest: boolean
  readonly withClose: boolean
  /** Also measures search and screens. */
  readonly withRest: boolean
}

async function main(): Promise<void> {
  // Settings of the launcher (compile cache, two malloc arenas, threads) halve the start and save memory.
  if (!process.env.NODE_COMPILE_CACHE) throw new RangeError(`Start it by npm run bench.\n${USAGE}`)
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    strict: true,
    options: {
      size: { type: 'string' },
      sizes: { type: 'string', default: '1,4,16' },
      users: { type: 'string' },
      rows: { type: 'string', default: '10000' },
      runs: { type: 'string', default: '15' },
      readers: { type: 'string', default: '32' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      'no-ingest': { type: 'boolean', default: false },
      screens: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      offered: { type: 'string', default: '0.75' },
      port: { type: 'string', default: String(PORT) },
      shape: { type: 'string', default: 'today' },
    },
  })
  const [command, ...files] = positionals
  const { dataDir } = readConfig(process.env)
  if (command === 'compare' && files.length === 2) return say(compareResults(files[0]!, files[1]!))
  if (command === 'growth') return say(printGrowth(files.map(readResult)))
  if (command === 'load' || command === 'overload') return load(dataDir, command === 'overload', values)
  if (command === 'changes') {
    const requested = { runs: Number(values.runs), port: Number(values.port), only: values.only }
    const lines = await measureChanges(dataDir, benchSize(values.size ?? '1'), requested, progress)
    say(`size ${values.size ?? '1'}, ${machine()}\n${printChanges(lines)}`)
    if (!holdsChanges(lines)) process.exitCode = 1
    return
  }
  if (command === 'peers') {
    const { shape, only } = values
    const requested = { shape, only, runs: Number(values.runs), port: Number(values.port) }
    return measurePeers(dataDir, requested, say, progress)
  }
  if (command === 'start') return say(await profileStart(dataDir, Number(values.port), progress))
  if (command === 'imports') return say(printImports(await measureImports(Number(values.rows), values.only, progress)))
  if (command !== undefined && command !== 'grow') throw new RangeError(USAGE)
  if (values.only === 'ingest') {
    for (const speed of await measureIngest(dataDir, INGESTED_ROWS, progress)) say(printIngest(speed))
    return
  }
  if (values.only === 'close') return say(printClose(await measureClose(CLOSED_AGREEMENTS, progress)))
  if (values.screens) return say(printScreens(await measureScreens(dataDir, Number(values.port), progress)))
  if (values.lists) {
    const requested = { runs: Number(values.runs), only: values.only }
    return say(printLists(await measureLists(dataDir, Number(values.port), requested, progress)))
  }
  const options = {
    runs: Number(values.runs),
    readers: Number(values.readers),
    seconds: Number(values.seconds ?? 20),
    only: values.only,
    withIngest: !values['no-ingest'],
    withClose: values.only === undefined,
    withRest: values.all,
  }
  if (command !== 'grow') return void (await keep(dataDir, { ...options, size: benchSize(values.size ?? 'small') }))
  const results: BenchResult[] = []
  for (const size of values.sizes.split(',').map(benchSize)) {
    const few = { withIngest: false, withClose: false, withRest: false }
    results.push(await keep(dataDir, { ...options, ...few, size }))
  }
  say(`\n${printGrowth(results)}`)
}

/** Measures, prints, and saves the result as JSON. */
async function keep(dataDir: string, options: Options): Promise<BenchResult> {
  const result = await bench(dataDir, options)
  const file = path.join(dataDir, 'bench', `${result.size}-${result.madeAt.replaceAll(/[:.]/g, '')}.json`)
  fs.writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`)
  say(`${printResult(result)}\n\n${file}`)
  return result
}

async function load(
  dataDir: string,
  isOverload: boolean,
  values: {
    readonly size?: string
    readonly users?: string
    readonly seconds?: string
    readonly offered: string
    readonly port: string
  },
): Promise<void> {
  const size = benchSize(values.size ?? '1')
  const folder = await prepareStore(dataDir, size, progress)
  const figures = await measureLoad(
    folder,
    size,
    {
      users: Number(values.users ?? (isOverload ? 2_000 : 200)),
      seconds: Number(values.seconds ?? (isOverload ? 30 : 60)),
      thinkMs: 1_000,
      offeredDays: Number(values.offered),
      isOverload,
      port: Number(values.port),
    },
    progress,
  )
  const name = `${isOverload ? 'overload' : 'load'}-${new Date().toISOString().replaceAll(/[:.]/g, '')}.json`
  const file = path.join(dataDir, 'bench', name)
  fs.writeFileSync(file, `${JSON.stringify({ size: size.name, machine: machine(), ...figures }, undefined, 2)}\n`)
  say(`size ${size.name}, ${machine()}\n${printLoad(figures)}\n\n${file}`)
  if (!holdsLoad(figures)) process.exitCode = 1
}

async function bench(dataDir: string, options: Options): Promise<BenchResult> {
  const { size, runs } = options
  const folder = await prepareStore(dataDir, size, progress)
  const queries = benchQueries(size).filter(({ name }) => options.only === undefined || name.includes(options.only))
  if (queries.length === 0) throw new RangeError(`no query is called ${options.only}`)
  progress('the engine alone …')
  const engine = await measureEngine(folder, queries, runs)
  const server = await startBenchServer(folder, PORT)
  try {
    const idle = server.rssMb()
    const reader = new Reader(server)
    progress('through the API …')
    const alone = await measureAlone(reader, queries, runs)
    const lists = await measureFirstPages(reader, runs)
    const afterAlone = server.rssMb()
    progress(`${options.readers} readers …`)
    const cpuBefore = server.cpuMs()
    const { byQuery, times, ...crowd } = await measureCrowd(
      reader,
      mixedQueries(queries),
      options.readers,
      options.seconds,
    )
    const cpuMsPerQuery = (server.cpuMs() - cpuBefore) / times.runs
    const rssMb = { idle, afterAlone, afterCrowd: server.rssMb() }
    const memoryAfterCrowd = server.memoryCounts()
    await server.stop()
    const ingest = options.withIngest ? await measureIngest(dataDir, INGESTED_ROWS, progress) : []
    if (options.withClose) progress('the close of a month …')
    const close = options.withClose ? await measureClose(CLOSED_AGREEMENTS, progress) : undefined
    if (options.withRest) progress('lists of 100,000 rows, searched …')
    const search = options.withRest ? await measureLists(dataDir, PORT, { runs, only: undefined }, progress) : undefined
    const screens = options.withRest ? await measureScreens(dataDir, PORT, progress) : undefined
    return {
      size: size.name,
      madeAt: new Date().toISOString(),
      machine: machine(),
      rows: queries.map(query => ({
        query: query.name,
        range: query.range,
        reader: query.reader,
        engine: engine.get(query)!,
        alone: alone.get(query)!,
        crowd: byQuery.get(query),
      })),
      crowd: { ...crowd, times },
      startMs: { warm: server.readyMs },
      rssMb,
      memoryAfterCrowd,
      cpuMsPerQuery,
      lists,
      ingest,
      ...(search ? { search } : {}),
      ...(screens ? { screens } : {}),
      ...(close ? { close } : {}),
    }
  } finally {
    await server.stop()
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function progress(text: string): void {
  console.error(`[bench] ${text}`)
}

main().catch((error: unknown) => {
  const isUsage = error instanceof RangeError || String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${(error as Error).message}\n${USAGE}` : error)
  process.exitCode = 1
})
