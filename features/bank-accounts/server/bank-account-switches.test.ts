import { addDays, type Day } from '@pc/domain/month/day.ts'
import { tokyoDayOf } from '@pc/domain/month/tokyo-day.ts'
import { switchAgreementAccount } from '@pc/features/agreements/server/switch-agreement-account.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type SwitchAgreement, switchBankAccounts } from './switch-bank-accounts.ts'

const fixture = agreementFixture()
const { auditCount, base, send, upsert } = fixture
const USES = `query Q($organizationId: ID) { bankAccounts(limit: 50, offset: 0, param: { organizationId: $organizationId }) {
  nodes { id uses { agreementId state fromMonth refusal } } } }`

describe('an account that is asked for with its agreements', () => {
  const run = <T>(work: Parameters<typeof fixture.system.dependencies.database.inScope<T>>[1]) =>
    fixture.system.dependencies.database.inScope(SYSTEM, work)
  const first = () => String(fixture.system.rows.a.bankAccountIds[0])
  let numbers = 0
  const request = (agreementIds: readonly unknown[], as = 'insight:publisher_admin', key?: string) =>
    send(
      as,
      'mutation M($input: BankAccountInput!, $key: String) { createBankAccount(input: $input, idempotencyKey: $key) { id uses { agreementId state } } }',
      {
        key,
        input: {
          ...{ bankId: String(fixture.system.rows.a.bankId), bankBranchId: String(fixture.system.rows.a.bankBranchId) },
          ...{ typeName: 'ordinary', number: String(6_000_000 + (key ? 0 : ++numbers)), holder: 'ｱｵｿﾞﾗ', agreementIds },
        },
      },
    )
  const requested = async (agreementIds: readonly unknown[]) =>
    dataOf<{ createBankAccount: { id: string } }>(await request(agreementIds)).createBankAccount.id
  const approve = (id: string) =>
    send('insight:admin', 'mutation M($id: ID!) { approveBankAccount(id: $id) { state } }', { id })
  const cancel = (as: string, id: string) =>
    send(as, 'mutation M($id: ID!) { cancelBankAccountSwitches(id: $id) { id uses { state } } }', { id })
  const usable = (id: string, usableFrom: Day = tokyoDayOf(Date.now())) =>
    run(tx => tx.updateTable('bankAccounts').set({ usableFrom }).where('id', '=', BigInt(id)).execute())
  const switchAll = (switchAgreement: SwitchAgreement = switchAgreementAccount, signal?: AbortSignal) => {
    const { database, jobs } = fixture.system.dependencies
    return switchBankAccounts({ database, jobs, clock: systemClock, switchAgreement }, signal)
  }
  /** Runs the notices that wait, and returns what they mail to the publisher about an event; everything else is dropped. */
  const mailsOf = async (subject: string) => {
    const notices = await run(tx =>
      sql<{ data: object }>`delete from pgboss.job where name = 'bank-account-notice' returning data`.execute(tx),
    )
    const handler = fixture.system.dependencies.jobHandlers.find(({ kind }) => kind.name === 'bank-account-notice')!
    for (const { data } of notices.rows)
      await handler.run(data, { id: '1', signal: new AbortController().signal, retries: 0 })
    const mails = await run(tx =>
      sql<{ text: string; subject: string }>`delete from pgboss.job where name = 'mail'
        and data ->> 'to' = 'insight.publisher_admin@example.jp'
        returning data ->> 'text' as text, data ->> 'subject' as subject`.execute(tx),
    )
    return mails.rows.filter(mail => mail.subject.includes(subject)).map(mail => mail.text)
  }
  const dueWith = async (agreementIds: readonly string[]) => {
    const id = await requested(agreementIds)
    dataOf(await approve(id))
    await usable(id)
    await mailsOf('')
    return id
  }
  const newAgreement = async (month = monthFromNow(-2)) => {
    const { agreement } = await upsert(
      'insight:admin',
      { ...base(), name: `切り替える契約${++numbers}` },
      { accounts: [{ bankAccountId: first(), usedFromMonth: month }] },
    )
    return agreement!
  }
  const usableAccount = async () => {
    const id = await requested([])
    dataOf(await approve(id))
    await usable(id)
    return id
  }
  const usesOf = async (id: string, as = 'insight:publisher_admin') => {
    const data = dataOf<{ bankAccounts: { nodes: { id: string; uses: object[] }[] } }>(await send(as, USES))
    return data.bankAccounts.nodes.find(node => node.id === id)?.uses
  }
  const accountsOf = (agreementId: string) =>
    run(tx =>
      tx
        .selectFrom('agreementBankAccounts')
        .select(['bankAccountId', 'usedFromMonth'])
        .where('agreementId', '=', BigInt(agreementId))
        .orderBy('usedFromMonth')
        .execute(),
    )

  test('takes its place when it is approved and its waiting time is over, once', async () => {
    const agreement = await newAgreement()
    const id = await requested([agreement.id])
    expect(await usesOf(id)).toEqual([{ agreementId: agreement.id, state: 'planned', fromMonth: null, refusal: null }])
    await usable(id, null as never)
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    dataOf(await approve(id))
    // Approved, but still waiting.
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    await usable(id, addDays(tokyoDayOf(Date.now()), 1))
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    await usable(id)
    const before = await auditCount('change')
    // Two workers at once.
    const both = await Promise.all([switchAll(), switchAll()])
    expect(both.map(({ done }) => done).sort()).toEqual([0, 1])
    expect(await auditCount('change')).toBe(before + 1)
    expect(await usesOf(id)).toEqual([
      { agreementId: agreement.id, state: 'in_use', fromMonth: monthFromNow(0), refusal: null },
    ])
    expect(await accountsOf(agreement.id)).toEqual([
      { bankAccountId: BigInt(first()), usedFromMonth: monthFromNow(-2) },
      { bankAccountId: BigInt(id), usedFromMonth: monthFromNow(0) },
    ])
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    const shown = dataOf<{ agreement: { revision: number } }>(
      await send('insight:admin', 'query Q($id: ID!) { agreement(id: $id) { revision } }', { id: agreement.id }),
    )
    expect(shown.agreement.revision).toBe(agreement.revision + 1)
  })

  test('leaves months that are final as they are', async () => {
    const agreement = await newAgreement(monthFromNow(1))
    const id = await requested([agreement.id])
    dataOf(await approve(id))
    await usable(id)
    await fixture.finalize(1n, monthFromNow(1))
    try {
      expect(await switchAll()).toEqual({ done: 1, refused: 0 })
    } finally {
      await run(tx => tx.deleteFrom('monthClosings').where('month', '=', monthFromNow(1)).execute())
    }
    expect(await accountsOf(agreement.id)).toEqual([
      { bankAccountId: BigInt(first()), usedFromMonth: monthFromNow(1) },
      { bankAccountId: BigInt(id), usedFromMonth: monthFromNow(2) },
    ])
  })

  test('gives way to what was decided after the request, and to a newer request', async () => {
    const byHand = await newAgreement()
    const [older, newer] = [await requested([byHand.id]), await requested([byHand.id])]
    for (const id of [older, newer]) dataOf(await approve(id))
    // The newer one is usable first; the older one must not come back over it.
    await usable(newer)
    expect(await switchAll()).toEqual({ done: 1, refused: 0 })
    await usable(older)
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    expect((await accountsOf(byHand.id)).at(-1)?.bankAccountId).toBe(BigInt(newer))
    expect(await usesOf(older)).toEqual([])

    const [third, fourth] = [await requested([byHand.id]), await requested([byHand.id])]
    for (const id of [third, fourth]) dataOf(await approve(id))
    for (const id of [third, fourth]) await usable(id)
    expect(await switchAll()).toEqual({ done: 2, refused: 0 })
    expect((await accountsOf(byHand.id)).at(-1)?.bankAccountId).toBe(BigInt(fourth))

    const fifth = await requested([byHand.id])
    const { answer } = await upsert(
      'insight:admin',
      { id: byHand.id },
      { accounts: [{ bankAccountId: first(), usedFromMonth: monthFromNow(0) }] },
    )
    dataOf(answer)
    dataOf(await approve(fifth))
    await usable(fifth)
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    expect((await accountsOf(byHand.id)).at(-1)?.bankAccountId).toBe(BigInt(first()))
  })

  test('is stopped by staff alone, twice with one effect', async () => {
    const agreement = await newAgreement()
    const id = await requested([agreement.id])
    dataOf(await approve(id))
    for (const role of ['insight:publisher_admin', 'insight:editor', 'insight:viewer'])
      expect((await cancel(role, id)).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect(dataOf(await cancel('insight:admin', id))).toEqual({ cancelBankAccountSwitches: { id, uses: [] } })
    const audited = await auditCount('change')
    expect(dataOf(await cancel('insight:admin', id))).toEqual({ cancelBankAccountSwitches: { id, uses: [] } })
    expect(await auditCount('change')).toBe(audited)
    await usable(id)
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    expect(refusalsOf(await cancel('insight:admin', '999999'))).toEqual([['record/not-found', 'id']])
  })

  test('that vanished meanwhile is not used, and says why until it is decided', async () => {
    const agreement = await newAgreement()
    const id = await requested([agreement.id])
    dataOf(await approve(id))
    await usable(id)
    const branch = (isGone: boolean) =>
      run(tx =>
        tx.updateTable('bankBranches').set({ isGone }).where('id', '=', fixture.system.rows.a.bankBranchId).execute(),
      )
    await branch(true)
    try {
      expect(await switchAll()).toEqual({ done: 0, refused: 1 })
      expect(await switchAll()).toEqual({ done: 0, refused: 1 })
      expect(await usesOf(id)).toMatchObject([{ state: 'planned', refusal: expect.stringContaining('銀行') }])
    } finally {
      await branch(false)
    }
    expect(await switchAll()).toEqual({ done: 1, refused: 0 })
    expect(await usesOf(id)).toMatchObject([{ state: 'in_use', refusal: null }])
  })

  test('names agreements of its own organisation only, and the same request twice is one', async () => {
    const agreement = await newAgreement()
    const foreign = String(fixture.system.rows.b.agreementIds[0])
    expect(refusalsOf(await request([agreement.id, foreign]))).toEqual([
      ['bank-account/agreement-unknown', 'input.agreementIds.1'],
    ])
    const twice = [
      await request([agreement.id, agreement.id], undefined, 'k1'),
      await request([agreement.id, agreement.id], undefined, 'k1'),
    ]
    expect(dataOf(twice[0]!)).toEqual(dataOf(twice[1]!))
    expect(dataOf<{ createBankAccount: { uses: object[] } }>(twice[0]!).createBankAccount.uses).toHaveLength(1)
  })

  test('is told of once, each agreement by name, however often a run is stopped', async () => {
    const [one, second, third] = [await newAgreement(), await newAgreement(), await newAgreement()]
    await dueWith([one.id, second.id, third.id])
    // The worker ends after the first agreement, and meanwhile somebody decides about the last one.
    const stopped = new AbortController()
    const onlyOne: SwitchAgreement = (...of) => {
      stopped.abort()
      return switchAgreementAccount(...of)
    }
    expect(await switchAll(onlyOne, stopped.signal)).toEqual({ done: 1, refused: 0 })
    const again = [{ bankAccountId: await usableAccount(), usedFromMonth: monthFromNow(0) }]
    for (const { id } of [second, third]) dataOf((await upsert('insight:admin', { id }, { accounts: again })).answer)
    expect(await switchAll()).toEqual({ done: 0, refused: 0 })
    const mails = await mailsOf('切り替えました')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain(`「${one.name}」`)
    expect(await mailsOf('')).toEqual([])
  })

  test('is told of once when two workers share its agreements', async () => {
    const agreements = [await newAgreement(), await newAgreement(), await newAgreement()]
    await dueWith(agreements.map(({ id }) => id))
    await Promise.all([switchAll(), switchAll(), switchAll()])
    const mails = await mailsOf('切り替えました')
    expect(mails).toHaveLength(1)
    for (const { name } of agreements) expect(mails[0]).toContain(`「${name}」`)
  })

  test('one that fails does not hold up the others, and the failure is said', async () => {
    const [broken, sound] = [await newAgreement(), await newAgreement()]
    const account = await dueWith([broken.id, sound.id])
    const later = await newAgreement()
    const other = await dueWith([later.id])
    const failing: SwitchAgreement = (tx, clock, actor, use) => {
      if (String(use.agreementId) === broken.id) throw new Error('broken')
      return switchAgreementAccount(tx, clock, actor, use)
    }
    await expect(switchAll(failing)).rejects.toThrow('broken')
    expect((await accountsOf(sound.id)).at(-1)?.bankAccountId).toBe(BigInt(account))
    expect((await accountsOf(later.id)).at(-1)?.bankAccountId).toBe(BigInt(other))
    expect((await accountsOf(broken.id)).at(-1)?.bankAccountId).not.toBe(BigInt(account))
    expect(await switchAll()).toEqual({ done: 1, refused: 0 })
    expect(await mailsOf('切り替えました')).toHaveLength(2)
  })

  test('replaces what was planned before it from a later month', async () => {
    const { agreement } = await upsert('insight:admin', base(), {
      accounts: [
        { bankAccountId: first(), usedFromMonth: monthFromNow(-2) },
        { bankAccountId: await usableAccount(), usedFromMonth: monthFromNow(2) },
      ],
    })
    const id = await dueWith([agreement!.id])
    expect(await switchAll()).toEqual({ done: 1, refused: 0 })
    expect(await accountsOf(agreement!.id)).toEqual([
      { bankAccountId: BigInt(first()), usedFromMonth: monthFromNow(-2) },
      { bankAccountId: BigInt(id), usedFromMonth: monthFromNow(0) },
    ])
  })

  test('is told of when it is stopped, with the agreements that keep their account', async () => {
    const agreement = await newAgreement()
    const id = await dueWith([agreement.id])
    dataOf(await cancel('insight:admin', id))
    dataOf(await cancel('insight:admin', id))
    const mails = await mailsOf('取り消しました')
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain(`「${agreement.name}」`)
  })
})
