import {
  type AnnouncementLevel,
  type AnnouncementTarget,
  checkAnnouncement,
  DEFAULT_CLOSE_BUTTON_TEXT,
  plainTargets,
} from '@pc/domain/announcement/announcement.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { safeHtml } from '@pc/platform/html/safe-html.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { type AnnouncementRow, announcementsOf } from './announcement-store.ts'

export interface AnnouncementInput {
  readonly enabled?: boolean | undefined
  readonly level?: AnnouncementLevel | undefined
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly startAt?: Date | undefined
  /** Null: no end. */
  readonly endAt?: Date | null | undefined
  readonly closeButtonText?: string | undefined
  readonly targets?: readonly AnnouncementTarget[] | undefined
}

type Refused = Refusal<RefusalCode>
type AnnouncementWrite = Write<'write:update', 'insight:announcement.'>
const RESOURCE = 'insight:announcement.'

interface Content {
  readonly enabled: boolean
  readonly level: AnnouncementLevel
  readonly title: string
  readonly body: string
  readonly startAt: Date
  readonly endAt: Date | null
  readonly closeButtonText: string
  readonly targets: readonly AnnouncementTarget[]
}

/**
 * Adds an announcement, by default disabled and for everybody.
 * Tested by `features/announcements/server/announcements-api.test.ts`.
 */
export async function addAnnouncement(
  input: AnnouncementInput,
  write: AnnouncementWrite,
): Promise<Result<AnnouncementRow, Refused>> {
  if (input.startAt === undefined) return refused(refusal('announcement/period-missing', ['input', 'startAt']))
  const content = cleanContent(input, {
    enabled: false,
    level: 'info',
    title: '',
    body: '',
    startAt: input.startAt,
    endAt: null,
    closeButtonText: DEFAULT_CLOSE_BUTTON_TEXT,
    targets: [{ kind: 'all' }],
  })
  const wrong = problemsOf(content)
  if (wrong.length > 0) return refused(...wrong)
  const { tx, permit, record } = write
  const { targets, ...values } = content
  const { id } = await tx.insertInto('announcements').values(values).returning('id').executeTakeFirstOrThrow()
  const unknown = await replaceTargets(tx, id, targets)
  if (unknown) return refused(unknown)
  record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: { ...content, revision: 1 } })
  return ok(await readSavedAnnouncement(tx, id, permit.viewer.uid))
}

/** Changes the fields that were sent. Its readers stay readers. */
export async function changeAnnouncement(
  id: bigint,
  input: AnnouncementInput,
  expectedRevision: number | null | undefined,
  write: AnnouncementWrite,
): Promise<Result<AnnouncementRow, Refused>> {
  const { tx, permit } = write
  const locked = await tx.selectFrom('announcements').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  const [stored] = locked ? await announcementsOf(tx, [id], permit.viewer.uid) : []
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const before = contentOf(stored)
  const content = cleanContent(input, before)
  const wrong = problemsOf(content)
  if (wrong.length > 0) return refused(...wrong)
  const { targets, ...values } = content
  const edit = {
    ...({ resource: RESOURCE, rowId: id, revision } as const),
    before: inOneOrder(before),
    after: inOneOrder(content),
  }
  const unknown = await saveEdit(write, edit, async changed => {
    await tx
      .updateTable('announcements')
      .set(eb => ({ ...values, revision: revision + 1, updatedAt: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .execute()
    return changed.includes('targets') ? replaceTargets(tx, id, targets) : undefined
  })
  if (unknown) return refused(unknown)
  return ok(await readSavedAnnouncement(tx, id, permit.viewer.uid))
}

function contentOf({
  enabled,
  level,
  title,
  body,
  startAt,
  endAt,
  closeButtonText,
  targets,
}: AnnouncementRow): Content {
  return { enabled, level, title, body, startAt, endAt, closeButtonText, targets }
}

/** Title as plain text, body reduced to the allow-list. */
function cleanContent(input: AnnouncementInput, rest: Content): Content {
  return {
    enabled: input.enabled ?? rest.enabled,
    level: input.level ?? rest.level,
    title: input.title === undefined ? rest.title : input.title.trim(),
    // A body that is too long is not sanitised; the check below refuses it.
    body:
      input.body === undefined ? rest.body : input.body.length > MAX_SENT_BODY ? input.body : trimmedHtml(input.body),
    startAt: input.startAt ?? rest.startAt,
    endAt: input.endAt === undefined ? rest.endAt : input.endAt,
    closeButtonText:
      input.closeButtonText === undefined
        ? rest.closeButtonText
        : input.closeButtonText.trim() || DEFAULT_CLOSE_BUTTON_TEXT,
    targets: input.targets === undefined ? rest.targets : plainTargets(input.targets),
  }
}

/** In characters as sent, including markup that is removed later. */
const MAX_SENT_BODY = 60_000

function trimmedHtml(source: string): string {
  const html = safeHtml(source).trim()
  const hasText = html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') !== ''
  return hasText ? html : ''
}

function problemsOf(content: Content) {
  return checkAnnouncement({
    ...content,
    startAt: content.startAt.getTime(),
    endAt: content.endAt?.getTime() ?? null,
  })
}

/** Targets in a fixed order, so that the same targets compare as equal. */
function inOneOrder(content: Content): Content {
  const place = (target: AnnouncementTarget) => Object.values(target).join(' ')
  return { ...content, targets: content.targets.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)) }
}

async function replaceTargets(
  tx: Transaction,
  announcementId: bigint,
  targets: readonly AnnouncementTarget[],
): Promise<Refused | undefined> {
  await tx.deleteFrom('announcementTargets').where('announcementId', '=', announcementId).execute()
  const rows = targets.map(target => ({
    announcementId,
    kind: target.kind,
    mediumId: target.kind === 'medium' ? target.mediumId : null,
    organizationId: target.kind === 'organization' ? target.organizationId : null,
    roleName: target.kind === 'role' ? target.role : null,
  }))
  try {
    await tx.insertInto('announcementTargets').values(rows).execute()
    return undefined
  } catch (error) {
    const wrong = { code: 'announcement/target-wrong', path: ['input', 'targets'] } as const
    return refusalOfConstraint(error, {
      announcement_targets_medium_id_fkey: wrong,
      announcement_targets_organization_id_fkey: wrong,
      announcement_targets_role_name_fkey: wrong,
    })
  }
}

async function readSavedAnnouncement(tx: Transaction, id: bigint, uid: string): Promise<AnnouncementRow> {
  const [row] = await announcementsOf(tx, [id], uid)
  if (!row) throw new Error('an announcement that was just written is gone')
  return row
}
