import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'

/** What an agreement says in a month: its terms and its account, before the first, at each change, and to come. */
const fixture = agreementFixture()
const { base, send, upsert } = fixture
const AS_OF = `query Q($id: ID!, $month: Int) { agreement(id: $id, asOfMonth: $month) {
  name feePaidBy paymentTiming fixedRevenue minimumRevenue payoutThreshold minimumRevenueType
  inUseAgreementBankAccount { bankAccountId usedFromMonth } termsHistory { validFromMonth } } }`
interface Shown {
  readonly name: string
  readonly feePaidBy: string | null
  readonly fixedRevenue: number | null
  readonly minimumRevenue: number | null
  readonly inUseAgreementBankAccount: { readonly usedFromMonth: number } | null
  readonly termsHistory: readonly { readonly validFromMonth: number }[]
}
const shownIn = async (id: string, month?: number) =>
  dataOf<{ agreement: Shown }>(await send('insight:viewer', AS_OF, { id, month })).agreement

/** 1,000 yen from December 2025, 2,000 from January 2026, 3,000 from three months ahead. */
async function threeTerms(): Promise<string> {
  const { agreement } = await upsert('insight:admin', { ...base(), fixedRevenue: 1_000, validFromMonth: 202512 })
  const id = agreement?.id ?? ''
  await upsert('insight:admin', { id, fixedRevenue: 2_000, validFromMonth: 202601 })
  await upsert('insight:admin', { id, fixedRevenue: 3_000, feePaidBy: 'publisher', validFromMonth: monthFromNow(3) })
  return id
}

describe('terms', () => {
  test('change with the first day of a month, also over the end of a year; before the first there are none', async () => {
    const id = await threeTerms()
    const fixed: Record<number, number | null> = {}
    for (const month of [202511, 202512, 202601, monthFromNow(0), monthFromNow(2), monthFromNow(3), 205012])
      fixed[month] = (await shownIn(id, month)).fixedRevenue
    expect(fixed).toEqual({
      202511: null,
      202512: 1_000,
      202601: 2_000,
      [monthFromNow(0)]: 2_000,
      [monthFromNow(2)]: 2_000,
      [monthFromNow(3)]: 3_000,
      205012: 3_000,
    })
    expect((await shownIn(id, 202511)).feePaidBy).toBeNull()
    expect((await shownIn(id, monthFromNow(3))).feePaidBy).toBe('publisher')
  })

  test('that are to come are in the history, but not in what holds today, alone or in the list', async () => {
    const id = await threeTerms()
    const now = await shownIn(id)
    expect(now).toMatchObject({ fixedRevenue: 2_000, feePaidBy: 'product' })
    expect(now.termsHistory.map(version => version.validFromMonth)).toEqual([202512, 202601, monthFromNow(3)])
    const list = '{ agreements(limit: 100, offset: 0, orderBy: ID_DESC) { nodes { id fixedRevenue feePaidBy } } }'
    const { nodes } = dataOf<{ agreements: { nodes: { id: string }[] } }>(await send('insight:viewer', list)).agreements
    expect(nodes.find(node => node.id === id)).toMatchObject({ fixedRevenue: 2_000, feePaidBy: 'product' })
  })

  test('of one field leave the others of later months alone', async () => {
    const id = await threeTerms()
    await upsert('insight:admin', { id, minimumRevenue: 500, validFromMonth: 202601 })
    expect(await shownIn(id, 202512)).toMatchObject({ fixedRevenue: 1_000, minimumRevenue: 0 })
    expect(await shownIn(id, monthFromNow(0))).toMatchObject({ fixedRevenue: 2_000, minimumRevenue: 500 })
    expect(await shownIn(id, monthFromNow(3))).toMatchObject({ fixedRevenue: 3_000, minimumRevenue: 0 })
  })

  test('are the same for every order in which they were noted', async () => {
    const terms = [
      { fixedRevenue: 1_000, validFromMonth: 202512 },
      { fixedRevenue: 2_000, validFromMonth: 202601 },
      { fixedRevenue: 3_000, validFromMonth: 202603 },
    ]
    const [first, second, third] = terms as [object, object, object]
    const shown: unknown[] = []
    for (const order of [
      [first, second, third],
      [third, first, second],
      [second, third, first],
    ]) {
      const { agreement } = await upsert('insight:admin', { ...base(), ...order[0] })
      const id = agreement?.id ?? ''
      for (const next of order.slice(1)) await upsert('insight:admin', { id, ...next })
      const months = [202512, 202601, 202602, 202603]
      shown.push(await Promise.all(months.map(async month => (await shownIn(id, month)).fixedRevenue)))
    }
    expect(shown).toEqual([
      [1_000, 2_000, 2_000, 3_000],
      [1_000, 2_000, 2_000, 3_000],
      [1_000, 2_000, 2_000, 3_000],
    ])
  })
})

test('the account of a month is the one in use then', async () => {
  const id = await threeTerms()
  const accounts = [{ bankAccountId: String(fixture.system.rows.a.bankAccountIds[0]), usedFromMonth: 202602 }]
  await upsert('insight:admin', { id }, { accounts })
  expect((await shownIn(id, 202601)).inUseAgreementBankAccount).toBeNull()
  for (const month of [202602, monthFromNow(0), monthFromNow(12)])
    expect((await shownIn(id, month)).inUseAgreementBankAccount).toMatchObject({ usedFromMonth: 202602 })
})

test('a month that is none is refused; a publisher sees the agreement as of a month without what is for staff', async () => {
  const id = await threeTerms()
  for (const month of [202600, 202613, 202011, -1, 0, 2_026_010])
    expect(refusalsOf(await send('insight:viewer', AS_OF, { id, month })), String(month)).toEqual([
      ['month/not-a-month', 'asOfMonth'],
    ])
  const own = await send('insight:publisher_admin', AS_OF, { id, month: 202512 })
  expect((own.json.data as { agreement: Shown }).agreement).toMatchObject({ name: '新しい契約', fixedRevenue: null })
  expect(own.json.errors?.every(error => error.extensions.code === 'FORBIDDEN')).toBe(true)
  expect(own.text).not.toContain('1000')
  const foreign = await send('ofB', AS_OF, { id, month: 202512 })
  expect(foreign.json.data).toEqual({ agreement: null })
})
