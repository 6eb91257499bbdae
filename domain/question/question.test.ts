import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { checkTemplate, fillTemplate, TEMPLATE_BOUNDS, TEMPLATE_PLACEHOLDERS } from './answer-template.ts'
import { checkMessage, QUESTION_BOUNDS, QUESTION_STATES, stateAfter } from './question.ts'
import { formatAskTarget, parseAskTarget, QUESTION_FIGURES } from './question-subject.ts'

describe('a thread', () => {
  test('is open after a question, answered after an answer, solved when somebody says so; a note changes nothing', () => {
    for (const state of QUESTION_STATES) {
      expect(stateAfter(state, 'ask')).toBe('open')
      expect(stateAfter(state, 'answer')).toBe('answered')
      expect(stateAfter(state, 'resolve')).toBe('resolved')
      expect(stateAfter(state, 'note')).toBe(state)
    }
  })

  test('keeps a message trimmed and within its bounds, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_100 }), typed => {
        const checked = checkMessage(typed, ['text'])
        if (!checked.ok) return
        expect(checked.value).toBe(checked.value.trim())
        expect(checked.value).not.toBe('')
        expect([...checked.value].length).toBeLessThanOrEqual(QUESTION_BOUNDS.text)
        expect(checked.value).not.toContain('\r')
      }),
    )
    for (const nothing of [' \n ', '\u200b\u3000\ufeff'])
      expect(checkMessage(nothing, ['text'])).toMatchObject({ ok: false })
    expect(checkMessage('🙂', ['text'])).toMatchObject({ ok: true })
    expect(checkMessage('あ'.repeat(QUESTION_BOUNDS.text + 1), ['text'])).toMatchObject({ ok: false })
  })
})

describe('an address of a subject', () => {
  const anyDay = fc.constantFrom('2020-12-01', '2026-02-28', '2028-02-29').map(day)
  const amounts = fc.record({
    kind: fc.constantFrom('payment' as const, 'publisher_payment' as const),
    id: fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n }).map(String),
    column: fc.constantFrom('payment', 'paymentIncludingTax'),
  })
  const figures = fc
    .tuple(anyDay, anyDay, fc.constantFrom(...QUESTION_FIGURES))
    .filter(([from, to]) => from <= to)
    .map(([from, to, figure]) => ({ kind: 'report' as const, range: { from, to }, figure }))

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.oneof(amounts, figures), target => {
        expect(parseAskTarget(formatAskTarget(target))).toEqual(target)
      }),
    )
  })

  test.each([
    '',
    'payment',
    'payment-0-revenue',
    'pool-1-revenue',
    'report-2026-11-02-2026-11-01-clicks',
    'report-2026-02-30-2026-03-01-clicks',
    'report-1900-01-01-2026-11-01-clicks',
    'report-2026-11-01-2999-12-31-clicks',
    'report-2026-11-01-2026-11-02-ctr',
    'payment-1-revenue; drop',
  ])('names nothing: %s', text => expect(parseAskTarget(text)).toBeUndefined())
})

describe('a template', () => {
  test('is filled in once: what a fact says is no placeholder, and what is not known stays to be seen', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{月}', '{契約}', 'です。', '{', '}')), fc.string(), (parts, month) => {
        const body = parts.join('')
        const filled = fillTemplate(body, { 月: month })
        expect(filled).toBe(body.split('{月}').join(month))
      }),
    )
    expect(fillTemplate('{月}の{対象}は{現在の値}です。', { 月: '2026年6月分', 対象: '{契約}' })).toBe(
      '2026年6月分の{契約}は{現在の値}です。',
    )
  })

  test('takes the placeholders that exist, and says which one does not', () => {
    const body = TEMPLATE_PLACEHOLDERS.map(name => `{${name}}`).join(' ')
    expect(checkTemplate({ name: '確認中', body })).toEqual([])
    expect(checkTemplate({ name: '', body: '{金額}です' })).toMatchObject([
      { code: 'answer-template/name-missing' },
      { code: 'answer-template/placeholder-unknown', data: { name: '{金額}' } },
    ])
    const long = { name: 'あ'.repeat(TEMPLATE_BOUNDS.name + 1), body: 'あ'.repeat(TEMPLATE_BOUNDS.body + 1) }
    expect(checkTemplate(long).map(one => one.code)).toEqual([
      'answer-template/name-too-long',
      'answer-template/body-too-long',
    ])
    expect(checkTemplate({ name: '確認\u200b中', body: 'です' }).map(one => one.code)).toEqual([
      'name/hidden-characters',
    ])
  })
})
