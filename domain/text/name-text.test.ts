import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasHiddenCharacter, withoutHiddenCharacters } from './name-text.ts'

test.each([
  ...[0x00, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x85, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
  ...[0xad, 0x34f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2063, 0x206a, 0xfeff, 0xfff9],
  ...[0x115f, 0x1160, 0x2800, 0x3164, 0xffa0, 0xe0001, 0xe0061, 0xe007f, 0xd800, 0xdfff],
])('U+%i has no place in a name, wherever it stands', code => {
  const character = String.fromCodePoint(code)
  for (const name of [`${character}会社`, `会${character}社`, `会社${character}`]) {
    expect(hasHiddenCharacter(name)).toBe(true)
    expect(withoutHiddenCharacters(name).replace(' ', '')).toBe('会社')
  }
})

test.each([
  ...['株式会社サンプル', 'ガ行・ﾊﾝｶｸ　全角空白', 'שלום', 'مرحبا', '家族👨‍👩‍👧', '𠮷野家', '葛\u{E0100}飾', ''],
  ...['か\u3099', '❤\ufe0f‍🔥', '🧑🏽‍💻編集部', 'می\u200cخواهم', 'क्\u200dष'],
])('%j stays as it is', name => {
  expect(hasHiddenCharacter(name)).toBe(false)
  expect(withoutHiddenCharacters(name)).toBe(name)
})

test('what is left of any text is a name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), text => {
      const left = withoutHiddenCharacters(text)
      expect(hasHiddenCharacter(left)).toBe(false)
      expect(withoutHiddenCharacters(left)).toBe(left)
    }),
  )
})
