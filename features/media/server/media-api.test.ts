import { addDays } from '@pc/domain/month/day.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const fixture = apiFixture()
const { ask, refusals, audited, send } = fixture
const now = today(systemClock)

const FIELDS = 'id name code displayOrder retiredOn liveAgreementCount revision'
const CREATE = `mutation C($param: CreateMediumParam!, $key: String) { createMedium(param: $param, idempotencyKey: $key) { ${FIELDS} } }`
const UPDATE = `mutation U($id: ID!, $param: UpdateMediumParam!) { updateMedium(id: $id, param: $param) { ${FIELDS} } }`
const LIST = `query L($param: MediaParam, $orderBy: MediaOrderBy, $limit: Int = 100, $offset: Int = 0) {
  media(param: $param, orderBy: $orderBy, limit: $limit, offset: $offset) { total nodes { ${FIELDS} } } }`
interface Medium {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly displayOrder: number
  readonly retiredOn: string | null
  readonly revision: number
  readonly liveAgreementCount: number
}
const create = async (param: object, key?: string) =>
  (await ask<{ createMedium: Medium }>('insight:admin', CREATE, { param, key })).createMedium
const update = async (id: string, param: object) =>
  (await ask<{ updateMedium: Medium }>('insight:admin', UPDATE, { id, param })).updateMedium
const list = async (variables: object = {}) =>
  (await ask<{ media: { total: number; nodes: Medium[] } }>('insight:viewer', LIST, variables)).media
const refusedCreation = (param: object) => refusals('insight:admin', CREATE, { param })
const database = () => fixture.system.dependencies.database

describe('a new medium', () => {
  test('gets the next number, a code and the last place, unless they are given', async () => {
    const first = await create({ name: '次の媒体' })
    expect(first).toMatchObject({ id: '10', code: 'medium-10', retiredOn: null, revision: 1, liveAgreementCount: 0 })
    const second = await create({
      id: '120',
      name: ' 番号のある媒体 ',
      code: 'ＮＥＷＳ',
      displayOrder: 3,
      retiredOn: '2030-01-01',
    })
    expect(second).toMatchObject({
      id: '120',
      name: '番号のある媒体',
      code: 'news',
      displayOrder: 3,
      retiredOn: '2030-01-01',
    })
    expect((await create({ name: 'その次' })).id).toBe('121')
    expect(await audited('insight:medium.', '120')).toMatchObject([
      { action: 'create', before: null, after: { name: '番号のある媒体', code: 'news', revision: 1 } },
    ])
  })

  test.each([
    [{ name: '' }, ['medium/name-missing param.name']],
    [{ id: '0', name: 'x' }, ['medium/number-out-of-range param.id']],
    [{ id: '12a', name: 'x' }, ['medium/number-out-of-range param.id']],
    [{ id: '9999999999999999', name: 'x' }, ['medium/number-out-of-range param.id']],
    [
      { id: '1', name: 'メディア２', code: 'medium-9' },
      ['medium/number-taken param.id', 'medium/name-taken param.name', 'medium/code-taken param.code'],
    ],
    [
      { name: '', code: '媒体', displayOrder: -1, retiredOn: '1990-01-01' },
      [
        'medium/name-missing param.name',
        'medium/code-form param.code',
        'medium/order-out-of-range param.displayOrder',
        'medium/retired-out-of-range param.retiredOn',
      ],
    ],
  ])('%j is refused at its fields', async (param, expected) => expect(await refusedCreation(param)).toEqual(expected))

  test('the same number at once: one gets it, the refusal names whose it is; without a number each gets its own', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(n => send('insight:admin', CREATE, { param: { id: '500', name: `同時 ${n}` } })),
    )
    expect(answers.filter(({ json }) => !json.errors)).toHaveLength(1)
    for (const { json, text } of answers) if (json.errors) expect(text).toContain('媒体番号500は「同時')
    const made = await Promise.all([1, 2, 3].map(n => create({ name: `番号なし ${n}` })))
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  })

  test('sent twice with one key: one medium', async () => {
    const param = { name: '二度送った媒体' }
    const [first, second] = [await create(param, 'twice-1'), await create(param, 'twice-1')]
    expect(second).toEqual(first)
    expect((await list({ param: { q: '二度送った' } })).total).toBe(1)
  })
})

describe('changes', () => {
  test('are saved with the next revision; a stale form and another number are refused', async () => {
    const medium = await create({ name: '変える媒体', code: 'change' })
    const changed = await update(medium.id, { expectedRevision: 1, name: '変えた媒体', retiredOn: '2031-04-01' })
    expect(changed).toMatchObject({ name: '変えた媒体', code: 'change', retiredOn: '2031-04-01', revision: 2 })
    expect(await update(medium.id, { retiredOn: '2031-04-01' })).toMatchObject({ revision: 2 })
    expect(await update(medium.id, { retiredOn: null, code: '' })).toMatchObject({
      ...{ retiredOn: null, code: `medium-${medium.id}`, revision: 3 },
    })
    expect(
      await refusals('insight:admin', UPDATE, { id: medium.id, param: { expectedRevision: 1, name: 'x' } }),
    ).toEqual(['record/edited-by-other expectedRevision'])
    expect(await refusals('insight:admin', UPDATE, { id: '77777', param: { name: 'x' } })).toEqual([
      'record/not-found id',
    ])
    expect(await refusals('insight:admin', UPDATE, { id: medium.id, param: { name: 'メディア1' } })).toEqual([
      'medium/name-taken param.name',
    ])
    expect((await audited('insight:medium.', medium.id)).map(({ action }) => action)).toEqual([
      'create',
      'update',
      'update',
    ])
    const renumber = database().inScope(SYSTEM, tx =>
      sql`update media set id = 88888 where id = ${medium.id}`.execute(tx),
    )
    await expect(renumber).rejects.toThrow('the number of a medium never changes')
  })

  test('are the administrators’; editors and viewers read, publishers’ people have the names of their own', async () => {
    for (const role of ['insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const) {
      expect(await refusals(role, CREATE, { param: { name: 'x' } })).toEqual(['FORBIDDEN'])
      expect(await refusals(role, UPDATE, { id: '1', param: { name: 'x' } })).toEqual(['FORBIDDEN'])
    }
    expect(await refusals('insight:publisher_admin', LIST)).toEqual(['FORBIDDEN'])
    expect(await refusals('insight:publisher_admin', '{ medium(id: "1") { name } }')).toEqual(['FORBIDDEN'])
    expect((await list()).total).toBeGreaterThan(4)
    await update('2', { displayOrder: 0 })
    await update('1', { displayOrder: 1 })
    const names = await ask<{ availableMedia: object }>(
      'insight:publisher_admin',
      '{ availableMedia { total nodes { id } } }',
    )
    expect(names.availableMedia).toMatchObject({ nodes: [{ id: '2' }, { id: '1' }] })
  })
})

test('the list: orders, pages, words in names, codes and numbers, retired or not', async () => {
  const today = await create({ id: '701', name: 'ゼータ', code: 'zeta', displayOrder: 9_001, retiredOn: now })
  const later = await create({ id: '702', name: 'アルファ・ゼータ', displayOrder: 9_000, retiredOn: addDays(now, 1) })
  const ids = async (variables: object) => (await list(variables)).nodes.map(({ id }) => id)
  expect(await ids({ param: { q: 'ぜーた' } })).toEqual([later.id, today.id])
  expect(await ids({ param: { q: 'ぜーた' }, orderBy: 'NAME_DESC' })).toEqual([today.id, later.id])
  expect(await ids({ param: { q: 'ZETA' } })).toEqual([today.id])
  expect(await ids({ param: { q: '702' } })).toEqual([later.id])
  expect(await ids({ param: { q: 'ゼータ', isRetired: true } })).toEqual([today.id])
  expect(await ids({ param: { q: 'ゼータ', isRetired: false } })).toEqual([later.id])
  expect(await list({ param: { q: 'ゼータ' }, limit: 1, offset: 1 })).toMatchObject({
    total: 2,
    nodes: [{ id: '701' }],
  })
  expect(await ids({ param: { q: 'ない媒体' } })).toEqual([])
})

describe('a retired medium', () => {
  const SAVE = 'mutation S($input: AgreementInput!) { upsertAgreement(input: $input) { id mediumId terminatedAt } }'
  const agreement = (code: string, mediumId: string, more: object = {}) => ({
    name: code,
    code,
    mediumId,
    organizationId: String(fixture.system.rows.a.organizationId),
    smallSupplierCoverage: 'not_covered',
    freelanceCoverage: 'not_covered',
    ...more,
  })
  const save = async (input: object) =>
    (await ask<{ upsertAgreement: { id: string } }>('insight:admin', SAVE, { input })).upsertAgreement.id
  const refused = (input: object) => refusals('insight:admin', SAVE, { input })
  const RULES = `mutation R($id: ID!, $rules: [AgreementPublisherRuleInput!]!) {
    upsertPublisherWithAgreementPublisherRules(publisher: { id: $id }, agreementPublisherRules: $rules) { id } }`

  test('takes no new agreement, no old one up again and no further publisher; what exists goes on', async () => {
    const { id: mediumId } = await create({ name: '終わる媒体' })
    const live = await save(agreement('LIVE', mediumId))
    const ended = await save(agreement('ENDED', mediumId, { terminatedAt: '2026-01-10T00:00:00Z' }))
    const month = Number(now.slice(0, 7).replace('-', ''))
    const soon = addDays(now, 40)
    await update(mediumId, { retiredOn: soon })
    const beyond = Number(addDays(soon, 31).slice(0, 7).replace('-', ''))
    expect(await refused(agreement('SOON', mediumId, { validFromMonth: beyond }))).toEqual([
      'medium/retired-by-then input.validFromMonth',
    ])
    await save(agreement('IN-TIME', mediumId, { validFromMonth: month }))

    await update(mediumId, { retiredOn: now })
    expect(await refused(agreement('NEW', mediumId))).toEqual(['medium/retired input.mediumId'])
    expect(await refused(agreement('NEW', mediumId, { validFromMonth: 202_601 }))).toEqual([
      'medium/retired input.mediumId',
    ])
    expect(await refused({ id: ended, isTerminated: false })).toEqual(['medium/retired input.terminatedAt'])
    const publisherId = String(fixture.system.rows.a.publisherIds[0])
    const rules = [{ agreementId: live, paymentRate: { paymentRate: 1_000 } }]
    expect(await refusals('insight:admin', RULES, { id: publisherId, rules })).toEqual([
      'medium/retired agreementPublisherRules.0.agreementId',
    ])
    await save({ id: live, name: '続く契約', fixedRevenue: 100 })
    await save({ id: live, isTerminated: true })
    expect((await list({ param: { q: '終わる媒体' } })).nodes).toMatchObject([{ liveAgreementCount: 1 }])
    const { text } = await send('insight:viewer', '{ availableMedia { nodes { name } } }')
    expect(text).toContain('終わる媒体')

    await update(mediumId, { retiredOn: null })
    await ask('insight:admin', RULES, { id: publisherId, rules })
    await save(agreement('NEW', mediumId))
  })

  test('an agreement and a retirement at once: never an agreement after the retirement', async () => {
    const { id: mediumId } = await create({ name: '競う媒体' })
    const [, ...saved] = await Promise.all([
      update(mediumId, { retiredOn: now }),
      ...[1, 2, 3].map(n => refused(agreement(`RACE-${n}`, mediumId))),
    ])
    for (const one of saved) expect([[], ['medium/retired input.mediumId']]).toContainEqual(one)
    expect(await refused(agreement('RACE-LATE', mediumId))).toEqual(['medium/retired input.mediumId'])
  })
})
