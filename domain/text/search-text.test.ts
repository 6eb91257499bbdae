import { describe, expect, test } from 'vitest'
import { searchText, searchWords } from './search-text.ts'

describe('the normal form of a search', () => {
  test.each([
    ['ﾄｳｷｮｳ ｼﾝﾌﾞﾝ', 'トウキヨウシンブン'],
    ['とうきょうしんぶん', 'トウキヨウシンブン'],
    ['トウキョウ・シンブン', 'トウキヨウシンブン'],
    ['ＡＢＣ　Ｎｅｗｓ', 'abcnews'],
    ['スーパー−マーケット', 'スパマケツト'],
    ['㈱青空', '株青空'],
    ['株式会社（青空）', '株式会社青空'],
    ['ゔぁいおりん', 'ヴアイオリン'],
    ['ｶﾞｷﾞｸﾞｹﾞｺﾞ', 'ガギグゲゴ'],
  ])('%s → %s', (typed, normal) => expect(searchText(typed)).toBe(normal))

  test('words are found one by one, each once', () => {
    expect(searchWords(' 青空　ニュース にゅーす ・ ')).toEqual(['青空', 'ニユス'])
    expect(searchWords(' 　')).toEqual([])
  })

  test.each(['・', '-', '「」', '＊', '・ ー', '％_'])('separators alone (%s) are in no normal form', typed => {
    const words = searchWords(typed)
    expect(words.length).toBeGreaterThan(0)
    if (searchText(typed) === '') expect(words.filter(word => searchText(word).includes(word))).toEqual([])
  })
})
