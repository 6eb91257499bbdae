import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import {
  applyAnswer,
  applyConfirmation,
  applyObjection,
  applyReplacement,
  applySending,
  applyWithdrawal,
  autoConfirm,
  autoConfirmedOn,
  confirmationMethod,
  issued,
} from './statement-confirmation.ts'

describe('confirmation', () => {
  const actor = { uid: 'u', ipAddress: '192.0.2.1', atMs: globalThis.Date.parse('2026-07-10T00:00:00Z') }
  const start = issued({
    statementHash: 'hash',
    month: 202606 as YearMonth,
    lineLabels: ['自社広告分', '動画SSP分'],
    deemedOn: day('2026-07-19'),
  })
  const accepted = (result: ReturnType<typeof applyConfirmation>) => {
    if (!result.ok) throw new Error(result.refusals[0]!.code)
    return result.value
  }
  test('explicit, with evidence of the very text that was seen', () => {
    const confirmed = accepted(applyConfirmation(start, 'hash', actor))
    expect(confirmationMethod(confirmed)).toBe('explicit')
    expect(confirmed.log).toEqual([
      {
        event: 'confirm',
        statementHash: 'hash',
        atMs: actor.atMs,
        actor,
        text: null,
        lines: [],
        resolution: null,
        adjustmentMonth: null,
      },
    ])
    expect(applyConfirmation(start, 'other', actor)).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/hash-differs' }],
    })
    expect(applyConfirmation(confirmed, 'hash', actor)).toMatchObject({
      ok: false,
      refusals: [{ code: 'state/transition-not-allowed' }],
    })
  })
  test('silence ends with the printed day, later after a later notification, never without one', () => {
    const [issuedOn, printed] = [day('2026-07-05'), day('2026-07-19')]
    expect(autoConfirmedOn(issuedOn, printed, null)).toBeNull()
    expect(autoConfirmedOn(issuedOn, printed, day('2026-07-04'))).toBe('2026-07-19')
    expect(autoConfirmedOn(issuedOn, printed, day('2026-07-05'))).toBe('2026-07-19')
    expect(autoConfirmedOn(issuedOn, printed, day('2026-07-06'))).toBe('2026-07-20')
    expect(autoConfirmedOn(issuedOn, printed, day('2026-12-01'))).toBe('2026-12-15')
    expect(applySending(start, actor, ' ')).toMatchObject({ refusals: [{ code: 'statement/reason-missing' }] })
    expect(applySending(start, actor, 'x'.repeat(1_001))).toMatchObject({
      refusals: [{ code: 'statement/reason-too-long' }],
    })
    expect(accepted(applySending(start, actor, ' 郵送 '))).toMatchObject({
      state: 'issued',
      log: [{ event: 'send', text: '郵送' }],
    })
  })
  test('auto-confirmed only once the printed day is over in Tokyo, and never over an objection', () => {
    expect(autoConfirm(start, globalThis.Date.parse('2026-07-19T14:59:59Z'))).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/not-yet-deemed' }],
    })
    const deemed = accepted(autoConfirm(start, globalThis.Date.parse('2026-07-19T15:00:00Z')))
    expect(confirmationMethod(deemed)).toBe('deemed')
    const objected = accepted(
      applyObjection(start, 'hash', actor, { text: '', lines: [{ label: '動画SSP分', reason: ' 少ない ' }] }),
    )
    expect(autoConfirm(objected, globalThis.Date.parse('2026-08-01T00:00:00Z')).ok).toBe(false)
    expect(confirmationMethod(objected)).toBeNull()
    expect(objected.log[0]).toMatchObject({ text: null, lines: [{ label: '動画SSP分', reason: '少ない' }] })
    const resolved = accepted(
      applyAnswer(objected, actor, {
        text: '7月分で調整します',
        resolution: 'adjusted_later',
        adjustmentMonth: 202607 as YearMonth,
      }),
    )
    expect(resolved.state).toBe('resolved')
    expect(resolved.log.map(record => [record.event, record.resolution, record.adjustmentMonth])).toEqual([
      ['object', null, null],
      ['resolve', 'adjusted_later', 202607],
    ])
    const withdrawn = accepted(applyWithdrawal(objected, actor))
    expect(withdrawn.state).toBe('issued')
    expect(applyWithdrawal(withdrawn, actor).ok).toBe(false)
    expect(applyWithdrawal(resolved, actor).ok).toBe(false)
    expect(accepted(applyConfirmation(withdrawn, 'hash', actor)).state).toBe('confirmed')
    const upheld = { text: 'x', resolution: 'upheld', adjustmentMonth: null } as const
    expect(applyAnswer(start, actor, upheld).ok).toBe(false)
    expect(accepted(applyReplacement(resolved, actor, '住所の訂正')).state).toBe('replaced')
  })
  test.each<[string, Parameters<typeof applyObjection>[3], string]>([
    ['statement/reason-missing', { text: ' ', lines: [] }, 'text'],
    ['statement/reason-missing', { text: 'x', lines: [{ label: '動画SSP分', reason: ' ' }] }, 'lines.0.reason'],
    ['statement/line-unknown', { text: '', lines: [{ label: '固定額', reason: 'x' }] }, 'lines.0.label'],
    [
      'statement/line-unknown',
      { text: '', lines: ['a', 'b'].map(reason => ({ label: '動画SSP分', reason })) },
      'lines.1.label',
    ],
    ['statement/reason-too-long', { text: 'あ'.repeat(1_001), lines: [] }, 'text'],
    [
      'statement/reason-too-long',
      { text: '', lines: [{ label: '動画SSP分', reason: 'あ'.repeat(1_001) }] },
      'lines.0.reason',
    ],
  ])('an objection says what is wrong: %s', (code, objection, path) => {
    const result = applyObjection(start, 'hash', actor, objection)
    if (result.ok) throw new Error('accepted')
    expect([result.refusals[0]!.code, result.refusals[0]!.path.join('.')]).toEqual([code, path])
  })
  test('an objection is to the very text that was seen, and keeps what was said of the whole', () => {
    const objection = { text: ' 全体が少ない ', lines: [] }
    expect(applyObjection(start, 'other', actor, objection)).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/hash-differs' }],
    })
    expect(accepted(applyObjection(start, 'hash', actor, objection)).log).toMatchObject([
      { text: '全体が少ない', lines: [] },
    ])
    // As long as it may be.
    const long = { text: 'あ'.repeat(1_000), lines: [{ label: '動画SSP分', reason: 'い'.repeat(1_000) }] }
    expect(accepted(applyObjection(start, 'hash', actor, long)).log).toMatchObject([long])
  })
  test('an answer and a replacement say why', () => {
    const objected = accepted(applyObjection(start, 'hash', actor, { text: '全体が少ない', lines: [] }))
    const answer = (text: string) => applyAnswer(objected, actor, { text, resolution: 'upheld', adjustmentMonth: null })
    const refusalOf = (result: ReturnType<typeof applyConfirmation>) =>
      result.ok ? 'accepted' : result.refusals.map(({ code, path }) => [code, path.join('.')])
    expect(refusalOf(answer(' '))).toEqual([['statement/reason-missing', 'text']])
    expect(refusalOf(answer('あ'.repeat(1_001)))).toEqual([['statement/reason-too-long', 'text']])
    expect(accepted(answer(' 記載のとおりです ')).log.at(-1)).toMatchObject({
      ...{ event: 'resolve', text: '記載のとおりです', resolution: 'upheld', adjustmentMonth: null },
    })
    expect(refusalOf(applyReplacement(start, actor, ' '))).toEqual([['statement/reason-missing', 'reason']])
    expect(refusalOf(applyReplacement(start, actor, 'あ'.repeat(1_001)))).toEqual([
      ['statement/reason-too-long', 'reason'],
    ])
    expect(accepted(applyReplacement(start, actor, ' 住所の訂正 ')).log.at(-1)).toMatchObject({
      ...{ event: 'replace', text: '住所の訂正' },
    })
  })
  test('an answer by adjustment names a later month, another one names none', () => {
    const objected = accepted(applyObjection(start, 'hash', actor, { text: '全体が少ない', lines: [] }))
    for (const [resolution, adjustmentMonth] of [
      ['adjusted_later', null],
      ['adjusted_later', 202606],
      ['upheld', 202607],
    ] as const) {
      const answer = { text: 'x', resolution, adjustmentMonth: adjustmentMonth as YearMonth | null }
      expect(applyAnswer(objected, actor, answer)).toMatchObject({
        ok: false,
        refusals: [{ code: 'statement/adjustment-month-wrong', path: ['adjustmentMonth'] }],
      })
    }
  })
  test('every month end: the last printed day still belongs to the payee, in Tokyo', () => {
    for (let month = 0; month < 120; month += 1) {
      const lastDay = globalThis.Date.UTC(2025, month + 1, 0)
      const deemedOn = day(new globalThis.Date(lastDay).toISOString().slice(0, 10))
      const now = { ...start, deemedOn }
      const midnightInTokyo = lastDay + 15 * 3_600_000
      expect(autoConfirm(now, midnightInTokyo - 1).ok, deemedOn).toBe(false)
      expect(autoConfirm(now, midnightInTokyo).ok, deemedOn).toBe(true)
    }
  })
})
