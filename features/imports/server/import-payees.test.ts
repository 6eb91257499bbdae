import { csvOf, importFixture } from '@pc/testing/system/import-fixture.ts'
import { expect, test } from 'vitest'

/** What the tax office asks of payees: address, residence and treaty form, from a file. */
const fixture = importFixture()
const HEADERS = [
  '契約コード',
  '契約名',
  '媒体ID',
  '組織名',
  '支払先の区分',
  '居住地',
  '租税条約の届出書の適用開始日',
  '租税条約の届出書の適用終了日',
  '租税条約の届出書の税率（%）',
]
const codes = () =>
  fixture.inDatabase(tx =>
    tx
      .selectFrom('agreements as a')
      .innerJoin('organizations as o', 'o.id', 'a.organizationId')
      .select(['a.id', 'a.code', 'a.name', 'a.mediumId', 'o.name as organizationName'])
      .orderBy('a.id')
      .limit(1)
      .execute(),
  )
const stored = (id: bigint) =>
  fixture.inDatabase(tx =>
    tx
      .selectFrom('agreements')
      .select(['payeeResidence', 'treatyFormFrom', 'treatyFormTo', 'treatyFormRate', 'taxTreatmentConfirmedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const refusalsOf = (seen: Awaited<ReturnType<typeof fixture.preview>>) =>
  seen.rows.flatMap(row => row.refusals.map(({ header, text }) => `${header}：${text}`))

test('the address of a payee: typed in full width, in parts, kept where its column is missing', async () => {
  const file = csvOf(['組織名', '郵便番号', '住所'], ['住所のある会社', '１０２−００７５', '東京都千代田区三番町１−２'])
  await fixture.previewAndConfirm('organizations', file)
  const address = (name: string) =>
    fixture.inDatabase(tx =>
      tx
        .selectFrom('organizations')
        .select(['id', 'postalCode', 'address'])
        .where('name', '=', name)
        .executeTakeFirstOrThrow(),
    )
  const first = await address('住所のある会社')
  expect(first).toMatchObject({ postalCode: '102-0075', address: expect.stringContaining('千代田区三番町') })
  expect(fixture.counts(await fixture.preview('organizations', file))).toEqual([0, 0, 1, 0])
  const renamed = csvOf(['ID', '組織名'], [`${first.id}`, '住所のある会社（新）'])
  await fixture.previewAndConfirm('organizations', renamed)
  expect(await address('住所のある会社（新）')).toEqual(first)
  const wrong = await fixture.preview('organizations', csvOf(['組織名', '郵便番号'], ['住所のある会社（新）', '1020']))
  expect(refusalsOf(wrong)).toEqual([expect.stringMatching(/^郵便番号：/)])
})

test('residence and treaty form come in together, and what does not fit says its column', async () => {
  const [one] = await codes()
  const { id, code, name, mediumId, organizationName } = one!
  const row = (...cells: readonly string[]) =>
    csvOf(HEADERS, [code, name, `${mediumId}`, organizationName, '法人', ...cells])
  await fixture.previewAndConfirm('agreements', row('非居住者・外国法人', '2026/7/1', '2028-06-30', '１０%'))
  expect(await stored(id)).toMatchObject({
    payeeResidence: 'non_resident',
    treatyFormFrom: '2026-07-01',
    treatyFormTo: '2028-06-30',
    treatyFormRate: 1000,
    // Who says where the payee lives has decided how it is taxed.
    taxTreatmentConfirmedAt: expect.any(Date),
  })
  const same = row('非居住者・外国法人', '2026-07-01', '2028-06-30', '10')
  expect(fixture.counts(await fixture.preview('agreements', same))).toEqual([0, 0, 1, 0])

  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a resident has none', ['居住者・内国法人', '2026-07-01', '', '10'], /^居住地：/],
    ['no first day', ['非居住者・外国法人', '', '2028-06-30', '10'], /^租税条約の届出書の適用開始日：/],
    ['no rate', ['非居住者・外国法人', '2026-07-01', '', ''], /^租税条約の届出書の税率（%）：/],
    ['above 20.42 %', ['非居住者・外国法人', '2026-07-01', '', '20.43'], /^租税条約の届出書の税率（%）：.*20.42/],
    [
      'ends before it begins',
      ['非居住者・外国法人', '2026-07-01', '2026-06-30', '10'],
      /^租税条約の届出書の適用終了日：/,
    ],
    ['no day', ['非居住者・外国法人', '7月', '', '10'], /^租税条約の届出書の適用開始日：/],
    ['no such residence', ['海外', '', '', ''], /^居住地：/],
  ]
  for (const [what, cells, expected] of wrong) {
    const refusals = refusalsOf(await fixture.preview('agreements', row(...cells)))
    expect(refusals, what).toEqual([expect.stringMatching(expected)])
  }
  // Back to a resident: the form goes with it.
  await fixture.previewAndConfirm('agreements', row('居住者・内国法人', '', '', ''))
  expect(await stored(id)).toMatchObject({ payeeResidence: 'resident', treatyFormFrom: null, treatyFormRate: null })
})

test('a treatment is confirmed only with the kind of the payee', async () => {
  const [one] = await codes()
  const { mediumId, organizationName } = one!
  const headers = ['契約コード', '契約名', '媒体ID', '組織名', '支払先の区分', '税区分の確認', '適用開始月']
  const row = (kind: string) =>
    csvOf(headers, ['KIND-1', '区分のない契約', `${mediumId}`, organizationName, kind, '確認済み', '2026-01'])
  expect(refusalsOf(await fixture.preview('agreements', row('')))).toEqual([expect.stringMatching(/^支払先の区分：/)])
  await fixture.previewAndConfirm('agreements', row('個人'))
  const { id } = await fixture.inDatabase(tx =>
    tx.selectFrom('agreements').select('id').where('code', '=', 'KIND-1').executeTakeFirstOrThrow(),
  )
  expect(await stored(id)).toMatchObject({ taxTreatmentConfirmedAt: expect.any(Date) })
  await fixture.inDatabase(tx =>
    tx.updateTable('agreements').set({ taxTreatmentConfirmedAt: null }).where('id', '=', id).execute(),
  )
  // The kind that is on record already, said once more.
  await fixture.previewAndConfirm('agreements', row('個人'))
  expect(await stored(id)).toMatchObject({ taxTreatmentConfirmedAt: expect.any(Date) })
})

test('a file without the column of the kind confirms nothing by what else it changes, and cannot confirm it', async () => {
  const [one] = await codes()
  const { id, code, name, mediumId, organizationName } = one!
  await fixture.inDatabase(tx =>
    tx.updateTable('agreements').set({ taxTreatmentConfirmedAt: null }).where('id', '=', id).execute(),
  )
  const file = (header: string, cell: string) =>
    csvOf(['契約コード', '契約名', '媒体ID', '組織名', header], [code, name, `${mediumId}`, organizationName, cell])
  await fixture.previewAndConfirm('agreements', file('居住地', '非居住者・外国法人'))
  expect(await stored(id)).toMatchObject({ payeeResidence: 'non_resident', taxTreatmentConfirmedAt: null })
  expect(refusalsOf(await fixture.preview('agreements', file('税区分の確認', '確認済み')))).toEqual([
    expect.stringMatching(/^支払先の区分：/),
  ])
})
