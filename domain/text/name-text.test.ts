import { expect, test } from 'vitest'
import { hasHiddenCharacter } from './name-text.ts'

test.each([
  ...[0x00, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x85, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
])('U+%i has no place in a name, wherever it stands', code => {
  const character = String.fromCodePoint(code)
  for (const name of [`${character}会社`, `会${character}社`, `会社${character}`])
    expect(hasHiddenCharacter(name)).toBe(true)
})

test.each(['株式会社サンプル', 'ガ行・ﾊﾝｶｸ　全角空白', 'שלום', 'مرحبا', '家族👨‍👩‍👧', '𠮷野家', '葛\u{E0100}飾', ''])(
  '%j stays as it is',
  name => expect(hasHiddenCharacter(name)).toBe(false),
)
