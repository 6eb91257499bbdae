import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { expect, test } from 'vitest'

/** Cells that are unusual and legal: each is refused at its row, and the file is previewed. */
const fixture = importFixture()
/** A character of two UTF-16 units: where a text is cut between them, PostgreSQL refuses it. */
const PAIR = '𠮷'
const AGREEMENT = ['ALPHA-1', 'ALPHA 新聞 1', '2027-01'] as const
const OVER_BIGINT = ['9223372036854775808', '-9223372036854775809', '99999999999999999999']

async function reasonsOf(kind: string, ...rows: readonly (readonly string[])[]) {
  const seen = await fixture.preview(kind, csvOf(...rows))
  return seen.rows.map(({ refusals }) => refusals.map(({ header, text }) => `${header}: ${text}`).join())
}

test('a long name that nothing is found by is repeated in whole characters', async () => {
  const long = (length: number) => `${'a'.repeat(length - 1)}${PAIR}${'b'.repeat(20)}`
  const shown = `${'a'.repeat(99)}${PAIR}…`
  const ofOrganization = await reasonsOf('publishers', ['組織名', 'パブリッシャー名'], [long(100), '夕刊'])
  expect(ofOrganization).toEqual([expect.stringContaining(`組織名: 組織「${shown}」がありません`)])
  const ofTerms = await reasonsOf('terms', ['契約コード', '適用開始月'], [long(100), '2027-01'])
  expect(ofTerms).toEqual([expect.stringContaining(`契約コード: 契約「${shown}」がありません`)])
  const account = ['1', '100', long(90)]
  const ofAccount = await reasonsOf(
    'agreement-accounts',
    ['契約コード', '利用開始月', '銀行コード', '支店コード', '口座番号'],
    ['ALPHA-1', '2027-01', ...account],
  )
  expect(ofAccount).toEqual([expect.stringContaining('口座番号: 口座「')])
  const header = await fixture.upload('organizations', csvOf(['組織名', long(50)], ['甲', '乙']))
  expect(header.messages?.[0]).toContain(`見出し「${'a'.repeat(49)}${PAIR}…」があります`)
})

test('an amount that no column of the database can hold is refused at its cell', async () => {
  for (const amount of OVER_BIGINT) {
    const rules = await reasonsOf(
      'rules',
      ['契約コード', 'パブリッシャー名', '適用開始月', '固定額（月額、円）', '最低保証額（月額、円）'],
      [...AGREEMENT, amount, amount],
    )
    expect(rules, amount).toEqual([
      expect.stringMatching(/^固定額（月額、円）: .*大きすぎ.*,最低保証額（月額、円）: .*大きすぎ/),
    ])
    const terms = await reasonsOf(
      'terms',
      ['契約コード', '適用開始月', '支払下限額（円）'],
      ['ALPHA-1', '2027-01', amount],
    )
    expect(terms, amount).toEqual([expect.stringMatching(/^支払下限額（円）: .*大きすぎ/)])
    const balances = await reasonsOf(
      'opening-balances',
      ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '引継月'],
      ['ALPHA-1', 'ALPHA 新聞 1', '2026-01', amount, '2026-11'],
    )
    expect(balances, amount).toEqual([expect.stringMatching(/^金額（税抜）: .*大きすぎ/)])
  }
})

test('a file keeps a name that can be shown, whatever it was called', async () => {
  const nameOf = async (name: string) => {
    const sent = await fixture.upload('organizations', csvOf(['組織名'], ['名前の組織']), 'admin', name)
    expect(sent.messages, JSON.stringify(sent)).toBeUndefined()
    return fixture.inDatabase(async tx => {
      const row = tx
        .selectFrom('imports')
        .select('fileName')
        .where('id', '=', BigInt(sent.importId ?? 0))
      return (await row.executeTakeFirstOrThrow()).fileName
    })
  }
  expect(await nameOf('a\0b\n.csv')).toBe('ab .csv')
  expect(await nameOf(`${'a'.repeat(254)}${PAIR}.csv`)).toBe(`${'a'.repeat(254)}${PAIR}`)
  expect(await nameOf('\0')).toBe('organizations')
})
