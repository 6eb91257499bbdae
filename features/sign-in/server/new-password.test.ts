import { expect, test } from 'vitest'
import { refuseNewPassword } from './new-password.ts'

const code = (password: string) => refuseNewPassword(password, 'tanaka.taro@example.jp', [])?.code

test('a new password has ten characters, whatever they are', () => {
  expect(code('abcdefghi')).toBe('sign-in/password-too-short')
  expect(code('x'.repeat(129))).toBe('sign-in/password-too-long')
  for (const good of [
    'correct horse',
    '新しい合い言葉は長い',
    'kfurmvyqpz',
    'とうきょうのあさごはん',
    'sunshine-riverbank',
  ])
    expect(code(good), good).toBeUndefined()
})

test('a leaked or guessable password is refused, also in disguise', () => {
  const guessable = [
    '1234567890',
    'qwertyuiop',
    'Password123',
    'ＰＡＳＳＷＯＲＤ１２３',
    'sunshine2024!',
    '!!dragon!!99',
    'abcdefghijkl',
    'aaaaaaaaaaaa',
    'tanaka.taro1',
    'publishercenter1',
    'football12',
    'superman!!',
  ]
  for (const bad of guessable) expect(code(bad), bad).toBe('sign-in/password-too-simple')
})
