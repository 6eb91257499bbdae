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

test('a text is taken apart into its characters and its pairs of neighbours, whatever the characters are', async () => {
  const unit = fc.oneof(character, fc.constantFrom(...'\u3099\u{1f469}\u200d\u{1f680}\u{20b9f}'))
  const texts = fc.array(fc.string({ unit, maxLength: 20 }), { minLength: 50, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(texts, async given => {
      const { rows } = await own.database.inScope(SYSTEM, tx =>
        sql<{ pieces: string[] }>`select app.search_pieces(given.text) as pieces
          from unnest(${given}::text[]) with ordinality given(text, place) order by place`.execute(tx),
      )
      expect(rows.map(row => [...new Set(row.pieces)].sort())).toEqual(
        given.map(text => {
          const characters = [...text]
          return [...new Set([...characters, ...characters.slice(1).map((one, at) => characters[at]! + one)])].sort()
        }),
      )
    }),
    { numRuns: 20 },
  )
  const { rows } = await own.database.inScope(SYSTEM, tx =>
    sql`select app.search_pieces('') as empty, app.search_pieces(null) as missing`.execute(tx),
  )
  expect(rows).toEqual([{ empty: [], missing: [] }])
})
