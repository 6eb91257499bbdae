import { refusal } from '@pc/domain/refusal.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/two-organizations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agreementText, withNames } from './board-names.ts'

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
