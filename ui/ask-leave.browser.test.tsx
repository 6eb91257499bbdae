import { afterEach, expect, test, vi } from 'vitest'
import { askLeave } from './ask-leave.ts'

afterEach(() => vi.restoreAllMocks())

function asked(insightApiOrigin: string, iamApiOrigin: string) {
  const fetched = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  fetched.mockClear()
  askLeave({ insightApiOrigin, iamApiOrigin })
  return fetched.mock.calls.map(([address, init]) => `${init?.method} ${address} ${init?.credentials}`)
}

test('asks each API of another origin for its options, as the questions will be asked; a failure is nobody’s', async () => {
  expect(asked('https://insight.example', 'https://iam.example')).toEqual([
    'OPTIONS https://insight.example/query include',
    'OPTIONS https://iam.example/query include',
  ])
})

test('asks once where both are one, and nothing of the own origin, where nobody needs leave', () => {
  expect(asked('https://api.example', 'https://api.example')).toEqual(['OPTIONS https://api.example/query include'])
  expect(asked(location.origin, location.origin)).toEqual([])
})
