import { refusal } from '@pc/domain/refusal.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agreementText, namedRows, withNames } from './board-names.ts'

let db: TestDatabase
let rows: TwoOrganizations
const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => db.database.inScope(SYSTEM, work)

beforeAll(async () => {
  db = await testDatabase()
  rows = await makeTwoOrganizations(db.database)
})
afterAll(() => db.drop())

test('an agreement goes by its name, with its code only where another one has the same name', async () => {
  const [first, second] = [rows.a.agreementIds[0]!, rows.a.agreementIds[1]!]
  const { name, code } = await inBooks(tx =>
    tx.selectFrom('agreements').select(['name', 'code']).where('id', '=', first).executeTakeFirstOrThrow(),
  )
  expect(await inBooks(tx => agreementText(tx, first))).toBe(`「${name}」`)
  await inBooks(tx => tx.updateTable('agreements').set({ name }).where('id', '=', second).execute())
  expect(await inBooks(tx => agreementText(tx, first))).toBe(`「${name}」（${code}）`)
})

test('a refusal of the computation names agreement and publisher; what is not there keeps its number', async () => {
  const [agreementId, publisherId] = [rows.b.agreementIds[0]!, rows.b.publisherIds[0]!]
  const [known, unknown, other] = await inBooks(tx =>
    withNames(tx, [
      refusal('payment/publisher-twice', [], {
        agreementId: agreementId.toString(),
        publisherId: publisherId.toString(),
      }),
      refusal('payment/agreement-twice', [], { agreementId: 999_999 }),
      refusal('payment/ingest-running'),
    ]),
  )
  expect(refusalMessageJa(known!)).toMatch(
    /^契約「CANARY-B 契約 1」にパブリッシャー「CANARY-B 新聞 1」が重複しています。$/,
  )
  expect(refusalMessageJa(unknown!)).toBe('契約999999が重複しています。')
  expect(other).toEqual(refusal('payment/ingest-running'))
})

test('the row of a check and a manual operation have the names that people know', async () => {
  const [agreementId, publisherId] = [rows.b.agreementIds[0]!, rows.b.publisherIds[0]!]
  const [medium, jobId] = await inBooks(async tx => {
    const key = await tx
      .selectFrom('agreements')
      .select(['mediumId'])
      .where('id', '=', agreementId)
      .executeTakeFirstOrThrow()
    const { id: operationId } = await tx
      .insertInto('dividendOperations')
      .values({ month: 202607 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('dividends')
      .values({
        operationId,
        mediumId: key.mediumId,
        month: 202607,
        kind: 'ssp_video',
        method: 'payment',
        extraRevenueYen: 1_000n,
        extraRevenueMonth: 202607,
        createdAt: new Date('2026-08-02T15:30:00Z'),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { name } = await tx
      .selectFrom('media')
      .select('name')
      .where('id', '=', key.mediumId)
      .executeTakeFirstOrThrow()
    return [{ id: key.mediumId, name }, id] as const
  })
  const named = await inBooks(tx =>
    namedRows(tx, [
      `契約 ${agreementId} / パブリッシャー ${publisherId}`,
      `媒体 ${medium.id} / 202607`,
      `配分処理 ${jobId}`,
      '契約 999999',
    ]),
  )
  expect(named).toEqual([
    '契約「CANARY-B 契約 1」 / パブリッシャー「CANARY-B 新聞 1」',
    `媒体「${medium.name}」 / 202607`,
    '「動画SSP収益の分配」（8月3日登録）',
    '契約 999999',
  ])
  const [refused] = await inBooks(tx => withNames(tx, [refusal('payment/pool-negative', [], { jobId: `${jobId}` })]))
  expect(refusalMessageJa(refused!)).toBe('「動画SSP収益の分配」（8月3日登録）の原資が負の値です。')
})
