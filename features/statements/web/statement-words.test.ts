import { expect, test } from 'vitest'
import { contractText } from './statement-words.ts'

test.each([
  ['東都新聞社', '東都新聞社 ニュースアプリ 配信契約', 'ニュースアプリ 配信契約'],
  ['株式会社東都新聞社', '東都新聞社 / ニュースアプリ', 'ニュースアプリ'],
  ['東都新聞社', 'ニュースアプリ（東都新聞社）', 'ニュースアプリ'],
  ['東都新聞社', '東都新聞社', ''],
  ['東都新聞社', '別の名前の契約', '別の名前の契約'],
  ['株式会社', '配信契約', '配信契約'],
])('beside the payee %s the contract %s reads %s', (payeeName, agreementName, text) => {
  expect(contractText({ payeeName, agreementName })).toBe(text)
})
