import { sampleHolidayCalendar } from '@pc/domain/month/sample-holidays.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { agreementFixture } from '@pc/testing/system/agreement-fixture.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkLaw, type LawBreach } from './check-law-job.ts'

const fixture = agreementFixture()

const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => fixture.system.dependencies.database.inScope(SYSTEM, work)
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
  const { database, jobs } = fixture.system.dependencies
  const clock = fixedClock(`${on}T06:20:00+09:00`)
  return checkLaw({
    ...{ database, jobs, clock, webOrigin: 'http://x.example' },
    readHolidayCalendar: async () => sampleHolidayCalendar(),
    readLateRevenue: async () => late,
  })
}

test('what was saved before it was wrong is found at night and reported once, until it is cured', async () => {
  const { agreement } = await fixture.upsert('insight:editor', {
    ...{ ...fixture.base(), name: '前からの契約', feePaidBy: 'publisher' },
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
  const { users } = fixture.system.rows
  const sent = await mails()
  expect(sent.map(mail => mail.to)).toEqual([users['insight:admin'].email, users['insight:editor'].email].toSorted())
  expect(sent[0]?.subject).toBe('【法令の確認】1件の契約に、確認が必要な点があります')
  expect(sent[0]?.text).toContain('手数料の負担を当社に変更してください')
  expect(sent[0]?.text).toContain('「前からの契約」')

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
  const { agreement } = await fixture.upsert('insight:editor', {
    ...{ ...fixture.base(), name: '保護される支払先', code: 'LAW-2' },
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
  const refused = await fixture.refusals(
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

test('a fee that is taken off a payee of unknown coverage is told once', async () => {
  const { agreement } = await fixture.upsert('insight:editor', {
    ...{ ...fixture.base(), name: '対象か分からない', code: 'LAW-3', feePaidBy: 'publisher' },
    ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' },
  })
  if (!agreement) throw new Error('the agreement was refused')
  const becomes = (freelanceCoverage: 'unknown' | 'not_covered') =>
    inBooks(tx =>
      tx.updateTable('agreements').set({ freelanceCoverage }).where('id', '=', BigInt(agreement.id)).execute(),
    )
  await check()
  await becomes('unknown')
  expect(await check()).toBe(1)
  expect((await mails()).at(-1)?.text).toContain('対象か未確認のまま、振込手数料をパブリッシャーの負担にしています')
  expect(await check(), 'not every night').toBe(0)
  await becomes('not_covered')
  expect(await check()).toBe(0)
})

const notices = (like: string) =>
  inBooks(async tx => {
    const { rows } = await sql<{ id: bigint; rule: string }>`
      select agreement_id as id, rule_id as rule from agreement_law_notices where rule_id like ${like}`.execute(tx)
    return rows
  })
/** Of a protected payee, with terms from January 2026 on. */
async function protectedPayee(name: string): Promise<bigint> {
  const { agreement } = await fixture.upsert('insight:editor', {
    ...{ ...fixture.base(), name, code: name, isShiftAgreedInWriting: true },
    ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'covered' },
  })
  if (!agreement) throw new Error('the agreement was refused')
  const id = BigInt(agreement.id)
  await inBooks(tx => sql`update agreements set valid_from_month = 202601 where id = ${id}`.execute(tx))
  return id
}
const settingsFrom = (month: number, shift: 'next' | 'previous') =>
  inBooks(tx =>
    sql`insert into payment_settings (valid_from_month, payout_threshold_yen, business_day_shift)
      values (${month}, 1, ${shift}) on conflict (valid_from_month) do update set business_day_shift = ${shift}`.execute(
      tx,
    ),
  )
const noSettingsFrom = (month: number) =>
  inBooks(tx => sql`delete from payment_settings where valid_from_month = ${month}`.execute(tx))

test('terms that begin later are announced before they do, once', async () => {
  await inBooks(tx => sql`update payment_settings set business_day_shift = 'previous'`.execute(tx))
  const id = await protectedPayee('次の条件')
  await check()
  await inBooks(tx =>
    sql`insert into agreement_terms_versions (agreement_id, valid_from_month, fee_paid_by, payment_timing,
        minimum_revenue_type, fixed_revenue_yen, minimum_revenue_yen, payout_threshold_yen)
      select id, 202610, 'publisher', payment_timing, minimum_revenue_type, fixed_revenue_yen, minimum_revenue_yen,
        payout_threshold_yen from agreements where id = ${id}`.execute(tx),
  )
  expect(await check([], '2026-08-06')).toBe(1)
  expect(await notices('%fee%')).toMatchObject([{ id }])
  expect((await mails()).at(-1)?.text).toContain('2026-10分から適用する条件：')
  expect(await check([], '2026-10-01'), 'it has been told').toBe(0)
  await inBooks(tx =>
    sql`delete from agreement_terms_versions where agreement_id = ${id} and valid_from_month = 202610`.execute(tx),
  )
  await check()
})

test('holidays move payments by the setting in force in each month, until they are paid', async () => {
  const id = await protectedPayee('年末の支払')
  await check([], '2026-08-10')
  expect(await notices('shift/%')).toEqual([])
  await settingsFrom(202610, 'next')
  await check([], '2026-08-10')
  const sent = await notices('shift/2026-11')
  expect(sent).toContainEqual({ id, rule: 'shift/2026-11' })
  await check([], '2026-12-05')
  expect(await notices('shift/2026-11'), 'it is still to be paid').toEqual(sent)
  await check([], '2027-01-05')
  expect(await notices('shift/2026-11')).toEqual([])
  await settingsFrom(202610, 'previous')
  await inBooks(tx =>
    sql`update payment_settings set business_day_shift = 'next' where valid_from_month < 202610`.execute(tx),
  )
  await check([], '2026-08-10')
  expect(await notices('shift/%'), 'November is paid on 30 December').toEqual([])
  await noSettingsFrom(202610)
  await inBooks(tx => sql`update payment_settings set business_day_shift = 'previous'`.execute(tx))
})

test('what nobody could be notified of is sent when somebody is there', async () => {
  const agreementId = await protectedPayee('誰もいない')
  await check()
  const { users } = fixture.system.rows
  const emails = [users['insight:admin'].email, users['insight:editor'].email]
  const confirmed = (at: Date | null) =>
    inBooks(tx => tx.updateTable('users').set({ emailVerifiedAt: at }).where('email', 'in', emails).execute())
  const late = [{ agreementId, id: 'late/2026-05/x', text: '2026-05分の収益が法定の期限を過ぎます。' }]
  await confirmed(null)
  expect(await check(late)).toBe(0)
  await confirmed(new Date())
  expect(await check(late)).toBe(1)
  expect((await mails()).at(-1)?.text).toContain('「誰もいない」')
})
