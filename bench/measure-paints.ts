import type { Browser } from 'playwright-core'
import type { DemoServer } from './demo-server.ts'
import { rowsReady } from './page-scripts.ts'
import { timesOf } from './run-times.ts'
import type { ScreenFigure } from './screen-figure.ts'
import { type Network, read, type Session, visit, WAIT_MS } from './screen-visit.ts'

export const SLOW_4G: Network = { latency: 150, kbitDown: 1638, kbitUp: 750 }
export const TEN_MBPS: Network = { latency: 40, kbitDown: 10_240, kbitUp: 10_240 }
const VISITS = 3
const SLOWER = 4
const PAGE_ROWS = 100

/** The budgets apply to HTTP/2. */
export async function paintsOver(
  protocol: 'HTTP/1.1' | 'HTTP/2',
  browser: Browser,
  server: DemoServer,
  session: Session,
  targets?: { slow: number; tenMbps: number },
): Promise<ScreenFigure[]> {
  return [
    ...(await paintFigures(browser, server, session, {
      ...{ name: `slow 4G, 4× CPU, ${protocol}`, network: SLOW_4G, cpu: SLOWER, target: targets?.slow },
    })),
    ...(await paintFigures(browser, server, session, {
      ...{ name: `10 Mbps, ${protocol}`, network: TEN_MBPS, cpu: 1, target: targets?.tenMbps },
    })),
  ]
}

async function paintFigures(
  browser: Browser,
  server: DemoServer,
  session: Session,
  given: { name: string; network: Network; cpu: number; target: number | undefined },
): Promise<ScreenFigure[]> {
  const { name, network, cpu, target } = given
  const paints: number[] = []
  const shifts: number[] = []
  for (let run = 0; run < VISITS; run += 1) {
    const { context, page } = await visit(browser, session, network, cpu)
    await page.goto(`${server.origin}/gpc/#/reports/dashboard`, { timeout: WAIT_MS })
    // Querying the page takes its processor time, so wait until it is idle.
    await page.waitForLoadState('networkidle')
    await page.getByRole('row', { name: /合計/ }).last().waitFor({ timeout: WAIT_MS })
    await page.waitForLoadState('networkidle')
    const { lcp, cls } = await read(page)
    paints.push(lcp)
    shifts.push(cls)
    await context.close()
  }
  return [
    { name: `LCP of the dashboard, ${name}, cold cache`, value: timesOf(paints).p50, unit: 'ms', target },
    { name: `CLS of the dashboard, ${name}`, value: Math.max(...shifts), unit: '', target: 0.03 },
  ]
}

/** Time until all rows of the article report's first page are drawn, at full speed with an empty cache. */
export async function rowsFigures(browser: Browser, server: DemoServer, session: Session): Promise<ScreenFigure[]> {
  const times: number[] = []
  for (let run = 0; run < VISITS; run += 1) {
    const { context, page } = await visit(browser, session, undefined, 1)
    await page.goto(`${server.origin}/gpc/#/reports/articles`, { timeout: WAIT_MS })
    times.push(await page.evaluate<number>(rowsReady(PAGE_ROWS)))
    await context.close()
  }
  const name = `${PAGE_ROWS} rows of articles ready, local, cold cache`
  return [{ name, value: timesOf(times).p50, unit: 'ms', target: 500 }]
}
