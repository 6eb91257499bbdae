import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

/** Bounds of the numbers of a feed; the same as the checks of its table. */
export const FEED_NUMBER_BOUNDS = {
  relatedLinkNum: [0, 20],
  articleExpirationDays: [1, 3650],
  ttlMinutes: [5, 1440],
  manuallyFeedScore: [-100, 100],
} as const satisfies Readonly<Record<string, readonly [number, number]>>

/** Longest texts, in characters. */
export const FEED_TEXT_BOUNDS = {
  name: 200,
  shortName: 50,
  description: 2_000,
  legacyFeedId: 100,
  notes: 10_000,
} as const satisfies Readonly<Record<string, number>>

type FeedInputRefusal = Refusal<
  'feed/name-missing' | 'feed/text-too-long' | 'feed/number-out-of-range' | 'name/hidden-characters'
>

/** What is wrong with the texts and numbers of a feed's form, each at its field. Absent fields are not looked at. */
export function checkFeedInput(input: Readonly<Record<string, unknown>>): readonly FeedInputRefusal[] {
  const refusals: FeedInputRefusal[] = []
  for (const [name, max] of Object.entries(FEED_TEXT_BOUNDS)) {
    const value = input[name]
    if (typeof value === 'string' && [...value].length > max)
      refusals.push(refusal('feed/text-too-long', ['input', name], { max }))
  }
  for (const [name, [min, max]] of Object.entries(FEED_NUMBER_BOUNDS)) {
    const value = input[name]
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= min && value <= max))
      refusals.push(refusal('feed/number-out-of-range', ['input', name], { min, max }))
  }
  if (typeof input.name === 'string' && input.name.trim() === '')
    refusals.push(refusal('feed/name-missing', ['input', 'name']))
  for (const name of ['name', 'shortName']) {
    const value = input[name]
    if (typeof value === 'string' && hasHiddenCharacter(value.trim()))
      refusals.push(refusal('name/hidden-characters', ['input', name]))
  }
  return refusals
}
