import { rolesOf } from '@pc/domain/access/role-duties.ts'
import {
  ANNOUNCEMENT_BOUNDS as BOUNDS,
  DEFAULT_CLOSE_BUTTON_TEXT,
  EARLIEST_START,
} from '@pc/domain/announcement/announcement.ts'
import { ANNOUNCEMENT_REFUSALS_JA as TEXTS } from '@pc/domain/announcement/announcement-refusals.ja.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type { AnnouncementDetailQuery, AnnouncementInput, AnnouncementTargetInput } from './announcements.gen.ts'

type Announcement = NonNullable<AnnouncementDetailQuery['announcement']>

export interface AnnouncementValues {
  title: string
  body: string
  level: 'info' | 'warn'
  enabled: boolean
  startAt: string | null
  endAt: string | null
  closeButtonText: string
  audience: 'all' | 'some'
  mediumIds: string[]
  roles: string[]
  organizations: { organization: Choice | null }[]
}

export const NEW_ANNOUNCEMENT: AnnouncementValues = {
  title: '',
  body: '',
  level: 'info',
  enabled: true,
  startAt: null,
  endAt: null,
  closeButtonText: DEFAULT_CLOSE_BUTTON_TEXT,
  audience: 'all',
  mediumIds: [],
  roles: [],
  organizations: [],
}

/** Roles that announcements can address. */
export const AUDIENCE_ROLES = [...rolesOf('publisher', 'reads'), ...rolesOf('staff', 'reads')]

/** The announcement as values of the form. */
export function announcementValuesOf(announcement: Announcement): AnnouncementValues {
  const targets = announcement.targets ?? []
  const idsOf = (kind: 'medium' | 'role') =>
    targets.flatMap(target => (target.kind === kind ? [target.mediumId ?? target.role ?? ''] : []))
  return {
    title: announcement.title,
    body: announcement.body,
    level: announcement.level,
    enabled: announcement.enabled,
    startAt: announcement.startAt,
    endAt: announcement.endAt ?? null,
    closeButtonText: announcement.closeButtonText,
    audience: targets.some(target => target.kind === 'all') ? 'all' : 'some',
    mediumIds: idsOf('medium'),
    roles: idsOf('role'),
    organizations: targets.flatMap(({ kind, organizationId, organizationName }) =>
      kind === 'organization' && organizationId
        ? [{ organization: { id: organizationId, name: organizationName ?? `組織 ID ${organizationId}` } }]
        : [],
    ),
  }
}

/** The server's rules and texts, applied before sending; the server decides. */
export function announcementProblems(values: AnnouncementValues): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (name: keyof AnnouncementValues, message: string) => problems.push({ name, message })
  if (values.title.trim() === '') add('title', TEXTS['announcement/title-missing']())
  if (values.title.length > BOUNDS.title) add('title', TEXTS['announcement/title-too-long']({ max: BOUNDS.title }))
  for (const field of ['title', 'closeButtonText'] as const) {
    if (hasHiddenCharacter(values[field].trim())) add(field, NAME_REFUSALS_JA['name/hidden-characters']())
  }
  if (values.body === '') add('body', TEXTS['announcement/body-missing']())
  if (values.body.length > BOUNDS.body) add('body', TEXTS['announcement/body-too-long']({ max: BOUNDS.body }))
  if (values.startAt === null) add('startAt', TEXTS['announcement/period-missing']())
  else if (Date.parse(values.startAt) < EARLIEST_START) add('startAt', TEXTS['announcement/before-earliest-day']())
  else if (values.endAt !== null && Date.parse(values.endAt) <= Date.parse(values.startAt))
    add('endAt', TEXTS['announcement/period-reversed']())
  if (targetsOf(values).length === 0) add('audience', TEXTS['announcement/targets-missing']())
  return problems
}

/**
 * The form as the API takes it. A start that is null is left out, and an empty text of the button becomes the default.
 */
export function announcementInput(values: AnnouncementValues): AnnouncementInput {
  return {
    title: values.title.trim(),
    body: values.body,
    level: values.level,
    enabled: values.enabled,
    ...(values.startAt === null ? {} : { startAt: values.startAt }),
    endAt: values.endAt,
    closeButtonText: values.closeButtonText.trim() === '' ? DEFAULT_CLOSE_BUTTON_TEXT : values.closeButtonText.trim(),
    targets: targetsOf(values),
  }
}

function targetsOf(values: AnnouncementValues): AnnouncementTargetInput[] {
  if (values.audience === 'all') return [{ kind: 'all' }]
  return [
    ...values.mediumIds.map(mediumId => ({ kind: 'medium' as const, mediumId })),
    ...values.roles.map(role => ({ kind: 'role' as const, role })),
    ...values.organizations.flatMap(({ organization }) =>
      organization ? [{ kind: 'organization' as const, organizationId: organization.id }] : [],
    ),
  ]
}
