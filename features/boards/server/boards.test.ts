import type { Role } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import { type AnsweredError, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Boards and notes through the API, as people of both organisations and staff. */
type Person = Role | 'ofB'
let system: SystemUnderTest
const tokens = new Map<Person, string>()

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const role of [
    'insight:admin',
    'insight:viewer',
    'insight:publisher_admin',
    'insight:publisher_editor',
  ] as const)
    tokens.set(role, await system.tokenOf(system.rows.users[role].email))
  tokens.set('coupon:admin', await system.tokenOf(system.rows.users['coupon:admin'].email))
  tokens.set('ofB', await system.tokenOf(system.rows.users.ofB.email))
})
afterAll(() => system?.close())

async function ask<T>(who: Person, query: string, variables: object = {}): Promise<T> {
  const answer = await system.ask('insight', query, tokens.get(who), variables)
  if (answer.json.errors) throw new Error(answer.text)
  return answer.json.data as T
}

async function refusals(who: Person, query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(who), variables)
  return (json.errors ?? []).flatMap((error: AnsweredError) => {
    const list = (error.extensions.refusals ?? []) as { code: string; path: string[]; message: string }[]
    for (const one of list) expect(one.message).not.toMatch(/undefined|\[object/)
    return list.length > 0 ? list.map(one => `${one.code} ${one.path.join('.')}`) : [error.extensions.code]
  })
}

const audited = (resource: string, rowId: string) =>
  system.dependencies.database.inScope(SYSTEM, async tx => {
    const rows = await tx
      .selectFrom('auditLog')
      .select(['action'])
      .where('resourceName', '=', resource)
      .where('rowId', '=', rowId)
      .orderBy('seq')
      .execute()
    return rows.map(row => row.action)
  })

const TILE = {
  ...{ id: 't1', title: '収益（直近7日）', report: 'dashboard', shape: 'chart', figure: 'revenue' },
  ...{ granularity: 'daily', period: 'last7', width: 2, height: 2 },
}
const BOARD = `id name isMine ownerEmail sharedRoles revision
  tiles { id title report shape figure granularity period from to compareWith condition
    groupBy width height }`
const SAVE = `mutation S($input: BoardInput!, $key: String) { saveBoard(input: $input, idempotencyKey: $key) { ${BOARD} } }`
const PIN = `mutation P($input: PinToBoardInput!) { pinToBoard(input: $input) { ${BOARD} } }`
const SHOW = `query B($id: ID!) { board(id: $id) { ${BOARD} } }`
const LIST = 'query { boards(limit: 100, offset: 0) { total nodes { id name isMine } } }'
interface Board {
  readonly id: string
  readonly name: string
  readonly isMine: boolean
  readonly ownerEmail: string | null
  readonly revision: number
  readonly tiles: readonly { readonly id: string; readonly title: string }[]
}
const save = async (who: Person, input: object, key?: string) =>
  (await ask<{ saveBoard: Board }>(who, SAVE, { input, key })).saveBoard
const show = async (who: Person, id: string) => (await ask<{ board: Board | null }>(who, SHOW, { id })).board
const names = async (who: Person) =>
  (await ask<{ boards: { nodes: Board[] } }>(who, LIST)).boards.nodes.map(board => board.name)

describe('boards', () => {
  test('are made once per submission, read back whole, changed with the revision, and audited', async () => {
    const made = await save('insight:viewer', { name: ' 毎朝の確認 ', tiles: [TILE] }, 'once')
    expect(await save('insight:viewer', { name: ' 毎朝の確認 ', tiles: [TILE] }, 'once')).toEqual(made)
    expect(made).toMatchObject({ name: '毎朝の確認', isMine: true, revision: 1, sharedRoles: [] })
    expect(made.tiles).toEqual([
      {
        ...{ ...TILE, from: null, to: null, compareWith: null, condition: '', groupBy: null },
      },
    ])
    const renamed = await save('insight:viewer', { id: made.id, expectedRevision: 1, name: '朝会' })
    expect(renamed).toMatchObject({ name: '朝会', revision: 2 })
    expect(renamed.tiles).toEqual(made.tiles)
    const stale = { input: { id: made.id, expectedRevision: 1, tiles: [] } }
    expect(await refusals('insight:viewer', SAVE, stale)).toEqual(['record/edited-by-other expectedRevision'])
    const same = await save('insight:viewer', { id: made.id, name: '朝会', tiles: [TILE] })
    expect(same.revision).toBe(2)
    expect(await audited('insight:board.', made.id)).toEqual(['create', 'update'])
    await ask('insight:viewer', 'mutation D($id: ID!) { deleteBoard(id: $id) }', { id: made.id })
  })

  test('take a pinned view at their end, or begin with it', async () => {
    const input = { boardName: '新しいボード', tile: TILE }
    const { pinToBoard: begun } = await ask<{ pinToBoard: Board }>('insight:viewer', PIN, { input })
    const compared = { compareWith: 'same_month_last_year' }
    const labelled = { report: 'articles', groupBy: 'tag', condition: 'authorId=3&tagId=4,5' }
    const byTag = { boardId: begun.id, tile: { ...TILE, ...labelled, id: 't1b', shape: 'table' } }
    const { pinToBoard: tagged } = await ask<{ pinToBoard: Board }>('insight:viewer', PIN, { input: byTag })
    expect(tagged.tiles[1]).toMatchObject(labelled)
    await save('insight:viewer', { id: begun.id, tiles: [TILE] })
    const next = { boardId: begun.id, tile: { ...TILE, ...compared, id: 't2', title: '二枚目', shape: 'figure' } }
    const { pinToBoard: grown } = await ask<{ pinToBoard: Board }>('insight:viewer', PIN, { input: next })
    expect(grown.tiles.map(tile => tile.title)).toEqual(['収益（直近7日）', '二枚目'])
    expect(grown.tiles).toMatchObject([{ compareWith: null }, compared])
    expect(await refusals('insight:viewer', PIN, { input: next })).toEqual(['board/tile-wrong input.tiles'])
    expect(await refusals('insight:admin', PIN, { input: { ...next, tile: { ...TILE, id: 't3' } } })).toEqual([
      'record/not-found input.boardId',
    ])
    await ask('insight:viewer', 'mutation D($id: ID!) { deleteBoard(id: $id) }', { id: begun.id })
  })

  test.each<[string, object, string]>([
    ['no name', { name: ' ' }, 'board/name-missing input.name'],
    ['a name that is too long', { name: 'あ'.repeat(61) }, 'board/name-too-long input.name'],
    ['a name with a hidden character', { name: 'あ\u202eい' }, 'name/hidden-characters input.name'],
    ['a role that does not exist', { name: 'x', sharedRoles: ['root'] }, 'board/role-wrong input.sharedRoles'],
    [
      'more tiles than fit',
      { name: 'x', tiles: Array.from({ length: 25 }, (_, at) => ({ ...TILE, id: `t${at}` })) },
      'board/too-many-tiles input.tiles',
    ],
    [
      'a single figure of several authors',
      { name: 'x', tiles: [{ ...TILE, report: 'articles', shape: 'figure', groupBy: 'author' }] },
      'board/tile-wrong input.tiles',
    ],
    [
      'videos with a tag',
      { name: 'x', tiles: [{ ...TILE, report: 'videos', condition: 'tagId=1' }] },
      'board/tile-wrong input.tiles',
    ],
    [
      'more labels than a report takes',
      {
        name: 'x',
        tiles: [{ ...TILE, report: 'articles', condition: 'tagId=1,2,3,4,5,6,7,8,9,10,11' }],
      },
      'board/tile-wrong input.tiles',
    ],
    ['a chart of the ranking', { name: 'x', tiles: [{ ...TILE, report: 'ranking' }] }, 'board/tile-wrong input.tiles'],
    [
      'a fixed period without days',
      { name: 'x', tiles: [{ ...TILE, period: 'fixed' }] },
      'board/tile-wrong input.tiles',
    ],
    ['a tile of no width', { name: 'x', tiles: [{ ...TILE, width: 0 }] }, 'board/tile-wrong input.tiles'],
    [
      'a filter that is no id',
      { name: 'x', tiles: [{ ...TILE, condition: 'mediumId=0 or 1' }] },
      'board/tile-wrong input.tiles',
    ],
    [
      'a tile with a line break in its title',
      { name: 'x', tiles: [{ ...TILE, title: '売上\n推移' }] },
      'name/hidden-characters input.tiles',
    ],
    ['a tile without a title', { name: 'x', tiles: [{ ...TILE, title: '' }] }, 'board/tile-title-wrong input.tiles'],
  ])('refuse %s', async (_, input, refusal) => {
    expect(await refusals('insight:admin', SAVE, { input })).toEqual([refusal])
  })

  test('are personal, among staff as well, until they are shared with a role', async () => {
    const { id } = await save('insight:admin', { name: '管理者だけ', tiles: [TILE] })
    expect(await show('insight:viewer', id)).toBeNull()
    expect(await names('insight:viewer')).not.toContain('管理者だけ')
    await save('insight:admin', { id, sharedRoles: ['insight:viewer'] })
    expect(await show('insight:viewer', id)).toMatchObject({ isMine: false, ownerEmail: expect.stringContaining('@') })
    expect(await show('insight:publisher_admin', id)).toBeNull()
    expect(await refusals('insight:viewer', SAVE, { input: { id, name: '横取り' } })).toEqual([
      'record/not-found input.id',
    ])
    const remove = 'mutation D($id: ID!) { deleteBoard(id: $id) }'
    expect(await refusals('insight:viewer', remove, { id })).toEqual(['record/not-found id'])
  })

  test("staff's boards for publishers name nobody; a publisher's stay within the organisation", async () => {
    const roles = ['insight:publisher_admin', 'insight:publisher_editor']
    const { id } = await save('insight:admin', { name: '媒体の皆様へ', sharedRoles: roles, tiles: [TILE] })
    for (const who of ['insight:publisher_admin', 'insight:publisher_editor', 'ofB'] as const)
      expect(await show(who, id), who).toMatchObject({ name: '媒体の皆様へ', ownerEmail: null, isMine: false })
    const { id: own } = await save('insight:publisher_admin', { name: '社内用', sharedRoles: roles, tiles: [TILE] })
    expect(await show('insight:publisher_editor', own)).toMatchObject({ isMine: false })
    expect(await show('ofB', own)).toBeNull()
    expect(await show('insight:admin', own)).toBeNull()
    const widened = { input: { id: own, sharedRoles: ['insight:admin'] } }
    expect(await refusals('insight:publisher_admin', SAVE, widened)).toEqual(['board/role-wrong input.sharedRoles'])
  })

  test('a deletion is undone; another person cannot, and the owner finds it as it was', async () => {
    const { id, tiles } = await save('insight:publisher_editor', { name: '消して戻す', tiles: [TILE] })
    await ask('insight:publisher_editor', 'mutation D($id: ID!) { deleteBoard(id: $id) }', { id })
    expect(await show('insight:publisher_editor', id)).toBeNull()
    const restore = `mutation R($id: ID!) { restoreBoard(id: $id) { ${BOARD} } }`
    expect(await refusals('ofB', restore, { id })).toEqual(['record/not-found id'])
    const { restoreBoard } = await ask<{ restoreBoard: Board }>('insight:publisher_editor', restore, { id })
    expect(restoreBoard.tiles).toEqual(tiles)
    expect(await audited('insight:board.', id)).toEqual(['create', 'delete', 'restore'])
  })

  test('every tile is read with the rights of the reader', async () => {
    const RANK = '{ publisherRank(limit: 5, offset: 0, param: { from: "2026-01-01", to: "2026-01-31" }) { total } }'
    expect(await refusals('insight:publisher_admin', `query ${RANK}`)).toEqual(['FORBIDDEN'])
    expect(await refusals('coupon:admin', LIST)).toEqual(['FORBIDDEN'])
    expect(await refusals('coupon:admin', SAVE, { input: { name: 'x' } })).toEqual(['FORBIDDEN'])
  })

  test('in their own name staff see no board of another person in the table either', async () => {
    const { database } = system.dependencies
    const owners = (uid?: string) =>
      database.inScope(SYSTEM, async tx => {
        if (uid) await workInOwnName(tx, uid)
        const rows = await tx
          .selectFrom('boards')
          .select('ownerUid')
          .where('sharedRoles', '=', sql<string[]>`'{}'`)
          .execute()
        return new Set(rows.map(row => row.ownerUid))
      })
    const { uid } = system.rows.users['insight:viewer']
    await save('insight:viewer', { name: '自分用' })
    await save('insight:admin', { name: '他人用' })
    expect((await owners()).size).toBeGreaterThan(1)
    expect(await owners(uid)).toEqual(new Set([uid]))
  })
})

const NOTE = 'id startsOn endsOn text visibility publisherId publisherName mediumIds isMine writerEmail revision'
const WRITE = `mutation N($input: AnnotationInput!, $key: String) {
  saveAnnotation(input: $input, idempotencyKey: $key) { ${NOTE} } }`
const READ = `query N($param: AnnotationsParam!) {
  annotations(limit: 100, offset: 0, param: $param) { total nodes { ${NOTE} } } }`
interface Note {
  readonly id: string
  readonly text: string
  readonly mediumIds: readonly string[]
  readonly revision: number
}
const note = async (who: Person, input: object, key?: string) =>
  (await ask<{ saveAnnotation: Note }>(who, WRITE, { input, key })).saveAnnotation
const texts = async (who: Person, param: object = {}) => {
  const days = { from: '2026-11-01', to: '2026-11-30', ...param }
  const { annotations } = await ask<{ annotations: { nodes: Note[] } }>(who, READ, { param: days })
  return annotations.nodes.map(one => one.text)
}
const day = (startsOn: string, endsOn = startsOn) => ({ startsOn, endsOn })

describe('notes on the charts', () => {
  test('own, for staff, for people who see the publisher', async () => {
    const [first, second] = system.rows.a.publisherIds.map(String)
    const ofB = String(system.rows.b.publisherIds[0])
    await note('insight:admin', { ...day('2026-11-02'), text: '自分', visibility: 'own' })
    await note('insight:admin', { ...day('2026-11-03', '2026-11-05'), text: '社内', visibility: 'staff' })
    for (const [text, publisherId] of [
      ['一つ目', first],
      ['二つ目', second],
      ['他社', ofB],
    ])
      await note('insight:admin', { ...day('2026-11-06'), text, visibility: 'publisher', publisherId })
    await note('insight:publisher_editor', {
      ...{ ...day('2026-11-07'), text: '媒体から', visibility: 'publisher', publisherId: first },
    })
    expect(await texts('insight:admin')).toEqual(['自分', '社内', '一つ目', '二つ目', '他社', '媒体から'])
    expect(await texts('insight:viewer')).toEqual(['社内', '一つ目', '二つ目', '他社', '媒体から'])
    expect(await texts('insight:publisher_admin')).toEqual(['一つ目', '二つ目', '媒体から'])
    expect(await texts('insight:publisher_editor')).toEqual(['一つ目', '媒体から'])
    expect(await texts('ofB')).toEqual(['他社'])
  })

  test('of the days, and of the publisher or of none', async () => {
    expect(await texts('insight:admin', { from: '2026-11-04', to: '2026-11-05' })).toEqual(['社内'])
    expect(await texts('insight:admin', { from: '2026-12-01', to: '2026-12-02' })).toEqual([])
    const publisherIds = [String(system.rows.a.publisherIds[1])]
    expect(await texts('insight:admin', { publisherIds })).toEqual(['自分', '社内', '二つ目'])
    expect(await texts('ofB', { publisherIds })).toEqual([])
  })

  test('of media: for whom they are all of own agreements, and on charts of one of them or of all', async () => {
    const [publisherId] = system.rows.a.publisherIds.map(String)
    const shared = { ...day('2026-09-01'), visibility: 'publisher', publisherId }
    const september = { from: '2026-09-01', to: '2026-09-30' }
    const both = await note('insight:admin', { ...shared, text: '両方', mediumIds: ['2', '1', '2'] })
    expect(both.mediumIds).toEqual(['1', '2'])
    await note('insight:admin', { ...shared, text: 'ウェブ', mediumIds: ['2'] })
    await note('insight:admin', { ...shared, text: 'どれでも' })
    await note('insight:publisher_editor', { ...shared, text: 'アプリ', mediumIds: ['1'] })
    expect(await texts('insight:admin', september)).toEqual(['両方', 'ウェブ', 'どれでも', 'アプリ'])
    expect(await texts('insight:publisher_admin', september)).toEqual(['両方', 'ウェブ', 'どれでも', 'アプリ'])
    expect(await texts('insight:publisher_editor', september)).toEqual(['どれでも', 'アプリ'])
    expect(await texts('insight:publisher_editor', { ...september, mediumIds: ['2'] })).toEqual(['どれでも'])
    expect(await texts('insight:admin', { ...september, mediumIds: ['1'] })).toEqual(['両方', 'どれでも', 'アプリ'])
    const ofOthers = { input: { ...shared, text: '担当外', mediumIds: ['1', '2'] } }
    expect(await refusals('insight:publisher_editor', WRITE, ofOthers)).toEqual([
      'annotation/medium-unknown input.mediumIds',
    ])
  })

  test('are taken away by their writer also when the agreement is gone, and come back no more', async () => {
    const [publisherId] = system.rows.a.publisherIds.map(String)
    const shared = { ...day('2026-08-01'), visibility: 'publisher', publisherId, mediumIds: ['1'] }
    const made = await note('insight:publisher_editor', { ...shared, text: '担当した頃' })
    const { uid } = system.rows.users['insight:publisher_editor']
    const assignments = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.deleteFrom('userAgreements').where('uid', '=', uid).returningAll().execute(),
    )
    try {
      await ask('insight:publisher_editor', 'mutation D($id: ID!) { deleteAnnotation(id: $id) }', { id: made.id })
      const restore = `mutation R($id: ID!) { restoreAnnotation(id: $id) { ${NOTE} } }`
      expect(await refusals('insight:publisher_editor', restore, { id: made.id })).toEqual([
        'annotation/publisher-unknown id',
      ])
    } finally {
      await system.dependencies.database.inScope(SYSTEM, tx =>
        tx.insertInto('userAgreements').values(assignments).execute(),
      )
    }
  })

  test('are changed by their writer only, with the revision, and a deletion is undone', async () => {
    const content = { ...day('2026-10-01'), text: '障害', visibility: 'staff' }
    const made = await note('insight:admin', content, 'n')
    expect(await note('insight:admin', content, 'n')).toEqual(made)
    const change = { ...content, id: made.id, text: '計測の障害', expectedRevision: 1 }
    expect(await refusals('insight:viewer', WRITE, { input: change })).toEqual(['record/not-found input.id'])
    expect(await note('insight:admin', change)).toMatchObject({ text: '計測の障害', revision: 2 })
    expect(await refusals('insight:admin', WRITE, { input: { ...change, text: '古い画面' } })).toEqual([
      'record/edited-by-other expectedRevision',
    ])
    const october = { from: '2026-10-01', to: '2026-10-01' }
    await ask('insight:admin', 'mutation D($id: ID!) { deleteAnnotation(id: $id) }', { id: made.id })
    expect(await texts('insight:viewer', october)).toEqual([])
    const restore = `mutation R($id: ID!) { restoreAnnotation(id: $id) { ${NOTE} } }`
    expect(await refusals('insight:viewer', restore, { id: made.id })).toEqual(['record/not-found id'])
    await ask('insight:admin', restore, { id: made.id })
    expect(await texts('insight:viewer', october)).toEqual(['計測の障害'])
    expect(await audited('insight:annotation.', made.id)).toEqual(['create', 'update', 'delete', 'restore'])
  })

  test.each<[string, Person, object, string]>([
    ['no text', 'insight:admin', { text: '\n ' }, 'annotation/text-missing input.text'],
    ['a long text', 'insight:admin', { text: 'あ'.repeat(201) }, 'annotation/text-too-long input.text'],
    ['an end before the beginning', 'insight:admin', { endsOn: '2026-10-31' }, 'annotation/period-wrong input.endsOn'],
    ['years', 'insight:admin', { endsOn: '2028-10-31' }, 'annotation/period-wrong input.endsOn'],
    ['no publisher', 'insight:admin', { visibility: 'publisher' }, 'annotation/publisher-missing input.publisherId'],
    [
      'staff as readers, by a publisher',
      'insight:publisher_admin',
      { visibility: 'staff' },
      'annotation/visibility-wrong input.visibility',
    ],
    [
      'a publisher that does not exist',
      'insight:admin',
      { visibility: 'publisher', publisherId: '999999' },
      'annotation/publisher-unknown input.publisherId',
    ],
    [
      'a medium that does not exist',
      'insight:admin',
      { mediumIds: ['1', '999999'] },
      'annotation/medium-unknown input.mediumIds',
    ],
    [
      'a crowd of media',
      'insight:admin',
      { mediumIds: Array.from({ length: 51 }, (_, at) => `${at + 1}`) },
      'annotation/too-many-media input.mediumIds',
    ],
  ])('refuse %s', async (_, who, change, refusal) => {
    const input = { ...day('2026-11-01'), text: 'メモ', visibility: 'own', ...change }
    expect(await refusals(who, WRITE, { input })).toEqual([refusal])
  })

  test("refuse another organisation's publisher as one that does not exist", async () => {
    const publisherId = String(system.rows.b.publisherIds[0])
    const input = { ...day('2026-11-01'), text: 'メモ', visibility: 'publisher', publisherId }
    expect(await refusals('insight:publisher_admin', WRITE, { input })).toEqual([
      'annotation/publisher-unknown input.publisherId',
    ])
  })
})
