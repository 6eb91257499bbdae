import { expect, test } from 'vitest'
import { encodeWindows31j } from './windows-31j.ts'

const decode = (bytes: Uint8Array) => new TextDecoder('shift_jis', { fatal: true }).decode(bytes)

test('what was written is read again, and where Windows puts it', () => {
  const text = '未払金,髙橋㈱ ①Ⅲ,ｶﾅ,課対仕入(控70)10% ～－∥\\~\r\n'
  expect(encodeWindows31j(text)).toEqual({ bytes: expect.anything(), unknown: '' })
  expect(decode(encodeWindows31j(text).bytes)).toBe(text)
  const hex = (character: string) =>
    [...encodeWindows31j(character).bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  // Microsoft's code page 932: NEC row 13 before the IBM extensions, those before the NEC selection of them.
  expect(['㈱', 'Ⅰ', 'ⅰ', '髙', '∵', '〜', 'ｱ', 'あ'].map(hex)).toEqual([
    '878a',
    '8754',
    'fa40',
    'fbfc',
    '81e6',
    '8160',
    'b1',
    '82a0',
  ])
})

test('signs with two code points are written as the one that Windows knows', () => {
  expect(decode(encodeWindows31j('〜−—‖¢£¬¥‾\u00A0').bytes)).toBe('～－―∥￠￡￢\\~ ')
})

test('kana in two characters are one; an ideograph stays itself where it has a place, or is its plain form', () => {
  const split = 'が パ ヴ ガ'.normalize('NFD')
  expect(split).not.toBe('が パ ヴ ガ')
  expect(encodeWindows31j(split)).toEqual(encodeWindows31j('が パ ヴ ガ'))
  expect(decode(encodeWindows31j('神\uFA19福\uFA1B').bytes)).toBe('神\uFA19福\uFA1B')
  expect(decode(encodeWindows31j('\uFA45').bytes)).toBe('海')
})

test('characters without a place are named, each once, and written as question marks', () => {
  const { bytes, unknown } = encodeWindows31j('𠮷野😀と𠮷')
  expect(unknown).toBe('𠮷😀')
  expect(decode(bytes)).toBe('?野?と?')
  expect(encodeWindows31j('\uD842').unknown).toBe('\uD842')
})
