import fs from 'node:fs'
import zlib from 'node:zlib'
import { searchText } from '@pc/domain/text/search-text.ts'
import { sharedDataFile } from '@pc/testing/shared-data.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from './database.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

async function inPostgres(texts: readonly string[]): Promise<string[]> {
  const { rows } = await own.database.inScope(SYSTEM, tx =>
    sql<{ text: string }>`select app.search_text(given.text) as text
      from unnest(${[...texts]}::text[]) with ordinality given(text, place) order by place`.execute(tx),
  )
  return rows.map(row => row.text)
}

const character = fc.oneof(
  fc.constantFrom(...' 　-‐―−－ー〜～~・･。､、.,\'"「」（）()[]【】/&!?:;_*#+=@|<>｢｣ﾞﾟ゛゜'),
  fc.integer({ min: 0x3041, max: 0x30fe }).map(code => String.fromCodePoint(code)),
  fc.integer({ min: 0xff01, max: 0xff9f }).map(code => String.fromCodePoint(code)),
  fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCodePoint(code)),
  fc.integer({ min: 0x4e00, max: 0x9fa5 }).map(code => String.fromCodePoint(code)),
  fc.constantFrom(...'㈱㍿①ⅣⅳéÉßΣ㎏髙﨑𠮷'),
)

test('PostgreSQL and the domain have the same normal form', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: character, maxLength: 30 }), { minLength: 50, maxLength: 50 }),
      async texts => {
        expect(await inPostgres(texts)).toEqual(texts.map(searchText))
      },
    ),
    { numRuns: 40 },
  )
})

const companies = sharedDataFile('masters/edinet_companies.csv.gz')
test.skipIf(!companies)('… for every real company', async () => {
  const lines = zlib
    .gunzipSync(fs.readFileSync(companies ?? ''))
    .toString('utf8')
    .split('\n')
  expect(await inPostgres(lines)).toEqual(lines.map(searchText))
})
