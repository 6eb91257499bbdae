import { expect, test } from 'vitest'
import { daysText } from './ingest-words.ts'

test.each([
  ['2026-11-01', '2026-11-01', '2026年11月1日'],
  ['2026-11-01', '2026-11-20', '2026年11月1日〜20日'],
  ['2026-10-30', '2026-11-02', '2026年10月30日〜11月2日'],
  ['2026-12-30', '2027-01-02', '2026年12月30日〜2027年1月2日'],
  [null, null, '—'],
])('the days from %s to %s', (firstDay, lastDay, text) => expect(daysText({ firstDay, lastDay })).toBe(text))
