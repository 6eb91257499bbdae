import { checkTemplate, TEMPLATE_BOUNDS } from '@pc/domain/question/answer-template.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface AnswerTemplate {
  readonly id: bigint
  readonly name: string
  readonly body: string
  readonly revision: number
}
export interface TemplateDraft {
  readonly name: string
  readonly body: string
}
type Outcome = Promise<Result<AnswerTemplate, Refusal<RefusalCode>>>
type TemplateWrite = Write<'write:update' | 'write:delete', 'insight:answer_template.'>
const RESOURCE = 'insight:answer_template.'

/** Adds a template. */
export async function addTemplate(draft: TemplateDraft, { tx, record }: TemplateWrite): Outcome {
  const content = cleanDraft(draft)
  const wrong = [...checkTemplate(content), ...(await nameRefusals(tx, content.name, undefined))]
  if (wrong.length > 0) return refused(...wrong)
  const { count } = await tx
    .selectFrom('answerTemplates')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  const max = TEMPLATE_BOUNDS.count
  if (count >= BigInt(max)) return refused(refusal('answer-template/too-many', ['input', 'name'], { max }))
  const added = await tx
    .insertInto('answerTemplates')
    .values(content)
    .returning(['id', 'name', 'body', 'revision'])
    .executeTakeFirstOrThrow()
  record({ action: 'create', resource: RESOURCE, rowId: added.id, before: null, after: { ...content, revision: 1 } })
  return ok(added)
}

/** Replaces name and body of a template. Answers already sent with it do not change. */
export async function changeTemplate(
  id: bigint,
  draft: TemplateDraft,
  expectedRevision: number | null | undefined,
  write: TemplateWrite,
): Outcome {
  const { tx } = write
  const stored = await lockTemplate(tx, id)
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const content = cleanDraft(draft)
  const wrong = [...checkTemplate(content), ...(await nameRefusals(tx, content.name, id))]
  if (wrong.length > 0) return refused(...wrong)
  const before = { name: stored.name, body: stored.body }
  const saved = await saveEdit(write, { resource: RESOURCE, rowId: id, revision, before, after: content }, () =>
    tx
      .updateTable('answerTemplates')
      .set(eb => ({ ...content, revision: revision + 1, updatedAt: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .returning(['id', 'name', 'body', 'revision'])
      .executeTakeFirstOrThrow(),
  )
  return ok(saved ?? stored)
}

export async function deleteTemplate(
  id: bigint,
  { tx, record }: TemplateWrite,
): Promise<Result<string, Refusal<RefusalCode>>> {
  const stored = await lockTemplate(tx, id)
  if (!stored) return refused(refusal('record/not-found', ['id']))
  await tx.deleteFrom('answerTemplates').where('id', '=', id).execute()
  const { id: _id, ...before } = stored
  record({ action: 'delete', resource: RESOURCE, rowId: id, before, after: null })
  return ok(String(id))
}

function cleanDraft({ name, body }: TemplateDraft): TemplateDraft {
  return { name: name.replaceAll(/\s+/g, ' ').trim(), body: body.replaceAll(/\r\n?/g, '\n').trim() }
}

async function nameRefusals(tx: Transaction, name: string, besides: bigint | undefined) {
  const found = await tx.selectFrom('answerTemplates').select('id').where('name', '=', name).executeTakeFirst()
  return found && found.id !== besides ? [refusal('answer-template/name-taken', ['input', 'name'])] : []
}

function lockTemplate(tx: Transaction, id: bigint): Promise<AnswerTemplate | undefined> {
  return tx
    .selectFrom('answerTemplates')
    .select(['id', 'name', 'body', 'revision'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
