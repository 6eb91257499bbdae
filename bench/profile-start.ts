import fs from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { cpuOfProcess, treeOf } from './bench-server.ts'
import { type DemoServer, startDemoServer } from './demo-server.ts'
import { SLOW_4G, TEN_MBPS } from './measure-paints.ts'
import { type Moments, momentsUntil, rowsReady, SCREEN_PAINTED } from './page-scripts.ts'
import { timesOf } from './run-times.ts'
import { type Network, type Session, signIn, visit, WAIT_MS, withBrowser } from './screen-visit.ts'

const VISITS = 7

interface Start {
  readonly name: string
  readonly address: string
  readonly network: Network | undefined
  readonly slower: number
  /** A script that resolves in the page when the screen is visible. */
  readonly shown: string
}

const STARTS: readonly Start[] = [
  {
    name: 'dashboard, slow 4G, 4× CPU',
    address: '/reports/dashboard',
    network: SLOW_4G,
    slower: 4,
    shown: SCREEN_PAINTED,
  },
  { name: 'dashboard, 10 Mbps', address: '/reports/dashboard', network: TEN_MBPS, slower: 1, shown: SCREEN_PAINTED },
  { name: 'dashboard, local', address: '/reports/dashboard', network: undefined, slower: 1, shown: SCREEN_PAINTED },
  { name: '100 articles, local', address: '/reports/articles', network: undefined, slower: 1, shown: rowsReady(100) },
]

/** Parts whose processor time is reported; all share one machine. */
const PARTS = ['page', 'rest of the browser', 'front and bench', 'server', 'PostgreSQL'] as const
type Cpu = Readonly<Record<(typeof PARTS)[number], number>>

/** Shows where the time of a start with an empty cache goes: its moments, and each part's processor time until then. */
export async function profileStart(dataDir: string, port: number, say: (text: string) => void): Promise<string> {
  const server = await startDemoServer(path.join(dataDir, 'bench', 'screens'), port)
  try {
    return await withBrowser(server, [], async browser => {
      const session = await signIn(browser, server)
      const tables: string[] = []
      for (const start of STARTS) {
        say(`${start.name} …`)
        const seen: { moments: Moments; cpu: Cpu }[] = []
        for (let run = 0; run < VISITS; run += 1) seen.push(await one(server, session, start, browser))
        tables.push(print(start, seen))
      }
      return tables.join('\n\n')
    })
  } finally {
    await server.stop()
  }
}

async function one(server: DemoServer, session: Session, { address, network, slower, shown }: Start, browser: Browser) {
  const { context, page } = await visit(browser, session, network, slower)
  const before = processorTimes(server)
  await page.goto(`${server.origin}/gpc/#${address}`, { timeout: WAIT_MS, waitUntil: 'commit' })
  const shownMs = await page.evaluate<number>(shown)
  const after = processorTimes(server)
  const moments = await page.evaluate<Moments>(momentsUntil(shownMs))
  await context.close()
  return { moments, cpu: spentBetween(before, after) }
}

function print({ name }: Start, seen: readonly { readonly moments: Moments; readonly cpu: Cpu }[]): string {
  const median = (of: (each: (typeof seen)[number]) => number) => timesOf(seen.map(of)).p50
  const shown = seen.map(({ moments }) => Math.round(moments['the screen is there'])).join(', ')
  const moments = Object.keys(seen[0]!.moments) as (keyof Moments)[]
  const rows = moments.map(
    each =>
      `  ${each.padEnd(44)}${median(({ moments }) => moments[each])
        .toFixed(0)
        .padStart(6)}`,
  )
  // The kernel counts hundredths of a second, so that the mean of several runs is more precise than their median.
  const mean = (part: keyof Cpu) => seen.reduce((sum, { cpu }) => sum + cpu[part], 0) / seen.length
  const cpu = PARTS.map(part => `${part} ${mean(part).toFixed(0)}`).join(', ')
  return [`${name}; medians of ${VISITS} (${shown}), ms`, ...rows, `  processor time until then, mean: ${cpu}`].join(
    '\n',
  )
}

/** Milliseconds of processor time by process since its start. */
function processorTimes(server: DemoServer): Map<number, { part: (typeof PARTS)[number]; ms: number }> {
  const behind = treeOf(server.pid)
  const partOf = (pid: number) => {
    if (pid === process.pid) return 'front and bench'
    if (pid === server.pid) return 'server'
    if (behind.includes(pid)) return 'PostgreSQL'
    return isPage(pid) ? 'page' : 'rest of the browser'
  }
  return new Map(treeOf(process.pid).map(pid => [pid, { part: partOf(pid), ms: cpuOfProcess(pid) || 0 }]))
}

function spentBetween(before: ReturnType<typeof processorTimes>, after: ReturnType<typeof processorTimes>): Cpu {
  const sum = (wanted: (typeof PARTS)[number]) =>
    [...after].reduce((all, [pid, { part, ms }]) => (part === wanted ? all + ms - (before.get(pid)?.ms ?? 0) : all), 0)
  return Object.fromEntries(PARTS.map(part => [part, sum(part)])) as Cpu
}

function isPage(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')
  } catch {
    return false
  }
}
