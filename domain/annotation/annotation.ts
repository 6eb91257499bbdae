import type { Day } from '../month/day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { daysOf } from '../report/period.ts'

/**
 * Who may read a note on the charts.
 * - `own`: the person who wrote it.
 * - `staff`: the platform's own people, who alone write such notes.
 * - `publisher`: people who see the publisher on each medium of the note, and staff.
 */
export const ANNOTATION_VISIBILITIES = ['own', 'staff', 'publisher'] as const
export type AnnotationVisibility = (typeof ANNOTATION_VISIBILITIES)[number]

/** Characters of a note, days that it spans, media that it names, and notes of one person. */
export const ANNOTATION_BOUNDS = { text: 200, days: 366, media: 50, perPerson: 500 } as const

export interface AnnotationDraft {
  readonly startsOn: Day
  /** The last day; equal to the first for a single day. */
  readonly endsOn: Day
  readonly text: string
  readonly visibility: AnnotationVisibility
  readonly publisherId: bigint | null
  /** The media that the note is about, ascending; empty: it is about no particular one. */
  readonly mediumIds: readonly bigint[]
}

type AnnotationRefusal = Refusal<
  | 'annotation/text-missing'
  | 'annotation/text-too-long'
  | 'annotation/period-wrong'
  | 'annotation/publisher-missing'
  | 'annotation/visibility-wrong'
  | 'annotation/too-many-media'
>

/**
 * What is wrong with a note, with the path of the form's field.
 * Tested by `features/boards/server/boards.test.ts`.
 */
export function checkAnnotation(draft: AnnotationDraft, isStaff: boolean): readonly AnnotationRefusal[] {
  const { text, days, media } = ANNOTATION_BOUNDS
  const refusals: AnnotationRefusal[] = []
  if (draft.text === '') refusals.push(refusal('annotation/text-missing', ['input', 'text']))
  if ([...draft.text].length > text)
    refusals.push(refusal('annotation/text-too-long', ['input', 'text'], { max: text }))
  const isReversed = draft.endsOn < draft.startsOn
  if (isReversed || daysOf({ from: draft.startsOn, to: draft.endsOn }) > days)
    refusals.push(refusal('annotation/period-wrong', ['input', 'endsOn'], { max: days }))
  if (draft.visibility === 'publisher' && draft.publisherId === null)
    refusals.push(refusal('annotation/publisher-missing', ['input', 'publisherId']))
  if (draft.visibility === 'staff' && !isStaff)
    refusals.push(refusal('annotation/visibility-wrong', ['input', 'visibility']))
  if (draft.mediumIds.length > media)
    refusals.push(refusal('annotation/too-many-media', ['input', 'mediumIds'], { max: media }))
  return refusals
}
