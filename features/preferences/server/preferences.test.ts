import type { Role } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let system: SystemUnderTest
const tokens = new Map<string, string>()

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const [name, { email }] of Object.entries(system.rows.users)) tokens.set(name, await system.tokenOf(email))
})
afterAll(() => system?.close())
beforeEach(() =>
  system.dependencies.database.inScope(SYSTEM, async tx => {
    await tx.deleteFrom('preferences').execute()
    await tx.deleteFrom('savedViews').execute()
  }),
)

type Person = Role | 'ofB'
async function ask(person: Person, query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(person), variables)
  const codes = json.errors?.flatMap(error =>
    error.extensions.code === 'BAD_REQUEST' && error.extensions.refusals
      ? (error.extensions.refusals as { code: string }[]).map(one => one.code)
      : [error.extensions.code],
  )
  return codes ?? (Object.values((json.data ?? {}) as Record<string, unknown>)[0] as never)
}
const PEOPLE: readonly Person[] = [
  'admin',
  'insight:admin',
  'insight:editor',
  'insight:viewer',
  'insight:publisher_admin',
  'insight:publisher_editor',
  'ofB',
]
const KEYS = 'query ($keys: [String!]!) { preferences(keys: $keys) { key value } }'
const SAVE = 'mutation ($key: String!, $value: String) { savePreference(key: $key, value: $value) { key value } }'
const VIEWS =
  '{ savedViews(screen: "articles") { id name condition columns sharedWithRole isOwn ownerEmail revision } }'
const SAVE_VIEW = 'mutation ($input: SavedViewInput!) { saveView(input: $input) { id name columns revision } }'
const view = (more: object = {}) => ({
  input: { screen: 'articles', name: '毎週の確認', condition: 'granularity=weekly', ...more },
})

describe('preferences', () => {
  test('belong to one person each, whichever rows the person may see', async () => {
    for (const person of PEOPLE) {
      const value = JSON.stringify([person])
      expect(await ask(person, SAVE, { key: 'columns/articles', value })).toEqual({ key: 'columns/articles', value })
    }
    for (const person of PEOPLE) {
      const read = await ask(person, KEYS, { keys: ['columns/articles', 'columns/videos'] })
      expect(read).toEqual([{ key: 'columns/articles', value: JSON.stringify([person]) }])
    }
  })

  test('without a value the default holds again', async () => {
    await ask('insight:viewer', SAVE, { key: 'columns/articles', value: '["CTR"]' })
    expect(await ask('insight:viewer', SAVE, { key: 'columns/articles' })).toBeNull()
    expect(await ask('insight:viewer', KEYS, { keys: ['columns/articles'] })).toEqual([])
    expect(await ask('insight:viewer', SAVE, { key: 'columns/articles' })).toBeNull()
  })

  test.each([
    ['Columns', '[]', 'preference/key-invalid'],
    ['a'.repeat(81), '[]', 'preference/key-invalid'],
    ['columns/articles', '[', 'preference/value-invalid'],
    ['columns/articles', '"\\u0000"', 'preference/value-invalid'],
    ['columns/articles', JSON.stringify('あ'.repeat(3000)), 'preference/value-invalid'],
  ])('refuses %s = %.20s', async (key, value, code) => {
    expect(await ask('insight:publisher_admin', SAVE, { key, value })).toEqual([code])
  })

  test('columns chosen on another machine meanwhile are not undone unseen: refused, with what is kept now', async () => {
    const COMPARED = `mutation ($value: String, $seen: String) {
      savePreference(key: "columns/articles", value: $value, expectedValue: $seen) { value } }`
    const save = (value: string | null, seen: string | null) => ask('insight:viewer', COMPARED, { value, seen })
    const refused = async (value: string | null, seen: string | null) => {
      const { json } = await system.ask('insight', COMPARED, tokens.get('insight:viewer'), { value, seen })
      return json.errors?.[0]?.extensions.refusals as object[] | undefined
    }
    const now = (value: string) => [expect.objectContaining({ code: 'preference/changed-elsewhere', data: { value } })]
    expect(await save('["CTR"]', null)).toEqual({ value: '["CTR"]' })
    expect(await refused('["RPM"]', null)).toEqual(now('["CTR"]'))
    expect(await save('["RPM"]', '[ "CTR" ]')).toEqual({ value: '["RPM"]' })
    // Sent twice, it is the same choice.
    expect(await save('["RPM"]', '["CTR"]')).toEqual({ value: '["RPM"]' })
    expect(await refused(null, '["CTR"]')).toEqual(now('["RPM"]'))
    expect(await save(null, '["RPM"]')).toBeNull()
    expect(await refused('["URL"]', '["RPM"]')).toEqual(now(''))
    await save('["CTR"]', null)
    const answers = await Promise.all(['["A"]', '["B"]', '["C"]'].map(value => save(value, '["CTR"]')))
    expect(answers.filter(answer => !Array.isArray(answer))).toHaveLength(1)
  })

  test('every change is in the audit log', async () => {
    await ask('insight:publisher_editor', SAVE, { key: 'columns/articles', value: '["CTR"]' })
    const row = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').executeTakeFirst(),
    )
    const { uid } = system.rows.users['insight:publisher_editor']
    expect(row).toMatchObject({ actorUid: uid, action: 'create', rowId: `${uid}/preferences/columns/articles` })
  })
})

describe('saved views', () => {
  const namesOf = async (person: Person) =>
    ((await ask(person, VIEWS)) as unknown as { name: string }[]).map(one => one.name)

  test('are seen by their owner only, until staff shares one with a role', async () => {
    for (const person of PEOPLE) await ask(person, SAVE_VIEW, view({ name: person, columns: ['CTR', 'RPM'] }))
    for (const person of PEOPLE) expect(await namesOf(person)).toEqual([person])
    await ask('insight:viewer', SAVE_VIEW, view({ name: '共有', sharedWithRole: 'insight:publisher_admin' }))
    expect(await namesOf('insight:publisher_admin')).toEqual(['insight:publisher_admin', '共有'])
    expect(await namesOf('insight:publisher_editor')).toEqual(['insight:publisher_editor'])
    expect(await namesOf('insight:admin')).toEqual(['insight:admin'])
    const [, shared] = (await ask('insight:publisher_admin', VIEWS)) as unknown as {
      id: string
      ownerEmail: string
      isOwn: boolean
    }[]
    expect(shared).toMatchObject({ isOwn: false, ownerEmail: '' })
    const change = view({ id: shared!.id, name: '奪う' })
    expect(await ask('insight:publisher_admin', SAVE_VIEW, change)).toEqual(['record/not-found'])
    expect(await ask('insight:admin', SAVE_VIEW, change)).toEqual(['record/not-found'])
  })

  test('only staff shares, in the code and in the database', async () => {
    const shared = view({ sharedWithRole: 'insight:publisher_admin' })
    expect(await ask('insight:publisher_admin', SAVE_VIEW, shared)).toEqual(['saved-view/sharing-not-allowed'])
    expect(await ask('insight:admin', SAVE_VIEW, view({ sharedWithRole: 'nobody' }))).toEqual([
      'saved-view/sharing-not-allowed',
    ])
    const { uid } = system.rows.users['insight:publisher_admin']
    const insert = system.dependencies.database.inScope({ kind: 'self', uid }, tx =>
      tx
        .insertInto('savedViews')
        .values({ uid, screen: 'articles', name: 'x', sharedWithRole: 'insight:publisher_admin' })
        .execute(),
    )
    await expect(insert).rejects.toThrow(/policy/)
  })

  test('are renamed, deleted and brought back, by the revision that was seen', async () => {
    const { id } = (await ask('insight:publisher_admin', SAVE_VIEW, view())) as unknown as { id: string }
    const renamed = view({ id, name: ' 月曜の確認 ', expectedRevision: 1 })
    expect(await ask('insight:publisher_admin', SAVE_VIEW, renamed)).toMatchObject({ name: '月曜の確認', revision: 2 })
    expect(await ask('insight:publisher_admin', SAVE_VIEW, renamed)).toEqual(['record/edited-by-other'])
    await ask('insight:publisher_admin', `mutation { deleteSavedView(id: ${id}) { id } }`)
    expect(await namesOf('insight:publisher_admin')).toEqual([])
    await ask('insight:publisher_admin', `mutation { restoreSavedView(id: ${id}) { id } }`)
    expect(await namesOf('insight:publisher_admin')).toEqual(['月曜の確認'])
    expect(await ask('ofB', `mutation { deleteSavedView(id: ${id}) { id } }`)).toEqual(['record/not-found'])
  })

  test('two at once with one name: one is saved, the other is refused', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ask('insight:viewer', SAVE_VIEW, view())))
    expect(answers.filter(answer => !Array.isArray(answer))).toHaveLength(1)
    for (const answer of answers) if (Array.isArray(answer)) expect(answer).toEqual(['saved-view/name-taken'])
  })

  test('have a name of their own', async () => {
    await ask('insight:viewer', SAVE_VIEW, view())
    expect(await ask('insight:viewer', SAVE_VIEW, view())).toEqual(['saved-view/name-taken'])
    expect(await ask('insight:viewer', SAVE_VIEW, view({ name: ' ' }))).toEqual(['saved-view/name-missing'])
    expect(await ask('insight:viewer', SAVE_VIEW, view({ name: 'あ'.repeat(61) }))).toEqual([
      'saved-view/name-too-long',
    ])
    expect(await ask('insight:viewer', SAVE_VIEW, view({ name: '毎週\u200bの確認' }))).toEqual([
      'name/hidden-characters',
    ])
    expect(await ask('insight:viewer', SAVE_VIEW, view({ name: 'x', screen: '../' }))).toEqual([
      'saved-view/content-invalid',
    ])
  })
})
