import http from 'node:http'
import { day } from '@pc/domain/month/day.ts'
import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const fixture = importFixture()

test('organisations: new, changed, unchanged and refused rows, saved as they were shown, once', async () => {
  const { a, b } = fixture.system.rows
  const [nameOfA, nameOfB] = await fixture.inDatabase(async tx => {
    const rows = await tx.selectFrom('organizations').select(['id', 'name']).orderBy('id').execute()
    return [a, b].map(one => rows.find(({ id }) => id === one.organizationId)?.name ?? '')
  })
  const file = csvOf(
    ['ID', '組織名'],
    ['', '株式会社もみじ出版'],
    [String(a.organizationId), `${nameOfA}（新）`],
    ['', nameOfB!],
    ['999999', '無い組織'],
    ['', 'つばめ書房'],
    ['', 'つばめ書房'],
    ['', ''],
    ['', '=1+1'],
  )
  const seen = await fixture.preview('organizations', file)
  expect(fixture.counts(seen)).toEqual([2, 1, 1, 3])
  expect(seen.rows.map(({ rowNumber, state }) => [rowNumber, state])).toEqual([
    [2, 'new'],
    [3, 'changed'],
    [4, 'unchanged'],
    [5, 'refused'],
    [6, 'refused'],
    [7, 'refused'],
    [9, 'new'],
  ])
  expect(seen.rows[1]?.changes).toEqual([{ header: '組織名', before: nameOfA, after: `${nameOfA}（新）` }])
  expect((await fixture.confirm('organizations', seen)).messages?.[0]).toContain('取り込めない行が3行あります')
  const both = await Promise.all([1, 2].map(() => fixture.confirm('organizations', seen, { withoutRefused: true })))
  expect(both.map(({ importId, isNewPreview }) => [importId, isNewPreview])).toEqual([
    [seen.id, false],
    [seen.id, false],
  ])
  const audit = await fixture.audited('iam:org.', a.organizationId)
  expect(audit).toHaveLength(1)
  expect(audit[0]?.after).toMatchObject({ importId: seen.id })
  expect(await fixture.audited('insight:import.', seen.id)).toMatchObject([
    { action: 'import', after: { newCount: 2 } },
  ])
  const again = await fixture.preview('organizations', csvOf(['組織名'], ['株式会社もみじ出版'], ['=1+1']))
  expect(fixture.counts(again)).toEqual([0, 0, 2, 0])
})

test('a preview that nobody confirmed is discarded, by who may import its kind; what was confirmed stays', async () => {
  const DISCARD = 'mutation ($id: ID!) { discardImport(id: $id) }'
  const seen = await fixture.preview('organizations', csvOf(['組織名'], ['破棄する組織']))
  expect(await fixture.ask('admin', DISCARD, { id: seen.id })).toEqual({ discardImport: true })
  expect(await fixture.audited('insight:import.', seen.id)).toMatchObject([{ action: 'delete' }])
  expect((await fixture.confirm('organizations', seen)).messages?.[0]).toContain('この取り込みはありません')
  expect(
    await fixture.inDatabase(tx =>
      tx.selectFrom('importRows').select('importId').where('importId', '=', BigInt(seen.id)).execute(),
    ),
  ).toEqual([])
  expect(await fixture.refusals('admin', DISCARD, { id: seen.id })).toEqual(['import/not-found id'])
  const kept = await fixture.preview('organizations', csvOf(['組織名'], ['残す組織']))
  await fixture.confirm('organizations', kept)
  expect(await fixture.refusals('admin', DISCARD, { id: kept.id })).toEqual(['import/already-confirmed id'])
})

test('terms and rules of another organisation, a closed month, wrong words: each row says its column and what to do', async () => {
  const { a, b } = fixture.system.rows
  const codes = await fixture.inDatabase(tx =>
    tx.selectFrom('agreements').select(['id', 'code', 'organizationId', 'mediumId']).orderBy('id').execute(),
  )
  const ofA = codes.find(one => one.organizationId === a.organizationId)!
  await fixture.inDatabase(tx =>
    tx.insertInto('monthClosings').values({ mediumId: ofA.mediumId, month: 202603, finalizedAt: new Date() }).execute(),
  )
  const rules = await fixture.preview(
    'rules',
    csvOf(
      ['契約コード', 'パブリッシャーID', '適用開始月', '自社広告の支払率（%）', 'SSPの配分'],
      [ofA.code, String(b.publisherIds[0]), '2027-01', '50', ''],
      [ofA.code, String(a.publisherIds[0]), '2027-01', '101', 'たぶん'],
      ['NO-SUCH', String(a.publisherIds[0]), '2027-01', '50', ''],
      [ofA.code, String(a.publisherIds[0]), '2027-13', '50', ''],
    ),
  )
  expect(rules.rows.map(({ refusals }) => refusals.map(({ header, text }) => [header, text]))).toEqual([
    [['契約コード', expect.stringContaining('別の組織')]],
    [
      ['自社広告の支払率（%）', expect.stringContaining('0〜100')],
      ['SSPの配分', expect.stringContaining('はい・いいえ')],
    ],
    [['契約コード', expect.stringContaining('先に契約を取り込む')]],
    [['適用開始月', expect.stringContaining('2026-04 の形式')]],
  ])
  const terms = await fixture.preview(
    'terms',
    csvOf(['契約コード', '適用開始月', '固定額（月額、円）'], [ofA.code, '2026-02', '77'], [ofA.code, '2027-04', '78']),
  )
  // An agreement is imported whole: the row that could be saved waits for the one that cannot.
  expect(terms.rows.map(({ refusals }) => refusals[0])).toMatchObject([
    { header: '適用開始月', text: expect.stringMatching(/確定/) },
    { header: null, text: expect.stringContaining('2行目に誤りがある') },
  ])
})

test('what changed after the preview stops the confirmation, saves nothing, and shows the new preview', async () => {
  const { a } = fixture.system.rows
  const header = ['ID', 'パブリッシャー名', 'よみがな']
  const [first, second] = a.publisherIds.map(String)
  const names = await fixture.inDatabase(tx => tx.selectFrom('publishers').select(['id', 'name']).execute())
  const nameOf = (id: string | undefined) => names.find(one => String(one.id) === id)?.name ?? ''
  const file = csvOf(header, [first!, nameOf(first), 'いち'], [second!, nameOf(second), 'に'])
  const seen = await fixture.preview('publishers', file)
  expect(fixture.counts(seen)).toEqual([0, 2, 0, 0])
  await fixture.inDatabase(tx =>
    tx.updateTable('publishers').set({ kana: 'ほかのひと' }).where('id', '=', BigInt(second!)).execute(),
  )
  const stopped = await fixture.confirm('publishers', seen)
  expect(stopped).toMatchObject({ isNewPreview: true })
  const fresh = await fixture.read(stopped.importId)
  expect(fresh.rows[1]?.changes).toEqual([{ header: 'よみがな', before: 'ほかのひと', after: 'に' }])
  expect(await fixture.audited('insight:publisher.', first)).toEqual([])
  // A hash that the person did not see confirms nothing.
  expect(
    (await fixture.confirm('publishers', { ...fresh, previewSha256: seen.previewSha256 })).messages?.[0],
  ).toContain('プレビューの後に')
  expect(await fixture.confirm('publishers', fresh)).toMatchObject({ isNewPreview: false })
  expect(await fixture.audited('insight:publisher.', first)).toHaveLength(1)
})

test('a record that somebody else saves while a file is confirmed is shown as it became, and can be confirmed', async () => {
  const id = fixture.system.rows.b.publisherIds[1]!
  const name = await fixture.inDatabase(async tx => {
    const row = await tx.selectFrom('publishers').select('name').where('id', '=', id).executeTakeFirstOrThrow()
    return row.name
  })
  const seen = await fixture.preview(
    'publishers',
    csvOf(['ID', 'パブリッシャー名', 'よみがな'], [String(id), name, 'に']),
  )
  const isSomebodyWaiting = () =>
    fixture.inDatabase(async tx => {
      const { rows } = await sql`select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`.execute(tx)
      return rows.length > 0 || undefined
    })
  const { answer } = await fixture.inDatabase(async tx => {
    await tx
      .updateTable('publishers')
      .set(eb => ({ kana: 'さん', revision: eb('revision', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const answer = fixture.confirm('publishers', seen)
    await until(isSomebodyWaiting)
    return { answer }
  })
  const stopped = await answer
  expect(stopped).toMatchObject({ isNewPreview: true })
  const fresh = await fixture.read(stopped.importId)
  expect(fresh.rows).toMatchObject([{ state: 'changed', changes: [{ before: 'さん', after: 'に' }], refusals: [] }])
  expect(await fixture.confirm('publishers', fresh)).toMatchObject({ isNewPreview: false })
})

test('a record that the rows of one file make impossible together is shown as refused, not tried for ever', async () => {
  // The preview looks at some hundred rows at a time.
  const between = Array.from({ length: 600 }, (_, n) => [`あいだの組織${n}`])
  const file = csvOf(['組織名'], ['ＡＢＣ出版'], ...between, ['ABC出版'])
  const seen = await fixture.preview('organizations', file)
  expect(fixture.counts(seen)).toEqual([602, 0, 0, 0])
  const stopped = await fixture.confirm('organizations', seen)
  expect(stopped.isNewPreview).toBe(true)
  const fresh = await fixture.read(stopped.importId)
  expect(fixture.counts(fresh)).toEqual([601, 0, 0, 1])
  expect(await fixture.confirm('organizations', fresh, { withoutRefused: true })).toMatchObject({ isNewPreview: false })
})

test('bank accounts: one person sends them, another one approves them, and nobody else sees them', async () => {
  const bank = await fixture.inDatabase(async tx => {
    await sql`insert into banks (code, name, kana, hira, roma) values ('9901', '試験銀行', 'ｼｹﾝ', '', '') on conflict do nothing`.execute(
      tx,
    )
    const { rows } = await sql<{ id: bigint }>`select id from banks where code = '9901'`.execute(tx)
    await sql`insert into bank_branches (bank_id, code, name, kana, hira, roma)
      values (${rows[0]?.id}, '007', '本店', 'ﾎﾝﾃﾝ', '', '')`.execute(tx)
    return rows[0]
  })
  expect(bank).toBeDefined()
  const { a } = fixture.system.rows
  const header = ['組織ID', '銀行コード', '支店コード', '預金種目', '口座番号', '口座名義（カナ）']
  const row = [String(a.organizationId), '9901', '7', '普通', '１２３４', 'カ）アルファ']
  const seen = await fixture.preview('bank-accounts', csvOf(header, row, [row[0]!, '9902', '1', '', '99', 'ア']))
  expect(fixture.counts(seen)).toEqual([1, 0, 0, 1])
  const readings = await fixture.audited('insight:bank_account.', `import-${seen.id}`)
  expect(
    readings.map(({ action }) => action),
    'anyone who reads the numbers is noted',
  ).toEqual(['read-in-full'])
  const more = { withoutRefused: true }
  expect((await fixture.confirm('bank-accounts', seen, more)).messages?.[0]).toContain('ほかの承認者')
  expect((await fixture.confirm('bank-accounts', seen, more, 'insight:editor')).status).toBe(403)
  expect(await fixture.confirm('bank-accounts', seen, more, 'insight:admin')).toMatchObject({ isNewPreview: false })
  const made = await fixture.inDatabase(tx =>
    tx.selectFrom('bankAccounts').selectAll().where('number', '=', '0001234').executeTakeFirstOrThrow(),
  )
  expect([made.state, made.requestedBy, made.holder]).toEqual([
    'approved',
    fixture.system.rows.users.admin.uid,
    'ｶ)ｱﾙﾌｱ',
  ])
  expect((await fixture.audited('insight:bank_account.', made.id)).map(({ action }) => action)).toEqual([
    'create',
    'approve',
  ])
  expect(fixture.counts(await fixture.preview('bank-accounts', csvOf(header, row)))).toEqual([0, 0, 1, 0])

  // Whose file it is does not change because it has to be looked at again: its sender never approves it.
  const next = await fixture.preview('bank-accounts', csvOf(header, row.with(4, '5678'), row.with(4, '5679')))
  await fixture.previewAndConfirm('bank-accounts', csvOf(header, row.with(4, '5678')), {}, 'insight:admin')
  const fresh = await fixture.confirm('bank-accounts', next, {}, 'insight:admin')
  expect(fresh).toMatchObject({ isNewPreview: true })
  const seenAgain = await fixture.read(fresh.importId)
  expect(fixture.counts(seenAgain)).toEqual([1, 0, 1, 0])
  expect((await fixture.confirm('bank-accounts', seenAgain)).messages?.[0]).toContain('ほかの承認者')
  expect(await fixture.confirm('bank-accounts', seenAgain, {}, 'insight:admin')).toMatchObject({ isNewPreview: false })
})

test('accounts of agreements: of their own organisation, past the days in which they wait, month by month', async () => {
  const { a, b } = fixture.system.rows
  const codeOf = await fixture.inDatabase(async tx => {
    const { bankId, bankBranchId, organizationId } = a
    const account = { bankId, bankBranchId, organizationId, typeName: 'ordinary', holder: 'ｱﾙﾌｱ', state: 'approved' }
    await tx
      .insertInto('bankAccounts')
      .values([
        { ...account, number: '0000777', decidedAt: new Date() },
        { ...account, number: '0000778', decidedAt: new Date(), usableFrom: day('2099-01-01') },
      ])
      .execute()
    const rows = await tx.selectFrom('agreements').select(['id', 'code']).execute()
    return (id: bigint | undefined) => rows.find(row => row.id === id)?.code ?? ''
  })
  const header = ['契約コード', '利用開始月', '銀行コード', '支店コード', '口座番号']
  const [first, second] = a.agreementIds.map(codeOf) as [string, string]
  const rowOf = (code: string, month: string, number: string) => [code, month, '1', '100', number]
  const seen = await fixture.preview(
    'agreement-accounts',
    csvOf(
      header,
      rowOf(first, '2027-05', '777'),
      rowOf(first, '2026-01', '7654321'),
      rowOf(codeOf(b.agreementIds[0]), '2027-05', '777'),
      rowOf(second, '2027-06', '778'),
      rowOf('X-9', '2027-06', '777'),
    ),
  )
  expect(seen.rows.map(({ state, refusals }) => [state, refusals[0]?.header ?? ''])).toEqual([
    ['new', ''],
    ['unchanged', ''],
    ['refused', '口座番号'],
    ['refused', '口座番号'],
    ['refused', '契約コード'],
  ])
  expect(seen.rows[3]?.refusals[0]?.text).toContain('2099年1月1日')
  expect(await fixture.confirm('agreement-accounts', seen, { withoutRefused: true })).toMatchObject({
    isNewPreview: false,
  })
  const { bytes } = await fixture.template('agreement-accounts', { format: 'xlsx' })
  const [, , unchanged, refusedRows] = fixture.counts(await fixture.preview('agreement-accounts', bytes))
  expect([unchanged! > 5, refusedRows]).toEqual([true, 0])
  const back = await fixture.previewAndConfirm('agreement-accounts', csvOf(header, rowOf(first, '2027-05', '7654321')))
  expect(back.rows[0]?.changes).toContainEqual({ header: '口座番号', before: '0000777', after: '7654321' })
  const audit = await fixture.audited('insight:agreement.', a.agreementIds[0])
  expect(audit.map(({ after }) => (after as { agreementBankAccounts: object[] }).agreementBankAccounts)).toMatchObject([
    [{ usedFromMonth: 202705 }, { bankAccountId: String(a.bankAccountIds[0]), usedFromMonth: 202601 }],
    [{ bankAccountId: String(a.bankAccountIds[0]), usedFromMonth: 202705 }, { usedFromMonth: 202601 }],
  ])
})

test('more invitations than may leave in an hour: nothing is saved, and it says to send them later', async () => {
  const people = Array.from({ length: 21 }, (_, n) => [`guest${n}@example.jp`, 'パブリッシャーセンター閲覧者'])
  const seen = await fixture.preview('users', csvOf(['メールアドレス', 'ロール'], ...people))
  expect(seen.rows[0]?.refusals).toEqual([])
  const count = () =>
    fixture.inDatabase(tx => tx.selectFrom('users').select('uid').execute()).then(users => users.length)
  const before = await count()
  const tooMany = await fixture.confirm('users', seen, { sendsInvitations: true })
  expect(tooMany.messages?.[0]).toContain('後から送る')
  expect(await count()).toBe(before)
  expect(await fixture.confirm('users', seen)).toMatchObject({ isNewPreview: false })
  expect(await count()).toBe(before + 21)
})

test('people of one file: new, disabled, changed; who has not come yet hears nothing of the others', async () => {
  const header = ['メールアドレス', 'ロール', '組織名', '状態']
  const role = 'パブリッシャーの管理者'
  const [organization = ''] = await fixture.inDatabase(async tx => {
    const made = await tx.insertInto('organizations').values({ name: '新しい媒体社' }).returning('name').execute()
    return made.map(({ name }) => name)
  })
  const mailedTo = () =>
    fixture.inDatabase(async tx => {
      const { rows } = await sql<{ to: string }>`select data ->> 'to' as to from pgboss.job
        where name = 'mail' and data ->> 'subject' like '%管理者のロールが付与されました%'`.execute(tx)
      return rows.map(({ to }) => to)
    })
  const before = (await mailedTo()).length
  const rows = [
    ['first@publisher.example', role, organization, '有効'],
    ['second@publisher.example', role, organization, '無効'],
    ['guest0@example.jp', 'パブリッシャーセンター閲覧者', '', '無効'],
  ]
  await fixture.previewAndConfirm('users', csvOf(header, ...rows))
  const found = await fixture.inDatabase(tx =>
    tx
      .selectFrom('users')
      .select(['email', 'enabled'])
      .where(
        'email',
        'in',
        rows.map(([email = '']) => email),
      )
      .orderBy('email')
      .execute(),
  )
  expect(found.map(({ email, enabled }) => [email, enabled])).toEqual([
    ['first@publisher.example', true],
    ['guest0@example.jp', false],
    ['second@publisher.example', false],
  ])
  expect((await mailedTo()).slice(before).filter(to => to.endsWith('@publisher.example'))).toEqual([])
  const again = fixture.counts(await fixture.preview('users', csvOf(header, ...rows)))
  expect(again, 'the same file again').toEqual([0, 0, 3, 0])
})

test('who may not import is refused before the file is read, and what nobody confirmed is gone after a day', async () => {
  const { port } = new URL(fixture.system.origins.insight)
  const email = fixture.system.rows.users['insight:publisher_admin'].email
  const authorization = `Bearer ${await fixture.system.tokenOf(email)}`
  // Of a body that never ends only the head is sent.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization, 'content-length': '1000000' }
    const path = '/imports?kind=organizations'
    const sent = http.request({ host: '127.0.0.1', port, method: 'POST', path, headers }, answer => {
      resolve(answer.statusCode)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.write('x')
  })
  expect(status).toBe(403)

  const seen = await fixture.preview('organizations', csvOf(['組織名'], ['一日だけ']))
  const left = () =>
    fixture.inDatabase(tx =>
      tx.selectFrom('importRows').select('rowNumber').where('importId', '=', BigInt(seen.id)).execute(),
    )
  const forget = fixture.system.dependencies.jobHandlers.find(({ kind }) => kind.name === 'forget-imports')
  const run = () => forget?.run({}, { id: '', signal: new AbortController().signal, retries: 0 })
  await run()
  expect(await left()).toHaveLength(1)
  await fixture.inDatabase(tx =>
    tx
      .updateTable('imports')
      .set({ uploadedAt: sql`uploaded_at - interval '25 hours'` })
      .where('id', '=', BigInt(seen.id))
      .execute(),
  )
  await run()
  expect(await left()).toEqual([])
})

test('rights fail closed: by role and kind, for files, confirmations, templates and what is shown', async () => {
  const kinds = [
    ...[
      'organizations',
      'publishers',
      'agreements',
      'terms',
      'rules',
      'opening-balances',
      'bank-accounts',
      'agreement-accounts',
      'feeds',
      'users',
    ],
  ]
  const allowed: Readonly<Record<string, readonly string[]>> = {
    admin: kinds,
    'insight:admin': kinds.filter(kind => kind !== 'organizations' && kind !== 'users'),
  }
  const roles = ['admin', 'insight:admin', 'insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const
  for (const role of roles) {
    for (const kind of kinds) {
      const may = allowed[role]?.includes(kind) ?? false
      const { status } = await fixture.template(kind, { content: 'empty' }, role)
      const sent = await fixture.upload(kind, 'x', role)
      const nobody = { id: '1', previewSha256: '0' }
      const confirmed = await fixture.confirm(kind, nobody, {}, role)
      expect([role, kind, status, sent.status, confirmed.status]).toEqual([
        role,
        kind,
        ...(may ? [200, 200, 200] : [403, 403, 403]),
      ])
    }
    const shown = await fixture.send(role, '{ importKinds { name } }')
    const names = (shown.json.data as { importKinds: { name: string }[] } | null)?.importKinds.map(({ name }) => name)
    expect([role, names]).toEqual([role, allowed[role]])
  }
  const ofAdmin = await fixture.preview('organizations', csvOf(['組織名'], ['秘密の組織']))
  const query = 'query P($id: ID!) { importPreview(id: $id) { id } importRows(id: $id, limit: 1, offset: 0) { total } }'
  const foreign = await fixture.send('insight:admin', query, { id: ofAdmin.id })
  expect(foreign.json.data).toEqual({ importPreview: null, importRows: null })
  // A preview of one kind is not confirmed with the rights of another.
  const other = await fixture.confirm('publishers', ofAdmin, {}, 'insight:admin')
  expect(other.messages?.[0]).toContain('この取り込みはありません')
  const anonymous = await fetch(`${fixture.system.origins.insight}/imports?kind=feeds`, { method: 'POST', body: 'x' })
  expect(anonymous.status).toBe(401)
})

test('formulas, errors, twins and unknown columns are refused where they stand; a large file before it is read', async () => {
  const large = await fixture.upload('organizations', Buffer.alloc(21 * 1_048_576, 'a'))
  expect([large.status, large.messages?.[0]]).toEqual([413, expect.stringContaining('上限 20 MB')])
  const columns = await fixture.upload('organizations', csvOf(['ID', '名前'], ['', 'x']))
  expect(columns.messages).toEqual([
    expect.stringContaining('見出し「組織名」の列がありません'),
    expect.stringContaining('見出し「名前」があります'),
  ])
  const stray = await fixture.upload('organizations', 'ID,組織名\n,甲,迷子')
  expect(stray.messages?.[0]).toContain('C列に、見出しのない値があります')
})

test('ten thousand rows: a preview with progress, and nothing of it is left behind', async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => [
    '',
    `大きな取り込み ${n}`,
    String(fixture.system.rows.a.organizationId),
  ])
  const before = await fixture.auditCount()
  const sent = await fixture.upload('publishers', csvOf(['ID', 'パブリッシャー名', '組織ID'], ...rows))
  const seen = await fixture.read(sent.importId)
  expect(fixture.counts(seen)).toEqual([10_000, 0, 0, 0])
  expect(sent.progress.length).toBeGreaterThan(3)
  expect(sent.progress.at(-1)).toEqual({ done: 10_000, total: 10_000 })
  expect(await fixture.auditCount()).toBe(before)
  const left = await fixture.inDatabase(tx =>
    sql<{ count: bigint }>`select count(*) as count from publishers where name like '大きな取り込み%'`.execute(tx),
  )
  expect(left.rows[0]?.count).toBe(0n)
})

test('opening balances: an agreement as a whole, changed, removed and refused row by row', async () => {
  const { a } = fixture.system.rows
  const { id, code, publisherId, publisher } = await fixture.inDatabase(tx =>
    tx
      .selectFrom('agreementPublisherRules as r')
      .innerJoin('agreements as g', 'g.id', 'r.agreementId')
      .innerJoin('publishers as p', 'p.id', 'r.publisherId')
      .select(['g.id', 'g.code', 'p.id as publisherId', 'p.name as publisher'])
      .where('r.agreementId', '=', a.agreementIds[0]!)
      .orderBy('p.id')
      .executeTakeFirstOrThrow(),
  )
  const header = [
    '契約コード',
    'パブリッシャーID',
    'パブリッシャー名',
    '発生月',
    '金額（税抜）',
    '適格請求書発行事業者',
  ]
  const fileOf = (...rows: string[][]) => csvOf([...header, '引継月'], ...rows.map(row => [...row, '2026-10']))
  const named = String(publisherId)
  const seen = await fixture.previewAndConfirm(
    'opening-balances',
    fileOf(
      [code, '', publisher, '2019-09', '20000', ''],
      [code, named, '', '2026-08', '-1500', 'はい'],
      [code, named, '', '2026-07', '0', ''],
    ),
  )
  expect(fixture.counts(seen)).toEqual([2, 0, 1, 0])
  const changed = fileOf([code, named, '', '2019-09', '0', ''], [code, named, '', '2026-08', '1500', 'いいえ'])
  expect((await fixture.previewAndConfirm('opening-balances', changed)).rows.map(row => row.changes)).toEqual([
    [{ header: '金額（税抜）', before: '20000', after: '0' }],
    [
      { header: '金額（税抜）', before: '-1500', after: '1500' },
      { header: '適格請求書発行事業者', before: 'はい', after: 'いいえ' },
    ],
  ])
  const rows = await fixture.inDatabase(tx =>
    tx.selectFrom('openingBalances').selectAll().where('agreementId', '=', id).execute(),
  )
  expect(rows).toMatchObject([{ originMonth: 202608, bookedMonth: 202610, amountYen: 1_500n, isQualified: false }])
  expect(await fixture.audited('insight:opening_balance.', rows[0]!.id)).toMatchObject([
    { action: 'create', after: { amountYen: '-1500', importId: seen.id } },
    { action: 'update', before: { amountYen: '-1500' }, after: { amountYen: '1500' } },
  ])

  // One wrong row holds its agreement back; each says what to do.
  const wrong = fileOf(
    [code, named, '', '2026-10', '1', ''],
    [code, named, '', '2026-06', '1', ''],
    ['X-1', named, '', '2026-06', '1', ''],
    [code, '', 'だれか', '2026-06', '1', ''],
    ['X-1', named, '', '', '一万', ''],
  )
  const refused = await fixture.preview('opening-balances', wrong)
  expect(refused.rows.map(row => row.refusals.map(({ header: at }) => at).join())).toEqual([
    ...['発生月', '', '契約コード', 'パブリッシャー名', '発生月,金額（税抜）'],
  ])
  expect(refused.rows[0]!.refusals[0]!.text).toBe('発生月には、引継月（2026-10）より前の月を入力してください。')
  expect((await fixture.upload('opening-balances', wrong, 'insight:editor')).status).toBe(403)
})
