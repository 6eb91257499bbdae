import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { openLog } from '@pc/platform/log.ts'
import type { Query, StatsStore } from '@pc/platform/stats/port.ts'
import { execute, parse } from 'graphql'
import { openDependencies } from '../apps/server/open-dependencies.ts'
import { benchConfig, PUBLISHER_EMAIL, STAFF_EMAIL } from './prepare-store.ts'
import type { BenchQuery } from './report-queries.ts'
import { type Times, timesOf } from './run-times.ts'

/**
 * Measures the statistics engine's share of each query, one at a time, without HTTP, sign-in or PostgreSQL: the time in
 * which at least one of its statements runs.
 */
export async function measureEngine(
  folder: string,
  queries: readonly BenchQuery[],
  runs: number,
): Promise<ReadonlyMap<BenchQuery, Times>> {
  const dependencies = await openDependencies({
    config: benchConfig(folder, 4900),
    log: openLog('warn'),
    ownsDeliveries: true,
  })
  try {
    const meter: Meter = { ms: 0, running: 0, since: 0 }
    meterStore(dependencies.stats, meter)
    const schema = dependencies.insightSchema
    const viewers = {
      staff: await viewerOf(dependencies, STAFF_EMAIL),
      publisher: await viewerOf(dependencies, PUBLISHER_EMAIL),
    }
    const times = new Map<BenchQuery, Times>()
    for (const query of queries) {
      const document = parse(query.document)
      const viewer = query.reader === 'organization' ? viewers.publisher : viewers.staff
      const measured: number[] = []
      for (let n = 0; n < runs + 1; n += 1) {
        meter.ms = 0
        const contextValue = { viewer, requestId: '', signal: new AbortController().signal, permits: new Map() }
        const result = await execute({ schema, document, contextValue, variableValues: query.variables(n) })
        if (result.errors) throw result.errors[0]
        if (n > 0) measured.push(meter.ms) // the first run reads from disk and is not counted
      }
      times.set(query, timesOf(measured))
    }
    return times
  } finally {
    await dependencies.close()
  }
}

interface Meter {
  ms: number
  running: number
  since: number
}

/** Wraps the store so that `meter` counts the time in which statements run. */
function meterStore(stats: StatsStore, meter: Meter): void {
  const timed =
    (query: Query): Query =>
    async (...args) => {
      if (meter.running === 0) meter.since = performance.now()
      meter.running += 1
      try {
        return await query(...args)
      } finally {
        meter.running -= 1
        if (meter.running === 0) meter.ms += performance.now() - meter.since
      }
    }
  const { query, snapshot } = stats
  stats.query = timed(query)
  stats.snapshot = work => snapshot(ask => work(timed(ask)))
}

async function viewerOf(dependencies: Awaited<ReturnType<typeof openDependencies>>, email: string): Promise<Viewer> {
  const { body } = await dependencies.identity.mintToken(email)
  const viewer = 'token' in body ? await dependencies.authenticate(`Bearer ${body.token}`) : null
  if (!viewer) throw new Error(`${email} cannot sign in`)
  return viewer
}
