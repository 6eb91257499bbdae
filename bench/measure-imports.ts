import os from 'node:os'
import { systemClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { printTable } from './print-table.ts'
import { processorSeconds } from './processor-seconds.ts'

interface ImportTimes {
  readonly kind: string
  readonly step: 'preview' | 'confirm' | 'same file again'
  readonly seconds: number
  readonly nodeCpuSeconds: number
  readonly postgresCpuSeconds: number | undefined
  /** One-minute load average at the end, which shows the influence of other programs. */
  readonly load: number
}
export interface ImportFigures {
  readonly rows: number
  readonly times: readonly ImportTimes[]
}

interface Preview {
  readonly previewSha256: string
  readonly newCount: number
  readonly changedCount: number
  readonly unchangedCount: number
  readonly refusedCount: number
}

/** Uploads and confirms a workbook of every kind with this many rows over HTTP, in the order of an empty system. */
export async function measureImports(
  rows: number,
  only: string | undefined,
  say: (text: string) => void,
): Promise<ImportFigures> {
  const system = await startSystemUnderTest()
  try {
    const times: ImportTimes[] = []
    const needed = only === undefined ? undefined : neededFor(only)
    for (const [kind, header, rowOf] of BOOKS) {
      if (needed && !needed.has(kind)) continue
      if (kind === 'agreement-accounts')
        await system.dependencies.database.inScope(SYSTEM, tx =>
          tx.updateTable('bankAccounts').set({ usableFrom: null }).execute(),
        )
      const file = [header, ...Array.from({ length: rows }, (_, n) => rowOf(n))].map(row => row.join(',')).join('\r\n')
      const step = async (name: ImportTimes['step'], work: () => Promise<string>): Promise<string> => {
        const before = await processorSeconds(system.dependencies.database)
        const started = performance.now()
        const id = await work()
        const seconds = (performance.now() - started) / 1000
        const after = await processorSeconds(system.dependencies.database)
        const measured = {
          ...{ kind, step: name, seconds, nodeCpuSeconds: after.node - before.node },
          postgresCpuSeconds:
            after.postgres === undefined || before.postgres === undefined
              ? undefined
              : after.postgres - before.postgres,
          load: os.loadavg()[0] ?? 0,
        }
        if (only === undefined || only === kind) times.push(measured)
        say(`${kind}, ${name}: ${seconds.toFixed(1)} s`)
        return id
      }
      const upload = () => send(system, 'admin', `?kind=${kind}&name=${kind}.csv`, file)
      const id = await step('preview', upload)
      const { previewSha256, ...counts } = await read(system, id)
      if (Number(counts.newCount) + Number(counts.changedCount) !== rows)
        throw new Error(`${kind}: ${counts.refusedCount} rows of ${rows} are refused`)
      const confirmation = JSON.stringify({ importId: id, previewSha256 })
      // Accounts must be approved by a person other than the sender.
      await step('confirm', () => send(system, 'insight:admin', `?confirm=1&kind=${kind}`, confirmation))
      await step('same file again', upload)
      if (only === kind) break
    }
    return { rows, times }
  } finally {
    await system.close()
  }
}

const ROLES_OF_KIND: Readonly<Record<string, 'admin'>> = { organizations: 'admin', users: 'admin' }

async function send(system: SystemUnderTest, as: 'admin' | 'insight:admin', query: string, body: string) {
  const kind = new URLSearchParams(query).get('kind') ?? ''
  const { email } = system.rows.users[ROLES_OF_KIND[kind] ?? as]
  const response = await fetch(`${system.origins.insight}/imports${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await system.tokenOf(email)}`, 'content-type': 'application/json' },
    body,
  })
  const last = (await response.text()).trim().split('\n').at(-1) ?? ''
  const { importId, isNewPreview } = JSON.parse(last) as { importId?: string; isNewPreview?: boolean }
  if (importId === undefined || isNewPreview) throw new Error(`${query}: ${last}`)
  return importId
}

async function read(system: SystemUnderTest, id: string): Promise<Preview> {
  const kept = await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.selectFrom('imports').selectAll().where('id', '=', BigInt(id)).executeTakeFirstOrThrow(),
  )
  return kept
}

const month = (ahead: number) => {
  const day = new Date(systemClock.now())
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + ahead, 15)).toISOString().slice(0, 7)
}

/** Kinds that must be imported before a kind. Kinds that are not listed only need organisations. */
const REFERS_TO: Readonly<Record<string, readonly string[]>> = {
  organizations: [],
  terms: ['agreements'],
  rules: ['agreements', 'publishers'],
  'opening-balances': ['rules'],
  'agreement-accounts': ['agreements', 'bank-accounts'],
  feeds: ['rules'],
}

/** A kind with all kinds that it needs. */
function neededFor(kind: string): ReadonlySet<string> {
  const referred = REFERS_TO[kind] ?? ['organizations']
  return new Set([kind, ...referred.flatMap(each => [...neededFor(each)])])
}

const BOOKS: readonly (readonly [
  kind: string,
  header: readonly string[],
  rowOf: (n: number) => readonly (string | number)[],
])[] = [
  ['organizations', ['組織名'], n => [`計測 組織${n}`]],
  ['publishers', ['パブリッシャー名', '組織名'], n => [`計測 媒体社${n}`, `計測 組織${n}`]],
  [
    'agreements',
    ['契約コード', '契約名', '媒体ID', '組織名', '適用開始月'],
    n => [`K-${n}`, `計測 契約${n}`, 1, `計測 組織${n}`, month(-12)],
  ],
  // Every second agreement gets two versions of its terms in addition to the first.
  ['terms', ['契約コード', '適用開始月', '固定額（月額、円）'], n => [`K-${n - (n % 2)}`, month(n % 2), 10_000 + n]],
  [
    'rules',
    ['契約コード', 'パブリッシャー名', '適用開始月', '自社広告の支払率（%）'],
    n => [`K-${n - (n % 2)}`, `計測 媒体社${n - (n % 2)}`, month((n % 2) - 6), 40 + (n % 20)],
  ],
  [
    'opening-balances',
    ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '引継月'],
    n => [`K-${n - (n % 2)}`, `計測 媒体社${n - (n % 2)}`, month((n % 2) - 4), 1 + n, month(-1)],
  ],
  [
    'bank-accounts',
    ['組織名', '銀行コード', '支店コード', '預金種目', '口座番号', '口座名義（カナ）'],
    n => [`計測 組織${n}`, '0001', '100', '普通', 1 + n, 'ケイソク'],
  ],
  // Accounts become usable days after their approval; the bench makes them usable at once.
  [
    'agreement-accounts',
    ['契約コード', '利用開始月', '銀行コード', '支店コード', '口座番号'],
    n => [`K-${n}`, month(1), '0001', '100', 1 + n],
  ],
  [
    'feeds',
    ['パブリッシャー名', '媒体ID', 'フィード名', 'フィードのURL', '種別'],
    // Every second publisher has a rule, which a feed requires.
    n => [`計測 媒体社${n - (n % 2)}`, 1, `計測 フィード${n}`, `https://feeds.example/${n}`, 'gnf1'],
  ],
  [
    'users',
    ['メールアドレス', 'ロール', '組織名'],
    n => [`bench${n}@example.jp`, 'パブリッシャーの管理者', `計測 組織${n}`],
  ],
]

export function printImports({ rows, times }: ImportFigures): string {
  const lines = times.map(each => [
    ...[each.kind, each.step, each.seconds.toFixed(1), each.nodeCpuSeconds.toFixed(1)],
    ...[each.postgresCpuSeconds?.toFixed(1) ?? '–', each.load.toFixed(1)],
  ])
  const header = ['', '', 'seconds', 'Node cpu', 'PostgreSQL cpu', 'load']
  return `imports of ${rows} rows\n${printTable([header, ...lines], 2)}`
}
