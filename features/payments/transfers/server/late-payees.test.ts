import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { month, startStatementFixture } from '@pc/testing/system/statement-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { statementJobHandlers } from '../../../statements/server/statement-jobs.ts'

/** A payee without a user: the board says so, silence confirms nothing, and a later user is notified and has its days. */
const { system, clock, inBooks, ask, list, enter, finalize, entered, eventsOf } = await startStatementFixture()
afterAll(() => system.close())

const sent: { to: string; subject: string; text: string }[] = []
const jobs = {
  ...system.dependencies.jobs,
  enqueue: async (_tx: unknown, _kind: unknown, data: object) => void sent.push(data as never),
}
const parts = { ...system.dependencies.money.statements, jobs } as unknown as Parameters<typeof statementJobHandlers>[0]
const log = { info() {} } as unknown as Parameters<typeof statementJobHandlers>[1]
const nightly = statementJobHandlers(parts, log).find(({ kind }) => kind.name === 'deem-statements')!
const runNight = () => nightly.run({}, { id: '1', signal: new AbortController().signal, retries: 0 })

test('a payee without a user is named on the board; a later user is notified once, with the days from then on', async () => {
  const { id: organizationId } = await inBooks(tx =>
    tx.insertInto('organizations').values({ name: '郵送だけの会社' }).returning('id').executeTakeFirstOrThrow(),
  )
  const agreements = await entered(61n, organizationId, [sampleAgreement(1n, [sampleRule(101n, 9_000n)])])
  const input = month(61n, 202606, { agreements })
  await enter(input)
  const statementsCheck = async () => {
    const { json } = await ask(
      '{ monthCloseBoard(month: "2026-06") { mediumId checks { kind state detail } } }',
      'insight:admin',
    )
    const { monthCloseBoard } = json.data as {
      monthCloseBoard: { mediumId: string; checks: { kind: string; state: string; detail: string }[] }[]
    }
    return monthCloseBoard.find(row => row.mediumId === '61')!.checks.find(check => check.kind === 'statements')!
  }
  // Nothing that stops the close: paper can be sent.
  expect(await statementsCheck()).toEqual({
    ...{ kind: 'statements', state: 'green' },
    detail:
      '支払通知書に必要な項目がそろっています。通知先がありません：1件の支払先（「郵送だけの会社」）にユーザーがいないため、通知もみなし確認もされません。送付したら、支払通知書の画面で記録してください。',
  })
  expect((await finalize(input)).json.errors).toBeUndefined()
  const [statement] = (await list('insight:admin', { mediumId: '61' })).nodes
  expect(statement).toMatchObject({ state: 'issued', deemedOn: '2026-08-19' })

  clock.set('2026-12-01T00:10:00+09:00')
  await runNight()
  const mailsTo = (address: string) => sent.filter(mail => mail.to === address)
  const shownTo = async (as: string) => (await list(as, { mediumId: '61' })).nodes[0]!
  const stateOf = async () => (await shownTo('insight:admin')).state
  expect(await stateOf()).toBe('issued')

  const email = 'ato.kara@example.jp'
  await inBooks(async tx => {
    const { uid } = await tx
      .insertInto('users')
      .values({ email, organizationId })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid, roleName: 'insight:publisher_admin' }).execute()
  })
  await runNight()
  await runNight()
  expect(mailsTo(email)).toHaveLength(1)
  expect(mailsTo(email)[0]!.subject).toContain('2026年6月分の支払通知書')
  // Fourteen days as from the issue, not the printed day, which is long over.
  expect(mailsTo(email)[0]!.text).toContain('2026年12月15日までにご連絡がない場合')
  expect(mailsTo(email)[0]!.text).not.toContain('8月19日')
  expect((await shownTo('insight:admin')).deemedOn).toBe('2026-12-15')
  const bell = await inBooks(tx =>
    tx
      .selectFrom('announcements as a')
      .innerJoin('announcementTargets as t', 't.announcementId', 'a.id')
      .select(['a.body', 'a.endAt'])
      .where('t.organizationId', '=', organizationId)
      .executeTakeFirstOrThrow(),
  )
  expect(bell.body).toContain('2026年12月15日')
  expect(bell.endAt?.toISOString()).toBe('2026-12-22T15:00:00.000Z')

  clock.set('2026-12-15T23:59:00+09:00')
  await runNight()
  expect(await stateOf()).toBe('issued')
  clock.set('2026-12-16T00:10:00+09:00')
  await runNight()
  expect(await stateOf()).toBe('confirmed')
  expect((await eventsOf(statement!.id)).map(each => each.event)).toEqual(['deem'])
  expect(mailsTo(email)).toHaveLength(1)
})
