import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { deleteDraft, listDrafts, saveDraft, type WhatIfDraft } from './what-if-drafts.ts'
import type { InputTypes } from './what-if-input.ts'

/** `whatIfDrafts`, `saveWhatIfDraft`, `deleteWhatIfDraft`: scenarios that are saved under a name. */
export function addWhatIfDrafts(
  graph: Graph,
  database: Database,
  Input: InputTypes['Input'],
  /** Throws when an id in the change is no number. */
  check: (change: InputTypes['Input']['$inferInput']) => void,
): void {
  const Draft = graph.objectRef<WhatIfDraft>('WhatIfDraft').implement({
    on: 'insight:dividend.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      change: t.exposeString('change', { description: 'JSON, as `whatIfMonth` takes it.' }),
      createdByEmail: t.exposeString('createdByEmail', { nullable: true }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision'),
    }),
  })
  graph.queryField('whatIfDrafts', t =>
    field(t, {
      type: [Draft],
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumId: t.arg.id({ required: true }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) => {
        const key = { mediumId: readId(args.mediumId, ['mediumId']), month: readMonth(args.month, ['month']) }
        return database.inScope(permit.scope, tx => listDrafts(tx, key))
      },
    }),
  )
  const DraftInput = graph.inputType('WhatIfDraftInput', {
    fields: t => ({
      id: t.id({ description: 'Of the draft that is changed; without it a new one.' }),
      month: t.string({ required: true, description: 'YYYY-MM' }),
      mediumId: t.id({ required: true }),
      name: t.string({ required: true }),
      change: t.field({ type: Input, required: true }),
    }),
  })
  graph.mutationField('saveWhatIfDraft', t =>
    mutation(t, {
      type: Draft,
      description: 'Keeps a change under a name. Nothing of the books is touched.',
      args: { input: t.arg({ type: DraftInput, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:create',
      on: 'insight:dividend.',
      database,
      run: async ({ input, expectedRevision }, write) => {
        check(input.change)
        const key = {
          mediumId: readId(input.mediumId, ['input', 'mediumId']),
          month: readMonth(input.month, ['input']),
        }
        const medium = await write.tx.selectFrom('media').select('id').where('id', '=', key.mediumId).executeTakeFirst()
        if (!medium) {
          return refused(refusal('payment/medium-unknown', ['input', 'mediumId'], { mediumId: input.mediumId }))
        }
        return saveDraft(
          {
            id: input.id ? readId(input.id, ['input', 'id']) : undefined,
            expectedRevision: expectedRevision ?? undefined,
            key,
            name: input.name,
            change: JSON.stringify(input.change, (_name, value) => (typeof value === 'bigint' ? Number(value) : value)),
          },
          write,
        )
      },
    }),
  )
  graph.mutationField('deleteWhatIfDraft', t =>
    mutation(t, {
      type: 'Boolean',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:dividend.',
      database,
      run: ({ id }, write) => deleteDraft(readId(id, ['id']), write),
    }),
  )
}
