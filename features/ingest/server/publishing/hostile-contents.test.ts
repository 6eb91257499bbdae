import { HOSTILE_MARKUP_KINDS } from '@pc/domain/text/hostile-markup.ts'
import { hasHiddenCharacter, withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { article } from '@pc/testing/statistics/delivered-contents.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { replayContents } from './replay-contents.ts'

const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const codes = [...Array.from({ length: 0x3200 }, (_, code) => code), 0xfeff, 0xffa0, 0xfffa, 0xe0041, 0x1f600]
const characters = codes.map(code => String.fromCodePoint(code))

test('hidden characters are taken out of titles, as out of other texts that nobody typed', async () => {
  await fixture.taken(
    'articles',
    characters.map((character, at) => JSON.stringify(article(at + 1, `題${character}名 `))).join('\n'),
  )
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('mediumArticles').select('title').orderBy('articleId').execute(),
  )
  expect(rows.map(row => row.title)).toEqual(characters.map(one => withoutHiddenCharacters(`題${one}名 `)))
  expect(await replayContents(fixture.context, 'articles')).toMatchObject({ differences: 0 })
})

test('names and texts arrive as they were sent, without hidden characters and white space at their ends', async () => {
  const texts = [
    '"',
    '\\',
    '\\"',
    '{a,b}',
    'NULL',
    ',',
    "'",
    'a","b',
    '\\u200b',
    ' 端 ',
    '\u3000全角\u3000',
    '[',
    'a\u00a0',
    '[]',
    '\u200b零',
  ]
  const sent = texts.flatMap((one, at) => [
    article(2 * at + 1, `題${one}`, {
      medium_article_id: `m${at}`,
      section: `分${one}`,
      authors: JSON.stringify([one, '乙']),
    }),
    article(2 * at + 2, '題', { medium_article_id: `n${at}`, tags: JSON.stringify(['甲', one], null, ' ') }),
    article(2 * at + 1001, '題', { authors: `者${one}` }),
  ])
  await fixture.taken('articles', sent.map(row => JSON.stringify(row)).join('\n'))
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('mediumArticles').select(['articleId', 'title', 'section', 'authors', 'tags']).execute(),
  )
  const stored = new Map(rows.map(row => [Number(row.articleId), row]))
  for (const [at, one] of texts.entries()) {
    const name = withoutHiddenCharacters(one)
    expect(stored.get(2 * at + 1)).toMatchObject({
      title: withoutHiddenCharacters(`題${one}`),
      section: withoutHiddenCharacters(`分${one}`),
      authors: [name, '乙'],
    })
    expect(stored.get(2 * at + 2)).toMatchObject({ authors: [], section: '', tags: ['甲', name] })
    expect(stored.get(2 * at + 1001)).toMatchObject({ authors: [withoutHiddenCharacters(`者${one}`)] })
  }
  expect(await replayContents(fixture.context, 'articles')).toMatchObject({ differences: 0 })
})

test('hidden characters and joiners are refused in what names an article, and no others', async () => {
  const names = characters.map((character, at) => ({ id: at + 1, name: `a${character}${at}` }))
  const content = names.map(({ id, name }) => JSON.stringify(article(id, '題', { medium_article_id: name }))).join('\n')
  await fixture.taken('articles', content, { quarantine: true })
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('mediumArticles').select('mediumArticleId').orderBy('articleId').execute(),
  )
  const right = names.map(({ name }) => name).filter(name => !hasHiddenCharacter(name) && !/[\u200c\u200d]/.test(name))
  expect(rows.map(row => row.mediumArticleId)).toEqual(right)
})

test('markup is kept as text; nothing but a web address is an address', async () => {
  const visible = HOSTILE_MARKUP_KINDS.filter(
    kind => kind.isWellFormed() && !hasHiddenCharacter(kind) && kind.trim() !== '' && kind.length <= 500,
  )
  await fixture.taken('articles', visible.map((kind, at) => JSON.stringify(article(at + 1, kind))).join('\n'))
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('mediumArticles').select('title').orderBy('articleId').execute(),
  )
  expect(rows.map(row => row.title)).toEqual(visible.map(withoutHiddenCharacters))
  const addresses = [
    ...HOSTILE_MARKUP_KINDS,
    'javascript:alert(1)',
    ' https://x.example',
    'https://x.example/ y',
    'https://',
    'https:///x',
    'http:x.example',
    'https://a@b.example',
    'https://x.example\\@evil.example',
    'https://x.example/"onerror=',
    'https://x.example/\u202egpj',
    'data:text/html,x',
    '//evil.example/',
    'https://[::1]/',
    'HTTPS ://x.example',
  ]
  const outcome = await fixture.take(
    'articles',
    addresses.map((url, at) => JSON.stringify(article(1000 + at, '題', { url }))).join('\n'),
  )
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { badRows: addresses.length } })
  const good = [
    'http://a.example',
    'HTTPS://a.example:8080/?a=b&c={d}|e#f',
    'https://日本.example/記事/1',
    'https://a-b_c.example/%E3%81%82',
  ]
  await fixture.taken('articles', good.map((url, at) => JSON.stringify(article(2000 + at, '題', { url }))).join('\n'))
  for (const url of good) expect(URL.canParse(url)).toBe(true)
})
