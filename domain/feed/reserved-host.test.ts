import { expect, test } from 'vitest'
import { isReservedHost } from './reserved-host.ts'

test('names of documents and demonstrations, and nobody else', () => {
  for (const host of [
    'example.jp',
    'publisher-1.example.jp',
    'a.example.co.jp',
    'example3.jp',
    'www.EXAMPLE.com.',
    'x.test',
    'news.example',
    'localhost',
  ])
    expect(isReservedHost(host), host).toBe(true)
  for (const host of ['myexample.jp', 'example.jp.evil.com', 'contest', 'examples.com', 'asahi.com', 'example.tokyo'])
    expect(isReservedHost(host), host).toBe(false)
})
