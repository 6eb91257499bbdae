import { expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { registerFinding, registerMail } from './registration-status.ts'

const number = 'T7123456789012'
const span = (registeredOn: string, endedOn: string | null) => ({
  registeredOn: day(registeredOn),
  endedOn: endedOn === null ? null : day(endedOn),
})
const today = day('2026-10-01')
const finding = (...spans: ReturnType<typeof span>[]) => registerFinding(number, 'company', spans, today)

test('a number holds until the day before its end', () => {
  expect(finding(span('2023-10-01', null))).toEqual({ standing: 'valid', endedOn: null })
  expect(finding(span('2023-10-01', '2026-10-02'))).toEqual({ standing: 'ending', endedOn: '2026-10-02' })
  expect(finding(span('2023-10-01', '2026-10-01'))).toEqual({ standing: 'ended', endedOn: '2026-10-01' })
})

test('of several spans today decides; one that has not begun is none', () => {
  expect(finding(span('2023-10-01', '2025-04-01'), span('2026-01-01', null)).standing).toBe('valid')
  expect(finding(span('2026-10-01', null)).standing).toBe('valid')
  expect(finding(span('2026-11-01', null))).toEqual({ standing: 'ended', endedOn: null })
  // The finding names an end that has come.
  expect(
    finding(span('2024-10-01', '2025-04-01'), span('2023-10-01', '2024-04-01'), span('2026-11-01', '2027-01-01')),
  ).toEqual({
    standing: 'ended',
    endedOn: '2025-04-01',
  })
})

test('nobody has looked it up, or it cannot be one', () => {
  expect(finding()).toEqual({ standing: 'unseen', endedOn: null })
  expect(registerFinding('T8123456789012', 'company', [], today).standing).toBe('impossible')
})

test('the mail says what was found and that the amount stays', () => {
  const mail = registerMail({ name: '株式会社あさひ', number, standing: 'ended', endedText: '2026年9月30日' })
  expect(mail.body).toContain('T7123456789012 の登録が2026年9月30日に終了している')
  expect(mail.body.split('\n')[0]).toBe('株式会社あさひ ご担当者様')
  const noDay = registerMail({ name: '株式会社あさひ', number, standing: 'ended', endedText: '' })
  expect(noDay.body).toContain('T7123456789012 の登録が終了している')
  expect(mail.body).toContain('お支払いする金額（消費税を含む）は変わりません')
})
