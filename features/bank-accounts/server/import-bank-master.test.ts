import { decide } from '@pc/domain/access/decide.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchBanks, searchBranches } from './bank-store.ts'
import { type BankMaster, hasBankMaster, importBankMaster, packagedBankMaster } from './import-bank-master.ts'

let own: TestDatabase
const master = await packagedBankMaster()
const permit = decide(
  {
    uid: '01900000-0000-7000-8000-000000000001',
    email: 'a@example.jp',
    roles: ['insight:viewer'],
    organizationId: null,
    scope: { kind: 'all' },
  },
  'read:list',
  'insight:bank_account.',
)
const importing = (given: BankMaster) => own.database.inScope(SYSTEM, tx => importBankMaster(tx, given))
const page = { limit: 20, offset: 0 }
type Order = Parameters<typeof searchBanks>[2]
const banks = (q: string, order?: Order) => {
  if (!permit) throw new Error('no permit')
  return searchBanks(own.database, searchWords(q), order, page, permit)
}
const branches = (bankId: bigint, q: string, order?: Order) => {
  if (!permit) throw new Error('no permit')
  return searchBranches(own.database, bankId, searchWords(q), order, page, permit)
}
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

test('the whole country is imported, and again without a change', async () => {
  const started = performance.now()
  const done = await importing(master)
  console.warn(
    `bank master ${master.version}: ${done.banks} banks, ${done.branches} branches in ${(performance.now() - started).toFixed(0)} ms`,
  )
  expect(done.banks).toBeGreaterThan(1_100)
  expect(done.branches).toBeGreaterThan(28_000)
  expect(done.gone).toBe(0)
  const ids = () =>
    own.database.inScope(SYSTEM, tx => tx.selectFrom('banks').select(['id', 'code']).orderBy('code').execute())
  const before = await ids()
  expect(await importing(master)).toEqual(done)
  expect(await ids()).toEqual(before)
  expect(await own.database.inScope(SYSTEM, tx => hasBankMaster(tx, master.version))).toBe(true)
  expect(await own.database.inScope(SYSTEM, tx => hasBankMaster(tx, 'later'))).toBe(false)
})

test.each(['みずほ', 'ミズホ', 'ﾐｽﾞﾎ', '0001', 'mizuho', 'MIZUHO'])('a bank is found by %s', async q => {
  expect((await banks(q)).nodes[0]).toMatchObject({ code: '0001', name: 'みずほ' })
})

test('a branch is found in its bank, in every writing of its kana', async () => {
  const [bank] = (await banks('0001')).nodes
  const id = bank?.id ?? 0n
  for (const q of ['東京中央', 'とうきょうちゅうおう', 'トウキヨウチユウオウ', 'ﾄｳｷｮｳﾁｭｳｵｳ', '110']) {
    expect((await branches(id, q)).nodes[0], q).toMatchObject({ code: '110', name: '東京中央' })
  }
  expect((await branches(id, '')).total).toBeGreaterThan(100)
  expect((await banks('%')).total).toBe(0)
})

test('the common orders; an import changes only what differs', async () => {
  const codes = async (order: Order) => (await banks('', order)).nodes.map(bank => bank.code)
  const [newest] = master.banks
  if (!newest) throw new Error('no bank')
  const renamed = { ...newest, name: `${newest.name}改` }
  await importing({ version: 'renamed', banks: [...master.banks.filter(bank => bank !== newest), renamed] })
  const ascending = await codes('ID_ASC')
  expect(ascending).toHaveLength(20)
  expect((await codes('UPDATEDAT_DESC'))[0]).toBe(newest.code)
  await importing(master)
  const rows = await own.database.inScope(SYSTEM, tx => tx.selectFrom('banks').select(['code', 'updatedAt']).execute())
  const last = Math.max(...rows.map(row => row.updatedAt.getTime()))
  expect(rows.filter(row => row.updatedAt.getTime() === last).map(row => row.code)).toEqual([newest.code])
  for (const [order, first] of [
    ['ID_ASC', ascending[0]],
    ['CREATEDAT_ASC', ascending[0]],
  ] as const)
    expect((await codes(order))[0]).toBe(first)
  const [bank] = (await banks('0001')).nodes
  const ids = (await branches(bank?.id ?? 0n, '', 'ID_DESC')).nodes.map(branch => branch.id)
  expect(ids).toEqual(ids.toSorted((a, b) => Number(b - a)))
})

test('what vanishes stays readable but cannot be chosen, and may come back', async () => {
  const [first] = master.banks
  if (!first) throw new Error('no bank')
  const [gone = ''] = Object.keys(first.branches)
  const { [gone]: _gone, ...kept } = first.branches
  const later = { version: 'later', banks: [{ ...first, branches: kept }, ...master.banks.slice(2)] }
  const lost = 1 + Object.keys(master.banks[1]?.branches ?? {}).length + 1
  expect((await importing(later)).gone).toBe(lost)
  expect((await banks(master.banks[1]?.code ?? '')).nodes.some(one => one.code === master.banks[1]?.code)).toBe(false)
  const rows = await own.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('banks')
      .select(['code', 'isGone'])
      .where('code', '=', master.banks[1]?.code ?? '')
      .execute(),
  )
  expect(rows).toEqual([{ code: master.banks[1]?.code, isGone: true }])
  expect((await importing(master)).gone).toBe(0)
})

test('an empty master is no master', async () => {
  await expect(importing({ version: 'x', banks: [] })).rejects.toThrow('empty')
})
