import { expect, test } from 'vitest'
import { DEFAULT_WEBHOOK_FORMAT, formatProblems, WEBHOOK_FORMATS, webhookFormat } from './webhook-format.ts'
import { WEBHOOK_REFUSALS_JA } from './webhook-refusals.ja.ts'

const MESSAGE = { key: 'k', kind: 'payment.paid', occurredAt: '2026-11-30T01:23:45.678Z', data: { transferId: '12' } }

test('the standard format holds id, type, time and data, in this order', () => {
  expect(webhookFormat('json')?.body(MESSAGE)).toBe(
    '{"id":"k","type":"payment.paid","occurredAt":"2026-11-30T01:23:45.678Z","data":{"transferId":"12"}}',
  )
})

test('every format has a name that the table takes, a label of its own and a body of JSON', () => {
  for (const { name, label, body } of WEBHOOK_FORMATS) {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,29}$/)
    expect(label).not.toBe('')
    expect(() => JSON.parse(body(MESSAGE))).not.toThrow()
  }
  for (const key of ['name', 'label'] as const)
    expect(new Set(WEBHOOK_FORMATS.map(format => format[key])).size).toBe(WEBHOOK_FORMATS.length)
})

test('what is not declared is no format', () => {
  for (const name of ['', 'JSON', 'json ', '__proto__']) expect(webhookFormat(name)).toBeUndefined()
  expect(webhookFormat(DEFAULT_WEBHOOK_FORMAT)?.name).toBe(DEFAULT_WEBHOOK_FORMAT)
})

test('a format of certain hosts is refused for any other, also behind a masked address', () => {
  const chat = { name: 'chat', label: 'チャット', hosts: ['hooks.chat.example'], body: () => '{}' }
  const codes = (address: string) => formatProblems(chat, address).map(({ code }) => code)
  for (const address of [
    'https://hooks.chat.example/a/b',
    'https://HOOKS.chat.example',
    'https://hooks.chat.example/…yZXQ',
  ])
    expect(codes(address)).toEqual([])
  for (const address of [
    'https://hooks.chat.example.evil.example/',
    'https://evil.example/https://hooks.chat.example/',
    'https://hooks.chat.example@evil.example/',
    'x',
  ])
    expect(codes(address)).toEqual(['webhook/other-host'])
  const [problem] = formatProblems(chat, 'https://evil.example/')
  expect(problem?.path).toEqual(['input', 'url'])
  expect(WEBHOOK_REFUSALS_JA['webhook/other-host'](problem!.data)).toBe(
    '「チャット」で送信できるのは、hooks.chat.example のURLだけです。',
  )
  expect(formatProblems(webhookFormat('json'), 'https://evil.example/')).toEqual([])
  expect(formatProblems(undefined, 'https://evil.example/')).toEqual([])
})
