import { readCsv } from '@pc/domain/text/read-csv.ts'
import { encodeWindows31j } from '@pc/platform/text/windows-31j.ts'
import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { expect, test } from 'vitest'

const fixture = importFixture()
/** Each kind as a person would fill it in on an empty system, in order. */
const BOOKS: readonly (readonly [kind: string, rows: readonly (readonly string[])[]])[] = [
  ['organizations', [['組織名'], ['髙﨑出版株式会社'], ['①号館合同会社']]],
  [
    'publishers',
    [
      ['パブリッシャー名', '組織名', 'よみがな'],
      ['髙﨑ニュース', '髙﨑出版株式会社', 'たかさきにゅーす'],
      ['①号館だより', '①号館合同会社', ''],
    ],
  ],
  [
    'agreements',
    [
      ['契約コード', '契約名', '媒体ID', '組織名', '適用開始月', '登録番号', '取適法の対象か'],
      ['ＩＭ－１', '髙﨑 契約', '1', '髙﨑出版株式会社', '2026-01', '', '対象外'],
      ['IM-2', '①号館 契約', '1', '①号館合同会社', '', '', ''],
    ],
  ],
  [
    'terms',
    [
      ['契約コード', '適用開始月', '固定額（月額、円）', '支払期日', '支払下限額（円）'],
      ['IM-1', '2026/1', '１２，０００', '翌月末', ''],
      ['IM-1', '2026年4月', '15000', '', '5000'],
    ],
  ],
  [
    'rules',
    [
      ['契約コード', 'パブリッシャー名', '適用開始月', '自社広告の支払率（%）', 'SSPの支払率（%）', 'SSPの配分'],
      ['IM-1', '髙﨑ニュース', '2026-01', '50', '', ''],
      ['IM-1', '髙﨑ニュース', '2026-04', '37.5%', '10', 'はい'],
    ],
  ],
  [
    'opening-balances',
    [
      ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '適格請求書発行事業者', '引継月'],
      ['IM-1', '髙﨑ニュース', '2019/9', '２０，０００', '', '2026-10'],
      ['ＩＭ－１', '髙﨑ニュース', '202608', '-1500', 'はい', '2026年10月'],
    ],
  ],
  [
    'feeds',
    [
      ['パブリッシャー名', '媒体ID', 'フィード名', 'フィードのURL', '種別'],
      ['髙﨑ニュース', '1', '髙﨑 主要', 'https://takasaki.example/feed', 'gnf1'],
    ],
  ],
  [
    'users',
    [
      ['メールアドレス', 'ロール', '組織名', '担当する契約'],
      ['Im.Editor@Example.jp', 'パブリッシャーの担当者', '髙﨑出版株式会社', 'IM-1'],
      ['im.viewer@example.jp', 'パブリッシャーセンター閲覧者', '', ''],
    ],
  ],
]
/** A column of each kind that the round trip edits, and its new value. */
const EDITS: Readonly<Record<string, readonly [header: string, value: string]>> = {
  organizations: ['組織名', '髙﨑出版（改）'],
  publishers: ['よみがな', 'たかさき'],
  agreements: ['契約名', '髙﨑 契約（改）'],
  terms: ['固定額（月額、円）', '16000'],
  rules: ['自社広告の支払率（%）', '40.25'],
  'opening-balances': ['金額（税抜）', '0'],
  feeds: ['フィード名', '=髙﨑'],
  users: ['状態', '無効'],
}

test('books of an empty system are brought in, in Windows-31J; the same files again change nothing', async () => {
  for (const [kind, rows] of BOOKS) {
    const seen = await fixture.previewAndConfirm(kind, Buffer.from(encodeWindows31j(csvOf(...rows)).bytes))
    expect(fixture.counts(seen), kind).toEqual([...(kind === 'terms' ? [1, 1, 0, 0] : [rows.length - 1, 0, 0, 0])])
    const again = await fixture.preview(kind, csvOf(...rows))
    expect(fixture.counts(again), kind).toEqual([0, 0, rows.length - 1, 0])
    expect((await fixture.confirm(kind, again)).messages?.[0]).toContain('取り込む行がありません')
  }
})

test('a filled template comes back unchanged in every format, and one edited cell is exactly one change', async () => {
  for (const [kind] of BOOKS) {
    for (const format of ['xlsx', 'csv', 'csv-cp932']) {
      const { bytes, status } = await fixture.template(kind, { format })
      expect(status, kind).toBe(200)
      const seen = await fixture.preview(kind, bytes)
      expect(
        seen.rows.filter(({ state }) => state !== 'unchanged'),
        `${kind} ${format}`,
      ).toEqual([])
      expect(seen.unchangedCount).toBeGreaterThan(0)
    }
    const [header = '', value = ''] = EDITS[kind] ?? []
    const { bytes } = await fixture.template(kind, {})
    const [head = [], ...rows] = readCsv(bytes.toString('utf8')).map(row => [...row])
    const at = head.indexOf(header)
    expect(at, `${kind} ${header}`).toBeGreaterThanOrEqual(0)
    const edited = rows.at(-1) ?? []
    const before = edited[at] ?? ''
    edited[at] = value
    const seen = await fixture.preview(kind, csvOf(head, ...rows))
    const changed = seen.rows.filter(({ state }) => state !== 'unchanged')
    expect(
      changed.map(({ changes, refusals }) => [changes, refusals]),
      kind,
    ).toEqual([[[{ header, before, after: value }], []]])
  }
})
