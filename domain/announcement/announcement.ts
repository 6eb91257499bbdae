import { ROLES, type Role } from '../access/role.ts'
import { EARLIEST_DAY } from '../condition/default-range.ts'
import { day, daysBetween } from '../month/day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'

export const ANNOUNCEMENT_LEVELS = ['info', 'warn'] as const
export type AnnouncementLevel = (typeof ANNOUNCEMENT_LEVELS)[number]

export const TARGET_KINDS = ['all', 'medium', 'organization', 'role'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** The recipients of an announcement: everybody who matches one of its targets. */
export type AnnouncementTarget =
  | { readonly kind: 'all' }
  | { readonly kind: 'medium'; readonly mediumId: bigint }
  | { readonly kind: 'organization'; readonly organizationId: bigint }
  | { readonly kind: 'role'; readonly role: Role }

/** Characters of the texts, targets of one announcement, and announcements that one request marks as read. */
export const ANNOUNCEMENT_BOUNDS = {
  title: 200,
  body: 20_000,
  closeButtonText: 20,
  targets: 200,
  readAtOnce: 100,
} as const
/** The earliest start that can be chosen, 00:00 in Tokyo of the earliest day, in milliseconds since 1970. */
export const EARLIEST_START = (daysBetween(day('1970-01-01'), EARLIEST_DAY) * 24 - 9) * 3_600_000
export const DEFAULT_CLOSE_BUTTON_TEXT = '閉じる'

export interface AnnouncementDraft {
  readonly title: string
  /** Sanitised HTML. */
  readonly body: string
  readonly closeButtonText: string
  /** Milliseconds since 1970. */
  readonly startAt: number
  /** Null: it is shown without an end. */
  readonly endAt: number | null
  readonly targets: readonly AnnouncementTarget[]
}

type DraftRefusal = Refusal<
  | 'name/hidden-characters'
  | 'announcement/title-missing'
  | 'announcement/title-too-long'
  | 'announcement/body-missing'
  | 'announcement/body-too-long'
  | 'announcement/button-too-long'
  | 'announcement/period-reversed'
  | 'announcement/before-earliest-day'
  | 'announcement/targets-missing'
  | 'announcement/too-many-targets'
>

/**
 * What is wrong with an announcement, with the path of the form's field.
 * Tested by `features/announcements/server/announcements-api.test.ts`.
 */
export function checkAnnouncement(draft: AnnouncementDraft): readonly DraftRefusal[] {
  const { title, body, closeButtonText, targets } = ANNOUNCEMENT_BOUNDS
  const length = (text: string) => [...text].length
  const refusals: DraftRefusal[] = []
  if (draft.title === '') refusals.push(refusal('announcement/title-missing', ['input', 'title']))
  if (length(draft.title) > title)
    refusals.push(refusal('announcement/title-too-long', ['input', 'title'], { max: title }))
  for (const field of ['title', 'closeButtonText'] as const) {
    if (hasHiddenCharacter(draft[field])) refusals.push(refusal('name/hidden-characters', ['input', field]))
  }
  if (draft.body === '') refusals.push(refusal('announcement/body-missing', ['input', 'body']))
  if (length(draft.body) > body) refusals.push(refusal('announcement/body-too-long', ['input', 'body'], { max: body }))
  if (length(draft.closeButtonText) > closeButtonText) {
    const data = { max: closeButtonText }
    refusals.push(refusal('announcement/button-too-long', ['input', 'closeButtonText'], data))
  }
  if (draft.startAt < EARLIEST_START) refusals.push(refusal('announcement/before-earliest-day', ['input', 'startAt']))
  if (draft.endAt !== null && draft.endAt <= draft.startAt)
    refusals.push(refusal('announcement/period-reversed', ['input', 'endAt']))
  if (draft.targets.length === 0) refusals.push(refusal('announcement/targets-missing', ['input', 'targets']))
  if (draft.targets.length > targets)
    refusals.push(refusal('announcement/too-many-targets', ['input', 'targets'], { max: targets }))
  return refusals
}

export interface SentTarget {
  readonly kind: TargetKind
  readonly mediumId?: bigint | undefined
  readonly organizationId?: bigint | undefined
  readonly role?: string | undefined
}

/** Undefined when the target names nothing, something unknown, or two things at once. */
export function readTarget({ kind, mediumId, organizationId, role }: SentTarget): AnnouncementTarget | undefined {
  const given = [mediumId, organizationId, role].filter(value => value !== undefined).length
  if (kind === 'all') return given === 0 ? { kind } : undefined
  if (given !== 1) return undefined
  if (kind === 'medium') return mediumId === undefined ? undefined : { kind, mediumId }
  if (kind === 'organization') return organizationId === undefined ? undefined : { kind, organizationId }
  const known = ROLES.find(name => name === role)
  return known === undefined ? undefined : { kind, role: known }
}

/** Each target once; `all` makes the others superfluous. */
export function plainTargets(targets: readonly AnnouncementTarget[]): readonly AnnouncementTarget[] {
  if (targets.some(target => target.kind === 'all')) return [{ kind: 'all' }]
  return [...new Map(targets.map(target => [targetKey(target), target])).values()]
}

function targetKey(target: AnnouncementTarget): string {
  if (target.kind === 'medium') return `medium ${target.mediumId}`
  if (target.kind === 'organization') return `organization ${target.organizationId}`
  return target.kind === 'role' ? `role ${target.role}` : 'all'
}
