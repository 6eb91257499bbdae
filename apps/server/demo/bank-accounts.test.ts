import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { importBankMaster, packagedBankMaster } from '@pc/features/bank-accounts/server/import-bank-master.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { DEMO_BANKS, insertBankAccounts } from '../../../demo/demo-bank-accounts.ts'
import { insertMasterData } from '../../../demo/demo-master-data.ts'
import { insertPayer } from './books.ts'
import { prepareDemoBank } from './transfers.ts'

const tested = await testDatabase()
afterAll(() => tested.drop())

test('the accounts of the demonstration are at banks that the real master takes over', async () => {
  const day = '2026-11-19' as Day
  await tested.database.inScope(SYSTEM, async tx => {
    await insertMasterData(tx, { first: day, last: day })
    await insertBankAccounts(tx, 202510 as YearMonth)
  })
  const master = await packagedBankMaster()
  const kept = new Set(['0001', '0009', '0134', '0149'])
  const banks = master.banks.filter(bank => kept.has(bank.code))
  const done = await tested.database.inScope(SYSTEM, tx => importBankMaster(tx, { ...master, banks }))
  expect(done).toMatchObject({ banks: DEMO_BANKS.length, gone: 0 })

  const rows = await tested.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('agreements')
      .leftJoin('agreementBankAccounts as use', 'use.agreementId', 'agreements.id')
      .leftJoin('bankAccounts as account', 'account.id', 'use.bankAccountId')
      .leftJoin('banks', 'banks.id', 'account.bankId')
      .leftJoin('bankBranches as branch', 'branch.id', 'account.bankBranchId')
      .select(['agreements.code', 'account.state', 'account.holder', 'use.usedFromMonth'])
      .select(['banks.name as bank', 'branch.name as branch'])
      .orderBy('agreements.id')
      .execute(),
  )
  expect(rows.filter(row => row.state === null).map(row => row.code)).toEqual(['YNG-1'])
  expect(rows.filter(row => row.state !== null && row.state !== 'approved')).toEqual([])
  expect(rows[0]).toEqual({
    ...{ code: 'ASG-1', state: 'approved', holder: 'ｶ)ｱｻｷﾞﾘｼﾝﾌﾞﾝｼﾔ', usedFromMonth: 202510 },
    ...{ bank: 'みずほ', branch: '本店' },
  })
  const named = new Map(banks.map(bank => [bank.code, bank]))
  for (const { branch, ...bank } of DEMO_BANKS) {
    expect(named.get(bank.code)).toMatchObject(bank)
    expect(named.get(bank.code)?.branches[branch.code]).toMatchObject(branch)
  }
})

test('who pays is the same company on statements and in transfer files', async () => {
  const [payer, source] = await tested.database.inScope(SYSTEM, async tx => {
    await insertPayer(tx)
    await prepareDemoBank(tx)
    return [
      await tx.selectFrom('statementSettings').select('payerName').executeTakeFirstOrThrow(),
      await tx.selectFrom('transferSources').select('clientName').executeTakeFirstOrThrow(),
    ]
  })
  expect([payer.payerName, source.clientName]).toEqual(['株式会社デモメディア', 'ｶ)ﾃﾞﾓﾒﾃﾞｲｱ'])
})
