import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { MUTATIONS } from '@pc/testing/system/people-fixture.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const fixture = importFixture()
const HEADER = ['メールアドレス', 'ロール', '状態'] as const
const VIEWER = 'パブリッシャーセンター閲覧者'
const PUBLISHER_ADMIN = 'パブリッシャーの管理者'

const queuedEmails = (subject: string) =>
  fixture.inDatabase(async tx => {
    const { rows } = await sql<{ id: string; to: string; text: string }>`select id::text as id, data ->> 'to' as to,
        data ->> 'text' as text
      from pgboss.job where name = 'mail' and data ->> 'subject' = ${`【Publisher Center】${subject}`}`.execute(tx)
    return rows
  })
/** The emails about new administrators that the work queues. */
async function noticesOf(work: () => Promise<unknown>) {
  const subject = '管理者のロールが付与されました'
  const before = new Set((await queuedEmails(subject)).map(({ id }) => id))
  await work()
  return (await queuedEmails(subject)).filter(({ id }) => !before.has(id))
}
async function namesOfOrganizations() {
  const { a, b } = fixture.system.rows
  const rows = await fixture.inDatabase(tx => tx.selectFrom('organizations').select(['id', 'name']).execute())
  return [a, b].map(one => rows.find(({ id }) => id === one.organizationId)?.name ?? '')
}
async function codeOfAgreement(id: bigint | undefined) {
  const rows = await fixture.inDatabase(tx => tx.selectFrom('agreements').select(['id', 'code']).execute())
  return rows.find(row => row.id === id)?.code ?? ''
}
const userOf = (email: string) =>
  fixture.inDatabase(async tx => {
    const { rows } = await sql<{
      uid: string
      enabled: boolean
      roles: string[]
      agreements: string[]
      hasEndedSessions: boolean
    }>`select uid::text as uid, enabled, sessions_valid_from > now() - interval '1 hour' as has_ended_sessions,
        array(select r.role_name from user_roles r where r.uid = u.uid order by 1) as roles,
        array(select a.agreement_id::text from user_agreements a where a.uid = u.uid order by 1) as agreements
      from users u where email = ${email}`.execute(tx)
    return rows[0]
  })
async function makeUsers(count: number, name: string, role: string, organizationId: bigint | null = null) {
  const emails = Array.from({ length: count }, (_, n) => `${name}${n}@example.jp`)
  await fixture.inDatabase(async tx => {
    await sql`with made as (insert into users (email, organization_id, email_verified_at)
        select email, ${organizationId}, now() from unnest(${emails}::text[]) email returning uid)
      insert into user_roles (uid, role_name) select uid, ${role} from made`.execute(tx)
  })
  return emails
}

test('people of a file: disabled and changed ones have their sessions ended, their emails and their rows of the log', async () => {
  const { a } = fixture.system.rows
  const code = await codeOfAgreement(a.agreementIds[0])
  const emails = await makeUsers(3, 'changed', 'insight:viewer')
  const [editor = ''] = await makeUsers(1, 'editor', 'insight:publisher_editor', a.organizationId)
  const header = [...HEADER, '担当する契約']
  const file = csvOf(
    header,
    [emails[0]!, VIEWER, '無効', ''],
    [emails[1]!, 'パブリッシャーセンター編集者', '有効', ''],
    [emails[2]!, VIEWER, '有効', ''],
    [editor, 'パブリッシャーの担当者', '有効', code],
    ['new.disabled@example.jp', VIEWER, '無効', ''],
  )
  const seen = await fixture.preview('users', file)
  expect(seen.rows.map(row => [row.state, row.refusals])).toEqual([
    ...['changed', 'changed', 'unchanged', 'changed', 'new'].map(state => [state, []]),
  ])
  await fixture.confirm('users', seen)
  const people = await Promise.all([...emails, editor, 'new.disabled@example.jp'].map(userOf))
  expect(people.map(person => [person?.enabled, person?.roles, person?.hasEndedSessions])).toEqual([
    [false, ['insight:viewer'], true],
    [true, ['insight:editor'], true],
    [true, ['insight:viewer'], false],
    [true, ['insight:publisher_editor'], false],
    [false, ['insight:viewer'], false],
  ])
  expect(people[3]?.agreements).toEqual([String(a.agreementIds[0])])
  const log = await Promise.all(people.map(person => fixture.audited('iam:user.', person?.uid)))
  expect(log.map(rows => rows.map(({ action }) => action))).toEqual([
    ...[['update'], ['update'], [], ['update'], ['invite']],
  ])
  expect(log[0]?.[0]).toMatchObject({ before: { enabled: true }, after: { enabled: false, importId: seen.id } })
  expect(log[1]?.[0]).toMatchObject({ before: { roles: ['insight:viewer'] }, after: { roles: ['insight:editor'] } })
  expect(log[3]?.[0]).toMatchObject({
    before: { agreementIds: [] },
    after: { agreementIds: [String(a.agreementIds[0])] },
  })
  expect(log[4]?.[0]).toMatchObject({ before: null, after: { enabled: false } })
  expect((await queuedEmails('アカウントが無効になりました')).map(({ to }) => to)).toEqual([emails[0]])
})

test('people of a file: each row is refused as it would be alone, with the rows before it done', async () => {
  const { users, a, b } = fixture.system.rows
  const codeOfB = await codeOfAgreement(b.agreementIds[0])
  const [second = ''] = await makeUsers(1, 'second.admin', 'admin')
  const [editor = ''] = await makeUsers(1, 'refused.editor', 'insight:publisher_editor', a.organizationId)
  const [viewer = ''] = await makeUsers(1, 'refused.viewer', 'insight:viewer')
  const [nameOfA = '', nameOfB = ''] = await namesOfOrganizations()
  const header = [...HEADER, '組織名', '担当する契約']
  const refusedRows = async (...rows: string[][]) =>
    (await fixture.preview('users', csvOf(header, ...rows))).rows.map(({ state, refusals }) => [
      state,
      refusals.map(({ header: at, text }) => `${at ?? ''}：${text}`).join(),
    ])
  const own = users.admin.email
  await fixture.inDatabase(tx =>
    tx.updateTable('users').set({ enabled: false }).where('uid', '=', users.disabled.uid).execute(),
  )
  // The last administrator of the system stays one, whichever row comes last.
  expect(await refusedRows([second, VIEWER, '', '', ''], [own, 'ユーザー管理者', '', nameOfA, ''])).toEqual([
    ['changed', ''],
    ['refused', expect.stringContaining('最後の全体管理者')],
  ])
  expect(await refusedRows([own, 'ユーザー管理者', '', nameOfA, ''], [second, VIEWER, '', '', ''])).toEqual([
    ['changed', ''],
    ['refused', expect.stringContaining('最後の全体管理者')],
  ])
  expect(
    await refusedRows(
      [own, '全体管理者', '無効', nameOfA, ''],
      [editor, 'パブリッシャーの担当者', '', nameOfA, codeOfB],
      [viewer, PUBLISHER_ADMIN, '', '', ''],
      [users.nobody.email, '', '無効', nameOfA, ''],
      [users.ofB.email, PUBLISHER_ADMIN, '', nameOfA, ''],
      [users['insight:editor'].email, 'パブリッシャーセンター編集者', '無効', nameOfA, ''],
      ['wrong.new@example.jp', 'パブリッシャーの担当者', '無効', nameOfA, codeOfB],
      ['right.new@example.jp', 'パブリッシャーの担当者', '無効', nameOfB, codeOfB],
    ),
  ).toEqual([
    ['refused', expect.stringContaining('自分自身を無効化')],
    ['refused', expect.stringContaining('担当する契約：選んだ契約が組織に見つかりません')],
    ['refused', expect.stringContaining('ロール：パブリッシャーのロールを付与するには')],
    ['refused', expect.stringContaining('ロール：ロールを1つ以上')],
    ['refused', expect.stringContaining('組織名：ユーザーの組織は変更できません')],
    ['changed', ''],
    ['refused', expect.stringContaining('担当する契約：選んだ契約が組織に見つかりません')],
    ['new', ''],
  ])
  await fixture.inDatabase(tx =>
    tx.deleteFrom('userRoles').where('roleName', '=', 'admin').where('uid', '<>', users.admin.uid).execute(),
  )
})

/**
 * What two others are answered while the work runs, one who changes people and one who does something else, and how long
 * they wait at most.
 */
async function othersDuring(work: () => Promise<unknown>) {
  const { users } = fixture.system.rows
  const answers = new Set<string>()
  const longestMs = { people: 0, organizations: 0 }
  let isOver = false
  const repeat = async (what: keyof typeof longestMs, query: string, variablesOf: (n: number) => object) => {
    const token = await fixture.system.tokenOf(users.admin.email)
    for (let n = 0; !isOver; n += 1) {
      const askedAt = performance.now()
      const { json } = await fixture.system.ask('iam', query, token, variablesOf(n))
      longestMs[what] = Math.max(longestMs[what], performance.now() - askedAt)
      answers.add(json.errors?.[0]?.extensions.code ?? 'changed')
    }
  }
  const { uid } = users.nobody
  const others = Promise.all([
    repeat('people', MUTATIONS.setUserEnabled, n => ({ uid, enabled: n % 2 === 1 })),
    repeat('organizations', 'mutation M($name: String!) { createOrganization(name: $name) { id } }', () => ({
      name: `beside ${++organizations}`,
    })),
  ])
  const begunAt = performance.now()
  try {
    await work()
  } finally {
    isOver = true
    await others
  }
  return { answers: [...answers], longestMs, tookMs: performance.now() - begunAt }
}
let organizations = 0
/** `IMPORT_PEOPLE=9900` for as many as one file holds. */
const PEOPLE = Number(process.env.IMPORT_PEOPLE ?? 3_000)

/** Confirms a file while others work: they wait for a part of it at most, by the same clock. */
async function confirmBesideOthers(file: string, what: string): Promise<void> {
  const seen = await fixture.preview('users', file)
  expect(seen.refusedCount).toBe(0)
  const { answers, longestMs, tookMs } = await othersDuring(() => fixture.confirm('users', seen))
  expect((await fixture.read(seen.id)).confirmedByEmail).not.toBeNull()
  const share = (ms: number) => `${Math.round(ms)} ms (${(ms / tookMs).toFixed(2)})`
  console.warn(
    `${PEOPLE} ${what} people confirmed in ${Math.round(tookMs)} ms: another change of people waited ${share(longestMs.people)}, ` +
      `another change ${share(longestMs.organizations)}`,
  )
  expect(answers).toEqual(['changed'])
  expect(Math.max(longestMs.people, longestMs.organizations)).toBeLessThan(tookMs / 2)
}

test('thousands of disabled people of a file do not keep others from changing people', async () => {
  const rows = Array.from({ length: PEOPLE }, (_, n) => [`many${n}@example.jp`, VIEWER, '無効'])
  await confirmBesideOthers(csvOf(HEADER, ...rows), 'new and disabled')
  const count = await fixture.inDatabase(async tx => {
    const found = await sql<{ count: number }>`select count(*)::int as count from users
      where email like 'many%' and not enabled`.execute(tx)
    return found.rows[0]?.count
  })
  expect(count).toBe(rows.length)
}, 120_000)

test('thousands of changed people of a file do not keep others from changing people', async () => {
  const emails = await makeUsers(PEOPLE, 'crowd', 'insight:viewer')
  const rows = emails.map((email, n) => [email, 'パブリッシャーセンター編集者', n % 2 === 0 ? '無効' : '有効'])
  await confirmBesideOthers(csvOf(HEADER, ...rows), 'changed')
}, 180_000)

test('who is disabled while a file with another change of the person is confirmed stays disabled', async () => {
  const [email = ''] = await makeUsers(1, 'dismissed', 'insight:viewer')
  const { uid = '' } = (await userOf(email)) ?? {}
  // The file says nothing of whether people can sign in. Rows are saved in portions, the change in the last one.
  const crowd = Array.from({ length: 1_000 }, (_, n) => [`between${n}@example.jp`, VIEWER])
  const file = csvOf(HEADER.slice(0, 2), ...crowd, [email, 'パブリッシャーセンター編集者'])
  const seen = await fixture.preview('users', file)
  expect(fixture.counts(seen)).toEqual([1_000, 1, 0, 0])
  const { answer } = await fixture.inDatabase(async tx => {
    await tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute()
    const answer = fixture.confirm('users', seen)
    await until(() =>
      fixture.inDatabase(async other => {
        const { rows } = await sql`select from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and a.datname = current_database()`.execute(other)
        return rows.length > 0 || undefined
      }),
    )
    return { answer }
  })
  const stopped = await answer
  expect(stopped).toMatchObject({ isNewPreview: true })
  expect(await userOf(email)).toMatchObject({ enabled: false, roles: ['insight:viewer'] })
  const again = await fixture.read(stopped.importId)
  expect(await fixture.confirm('users', again)).toMatchObject({ isNewPreview: false })
  expect(await userOf(email)).toMatchObject({ enabled: false, roles: ['insight:editor'] })
}, 60_000)

test('a preview costs no mails, also where addresses are kept for somebody', async () => {
  const { users } = fixture.system.rows
  await fixture.inDatabase(async tx => {
    await sql`delete from sent_mails`.execute(tx)
    await sql`with changes as (
        insert into account_changes (uid, kind, email, new_email, requested_by_uid, source_address, expires_at, state,
          settled_at, confirmed_by_uid)
        select ${users.nobody.uid}::uuid, 'email', 'kept' || n || '@example.jp', 'new@example.jp',
          ${users['iam:admin'].uid}::uuid, '127.0.0.1', now() + interval '1 day', 'done', now(), ${users.admin.uid}::uuid
        from generate_series(0, 24) n returning id, email)
      insert into account_undos (change_id, email, authenticators, recovery_codes)
        select id, email, '[]', '[]' from changes`.execute(tx)
  })
  const kept = Array.from({ length: 25 }, (_, n) => [`kept${n}@example.jp`, VIEWER])
  const seen = await fixture.preview('users', csvOf(HEADER.slice(0, 2), ...kept, ['fresh@example.jp', VIEWER]))
  expect(fixture.counts(seen)).toEqual([1, 0, 0, 25])
  const { rows } = await fixture.inDatabase(tx => sql`select from sent_mails`.execute(tx))
  expect(rows).toEqual([])
})

test('words that are cut in the middle of a character refuse their row, not the file', async () => {
  const word = `${'あ'.repeat(49)}𠮷野家`
  const seen = await fixture.preview('users', csvOf([...HEADER, '担当する契約'], ['cut@example.jp', word, '', word]))
  expect(seen.rows[0]?.refusals.map(({ header }) => header)).toEqual(['ロール', '担当する契約'])
})

test('a file with many new administrators is one email to each of the others, the highest roles first', async () => {
  const { users } = fixture.system.rows
  const [nameOfA = '', nameOfB = ''] = await namesOfOrganizations()
  const [viewer = ''] = await makeUsers(1, 'promoted', 'insight:viewer')
  const rows = [
    ...Array.from({ length: 700 }, (_, n) => [`boss${n}@example.jp`, 'パブリッシャーセンター管理者', '', '']),
    ...Array.from({ length: 3 }, (_, n) => [`ofb${n}@example.jp`, PUBLISHER_ADMIN, '', nameOfB]),
    ['ofa@example.jp', PUBLISHER_ADMIN, '無効', nameOfA],
    ['last@example.jp', '全体管理者', '', ''],
    [viewer, 'ユーザー管理者', '', ''],
  ]
  const sent = await noticesOf(() => fixture.previewAndConfirm('users', csvOf([...HEADER, '組織名'], ...rows)))
  const byReader = Map.groupBy(sent, ({ to }) => to)
  expect([...byReader.values()].map(those => those.length).filter(count => count > 1)).toEqual([])
  expect(byReader.has(users.admin.email), 'who did it').toBe(false)
  const [staff] = byReader.get(users['iam:admin'].email) ?? []
  expect(staff?.text).toContain(`${users.admin.email} が、702人に管理者のロールを付与しました。`)
  expect(staff?.text).toContain('「全体管理者」1人、「ユーザー管理者」1人、「パブリッシャーセンター管理者」700人')
  const listed = staff?.text.match(/^・.*$/gm) ?? []
  expect(listed).toHaveLength(50)
  expect(listed.slice(0, 3)).toEqual([
    ...[
      '・last@example.jp「全体管理者」',
      `・${viewer}「ユーザー管理者」`,
      '・boss0@example.jp「パブリッシャーセンター管理者」',
    ],
  ])
  expect(staff?.text).toContain('ほか652人')
  // A publisher reads of the own people alone, and of no address of staff.
  const [ofA] = byReader.get(users['insight:publisher_admin'].email) ?? []
  expect(ofA?.text).toContain(
    `${users.admin.email} が、ofa@example.jp に「${PUBLISHER_ADMIN}」のロールを付与しました。`,
  )
  const [ofB] = byReader.get(users.ofB.email) ?? []
  expect(ofB?.text).toContain('運営の担当者 が、3人に管理者のロールを付与しました。')
  expect(ofB?.text.match(/^・.*$/gm)).toEqual([0, 1, 2].map(n => `・ofb${n}@example.jp「${PUBLISHER_ADMIN}」`))
  expect(ofB?.text).not.toContain(users.admin.email)
}, 60_000)

test('a preview notifies nobody, and a file with one new administrator says it as the form does', async () => {
  const { users } = fixture.system.rows
  const file = csvOf(HEADER, ['single@example.jp', 'ユーザー管理者', ''])
  expect(await noticesOf(() => fixture.preview('users', file))).toEqual([])
  const sent = await noticesOf(() => fixture.previewAndConfirm('users', file))
  const [notice] = sent.filter(({ to }) => to === users['iam:admin'].email)
  expect(notice?.text).toContain(
    `${users.admin.email} が、single@example.jp に「ユーザー管理者」のロールを付与しました。`,
  )
})
