import { expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { monthDayText } from '../month/day-text.ja.ts'
import { lateMediaText } from './late-media.ja.ts'

const medium = (name: string | null, until = '2026-11-18') => ({ mediumId: 7n, name, dataUntil: day(until) })

test('media that are behind are named with their last days, of many of one day three', () => {
  expect(lateMediaText([])).toBeUndefined()
  expect(lateMediaText([medium('あおい')])).toBe('媒体「あおい」は2026年11月18日まで')
  const five = [medium(null), medium('い'), medium('う'), medium('え'), medium('お')]
  expect(lateMediaText([medium('か', '2026-11-16'), ...five], monthDayText)).toBe(
    '媒体「ID 7」「い」「う」ほか2媒体は11月18日まで、媒体「か」は11月16日まで',
  )
})
