import { STAFF_SHARE_ROLES } from '@pc/domain/board/board.ts'
import { querying, tokenOf } from './confirm-warnings.ts'
import type { SystemAddress } from './running-system.ts'

const STAFF = 'insight.admin@example.jp'
/** One tile of each report and shape that publishers' people may see; the ranking is not among them. */
const TILES = [
  { report: 'dashboard', shape: 'chart', width: 2, height: 2, compareWith: 'same_weekdays' },
  { report: 'dashboard', shape: 'figure', width: 1, height: 1 },
  { report: 'ranking', shape: 'table', width: 2, height: 2 },
  { report: 'articles', shape: 'table', width: 2, height: 2 },
  { report: 'videos', shape: 'chart', width: 2, height: 2 },
]

/**
 * Makes a board that is shared with every reader of reports, and a note on the charts.
 * @returns the address of the board
 */
export async function shareBoard(system: Pick<SystemAddress, 'dataDir' | 'insightOrigin'>): Promise<string> {
  const ask = querying(system.insightOrigin, await tokenOf(system.dataDir, STAFF))
  const tiles = TILES.map((tile, at) => ({
    ...{ id: `t${at}`, title: `タイル${at + 1}`, figure: 'revenue', granularity: 'daily', period: 'last28' },
    ...tile,
  }))
  const input = { name: '共有ボード', sharedRoles: STAFF_SHARE_ROLES, tiles }
  const saved = (await ask('mutation ($input: BoardInput!) { saveBoard(input: $input) { id } }', { input })) as {
    data?: { saveBoard: { id: string } }
    errors?: unknown
  }
  if (!saved.data) throw new Error(`no board to visit: ${JSON.stringify(saved.errors)}`)
  return `/dashboards/board=${saved.data.saveBoard.id}`
}
