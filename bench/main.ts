import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '@pc/platform/config.ts'
import { type BenchResult, compareResults, machine, printResult } from './bench-report.ts'
import { startBenchServer } from './bench-server.ts'
import { type BenchSize, benchSize } from './bench-size.ts'
import { measureEngine } from './engine-times.ts'
import { measureClose, printClose } from './measure-close.ts'
import { measureIngest } from './measure-ingest.ts'
import { measureLists, printLists } from './measure-lists.ts'
import { measureAlone, measureCrowd, Reader } from './measure-reports.ts'
import { measureScreens, printScreens } from './measure-screens.ts'
import { prepareStore } from './prepare-store.ts'
import { benchQueries } from './report-queries.ts'

const USAGE = `Usage:
  npm run bench -- [--size small|1|4|16] [--runs 15] [--readers 32] [--seconds 20] [--only <part of a query's name, or close>] [--no-ingest]
  npm run bench -- --screens [--port 4910]
  npm run bench -- --lists [--only <a list, or calls>] [--runs 15] [--port 4910]
  npm run bench -- compare <a.json> <b.json>
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
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    strict: true,
    options: {
      size: { type: 'string', default: 'small' },
      runs: { type: 'string', default: '15' },
      readers: { type: 'string', default: '32' },
      seconds: { type: 'string', default: '20' },
      only: { type: 'string' },
      'no-ingest': { type: 'boolean', default: false },
      screens: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      port: { type: 'string', default: String(PORT) },
    },
  })
  const [command, before, after] = positionals
  if (command === 'compare' && before && after) return say(compareResults(before, after))
  if (command !== undefined) throw new RangeError(USAGE)
  if (values.only === 'close') return say(printClose(await measureClose(CLOSED_AGREEMENTS, progress)))
  const { dataDir } = readConfig(process.env)
  if (values.screens) return say(printScreens(await measureScreens(dataDir, Number(values.port), progress)))
  if (values.lists) {
    const asked = { runs: Number(values.runs), only: values.only }
    return say(printLists(await measureLists(dataDir, Number(values.port), asked, progress)))
  }
  const result = await bench(dataDir, {
    size: benchSize(values.size),
    runs: Number(values.runs),
    readers: Number(values.readers),
    seconds: Number(values.seconds),
    only: values.only,
    withIngest: !values['no-ingest'],
  })
  const file = path.join(dataDir, 'bench', `${result.size}-${result.madeAt.replaceAll(/[:.]/g, '')}.json`)
  fs.writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`)
  say(`${printResult(result)}\n\n${file}`)
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
    const afterAlone = server.rssMb()
    progress(`${options.readers} readers …`)
    const cpuBefore = server.cpuMs()
    const { byQuery, times, ...crowd } = await measureCrowd(reader, queries, options.readers, options.seconds)
    const cpuMsPerQuery = (server.cpuMs() - cpuBefore) / times.runs
    const rssMb = { idle, afterAlone, afterCrowd: server.rssMb() }
    await server.stop()
    const ingest = options.withIngest ? await measureIngest(dataDir, INGESTED_ROWS, progress) : []
    progress('the close of a month …')
    const close = options.only === undefined ? await measureClose(CLOSED_AGREEMENTS, progress) : undefined
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
      cpuMsPerQuery,
      ingest,
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
