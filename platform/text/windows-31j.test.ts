import { expect, test } from 'vitest'
import { encodeWindows31j } from './windows-31j.ts'

test('what was written is read again, and where Windows puts it', () => {
  const text = '未払金,髙橋㈱ ①,ｶﾅ,課対仕入(控70)10%\r\n'
  const encoded = encodeWindows31j(text)
  if (!encoded.ok) throw new Error(encoded.characters)
  expect(new TextDecoder('shift_jis', { fatal: true }).decode(encoded.bytes)).toBe(text)
  const hex = (character: string) => {
    const one = encodeWindows31j(character)
    return one.ok && [...one.bytes].map(byte => byte.toString(16)).join('')
  }
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

test('characters without a place are named', () => {
  expect(encodeWindows31j('𠮷野😀と𠮷')).toEqual({ ok: false, characters: '𠮷😀' })
})
