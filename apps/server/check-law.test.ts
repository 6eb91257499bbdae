import { sampleHolidayCalendar } from '@pc/domain/month/sample-holidays.ts'
import { checkLaw, type LawBreach } from '@pc/features/agreements/server/check-law-job.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agreementTestBed } from './agreement-test-bed.ts'

const bed = agreementTestBed()

const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => bed.system.parts.database.inScope(SYSTEM, work)
const mails = () =>
  inBooks(async tx => {
    const { rows } = await sql<{ to: string; subject: string; text: string }>`
      select data ->> 'to' as to, data ->> 'subject' as subject, data ->> 'text' as text
      from pgboss.job where name = 'mail' and data ->> 'subject' like '【法令の確認】%' order by created_on, 1`.execute(
      tx,
    )
    return rows
  })
const check = (late: readonly LawBreach[] = [], on = '2026-08-05') => {
  const { database, jobs } = bed.system.parts
  const clock = fixedClock(`${on}T06:20:00+09:00`)
  return checkLaw({
    ...{ database, jobs, clock, webOrigin: 'http://x.example' },
    readHolidayCalendar: async () => sampleHolidayCalendar(),
    readLateRevenue: async () => late,
  })
}

test('what was saved before it was wrong is found at night and told once, until it is cured', async () => {
  const { agreement } = await bed.upsert('insight:editor', {
    ...{ ...bed.base(), name: '前からの契約', feePaidBy: 'publisher' },
    ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' },
  })
  if (!agreement) throw new Error('the agreement was refused')
  const id = BigInt(agreement.id)
  const covers = (freelanceCoverage: 'covered' | 'not_covered') =>
    inBooks(tx => tx.updateTable('agreements').set({ freelanceCoverage }).where('id', '=', id).execute())
  expect(await check()).toBe(0)

  await covers('covered')
  expect((await Promise.all([check(), check()])).toSorted()).toEqual([0, 1])
  expect(await check()).toBe(0)
  const { users } = bed.system.rows
  const told = await mails()
  expect(told.map(mail => mail.to)).toEqual([users['insight:admin'].email, users['insight:editor'].email].toSorted())
  expect(told[0]?.subject).toBe('【法令の確認】1件の契約に、確認が必要な点があります')
  expect(told[0]?.text).toContain('手数料の負担を当社に変更してください')
  expect(told[0]?.text).toContain('「前からの契約」')

  await covers('not_covered')
  expect(await check()).toBe(0)
  await covers('covered')
  expect(await check(), 'it came back').toBe(1)
  expect(await mails()).toHaveLength(4)

  // What has ended is not judged.
  await covers('not_covered')
  await check()
  await covers('covered')
  await inBooks(tx =>
    tx
      .updateTable('agreements')
      .set({ terminatedAt: new Date('2026-08-01T00:00:00+09:00') })
      .where('id', '=', id)
      .execute(),
  )
  expect(await check()).toBe(0)
})

test("the payer's threshold and its holidays count, and revenue that is late", async () => {
  const { agreement } = await bed.upsert('insight:editor', {
    ...{ ...bed.base(), name: '保護される支払先', code: 'LAW-2' },
    ...{ smallSupplierCoverage: 'covered', freelanceCoverage: 'not_covered', isShiftAgreedInWriting: true },
  })
  if (!agreement) throw new Error('the agreement was refused')
  const agreementId = BigInt(agreement.id)
  const late = { agreementId, id: 'late/2026-05/returned', text: '2026-05分の収益が法定の期限を過ぎます。' }
  expect(await check([late])).toBe(1)
  expect((await mails()).at(-1)?.text).toContain(late.text)

  const settings = (parts: { payoutThresholdYen?: bigint; businessDayShift?: string }) =>
    inBooks(tx => tx.updateTable('paymentSettings').set(parts).execute())
  await settings({ payoutThresholdYen: 5_000n })
  expect(await check([late])).toBe(1)
  expect((await mails()).at(-1)?.text).toContain('支払の下限額を1円にしてください')
  const refused = await bed.refusals(
    'insight:editor',
    'mutation U($input: AgreementInput!) { upsertAgreement(input: $input) { id } }',
    { input: { id: agreement.id, name: 'また保存する' } },
  )
  expect(refused, 'who saves it is told as well').toEqual(['agreement/law input.payoutThreshold'])

  await settings({ payoutThresholdYen: 1n, businessDayShift: 'next' })
  expect(await check([late])).toBe(1)
  expect((await mails()).at(-1)?.text).toContain('2026-11分の支払期日（2027年1月4日）')
  expect(await check([late]), 'each once').toBe(0)
})
