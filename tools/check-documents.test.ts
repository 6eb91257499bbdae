import { describe, expect, test } from 'vitest'
import {
  differingSections,
  unknownNames,
  withFolders,
  withoutFolders,
  wordsOf,
  wrongExcerpts,
  wrongReferences,
} from './check-documents.ts'

const repository = {
  paths: withFolders(['README.md', 'domain/month/day.ts', 'docs/glossary.md', 'docs/adr/0001-vertical-features.md']),
  scripts: new Set(['start', 'test', 'test:clickhouse']),
}
const wrong = (text: string, file = 'README.md') => wrongReferences(file, text, repository)

describe('paths', () => {
  test('that exist are fine: files, folders, with a line number, in a block', () => {
    expect(wrong('See `domain/month/day.ts:12`, `domain/month/`, `docs/` and `README.md`.')).toEqual([])
    expect(wrong('```\ndomain/month/day.ts   days\n```')).toEqual([])
  })
  test('that are gone are named with their line', () => {
    expect(wrong('\nSee `domain/month/week.ts`.')).toEqual([
      'README.md:2 names domain/month/week.ts, which does not exist',
    ])
    expect(wrong('Read `MANUAL.md`')).toHaveLength(1)
    expect(wrong('```sh\ncat ./domain/week.ts\n```')).toHaveLength(1)
  })
  test('other words are none', () => {
    expect(wrong('`@pc/domain/x.ts`, `/gpc/`, `application/json`, `features/<name>/links.ts`, domain/none.ts')).toEqual(
      [],
    )
  })
  test('in a block inside a list count as well', () => {
    expect(wrong('1. Run\n   ```sh\n   cat domain/new.ts\n   ```\n')).toHaveLength(1)
  })
})

describe('names in code', () => {
  const code = {
    files: withoutFolders(['domain/month/day.ts']),
    words: wordsOf(['export const DAY_MS = parseDay(a_b)']),
  }
  const unknown = (text: string) => unknownNames('CONTRIBUTING.md', text, code)
  test('that exist are fine: files with fewer folders, identifiers, calls', () => {
    expect(unknown('`day.ts`, `month/day.ts`, `DAY_MS`, `parseDay()`, `a_b`')).toEqual([])
  })
  test('that are gone are named with their line', () => {
    expect(unknown('\nSee `week.ts` and `parseWeek`.')).toEqual([
      'CONTRIBUTING.md:2 names week.ts, which is nowhere in the code',
      'CONTRIBUTING.md:2 names parseWeek, which is nowhere in the code',
    ])
    expect(unknown('`WEEK_MS`, `day_of_week`, `parseWeek()`')).toHaveLength(3)
  })
  test('examples, single words, prose and blocks are none', () => {
    expect(unknown('`x-finding.ts`, `media.gen.ts`, `<name>.ts`, `tile`, parseWeek\n```ts\n`parseWeek`\n```')).toEqual(
      [],
    )
  })
})

describe('blocks of TypeScript', () => {
  const code = 'export const a = {\n  b: 1,\n  c: 2,\n}\n'
  const excerpt = (...lines: string[]) =>
    wrongExcerpts('A.md', `Text\n\n   \`\`\`ts\n${lines.map(line => `   ${line}\n`).join('')}   \`\`\`\n`, path =>
      path === 'a.ts' ? code : undefined,
    )
  test('quote a file, in its order; lines may be left out', () => {
    expect(excerpt('// a.ts', 'export const a = {', '', '  c: 2,', '}')).toEqual([])
  })
  test('that quote no file, another line or another order are named', () => {
    expect(excerpt('export const a = {')).toEqual(['A.md:4 quotes no file: its first line is "// path"'])
    expect(excerpt('// b.ts', 'export const a = {')).toHaveLength(1)
    expect(excerpt('// a.ts', '  b: 2,')).toEqual(['A.md:4 quotes a line that a.ts does not have there: b: 2,'])
    expect(excerpt('// a.ts', '  c: 2,', '  b: 1,')).toHaveLength(1)
  })
})

test('links are relative to their document', () => {
  expect(wrong('[a](../glossary.md#b) [b](https://example.jp/x)', 'docs/adr/0001-vertical-features.md')).toEqual([])
  expect(wrong('[a](glossary.md)')).toEqual(['README.md:1 link to glossary.md: does not exist'])
})

test('npm scripts exist', () => {
  expect(wrong('`npm start`, `npm test`, `npm run -s test:clickhouse -- x`, `npm install`, npm packages')).toEqual([])
  expect(wrong('run `npm run deploy`')).toEqual(['README.md:1 no npm script deploy'])
})

test('the twins have the same shape', () => {
  const english = '# A\n\n## B\n\n| a |\n|---|\n\n```sh\n# no heading\n```\n'
  expect(differingSections(english, english.replace('A', 'あ').replace('B', 'い'))).toEqual([])
  expect(differingSections(english, english.replace('## ', '### '))).toEqual([expect.stringContaining('headings')])
  expect(differingSections(english, `${english}\n## C\n`)).toHaveLength(1)
  expect(differingSections(english, english.replace('| a |\n', ''))).toEqual([expect.stringContaining('table rows')])
})
