import { type Clock, today } from '@pc/platform/clock.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { monthKeyOf, readMonthKey } from '../../core/server/month-key-argument.ts'
import { findSubjectHash } from './acknowledgeable-findings.ts'
import { type Acknowledgement, acknowledgeCheck } from './acknowledgements.ts'
import { CHECK_KINDS, CHECK_LABELS } from './close-checks.ts'

export function checkKindType(graph: Graph) {
  return graph.enumType('CloseCheckKind', { values: CHECK_KINDS })
}

/** The type of an acknowledgement: the reason why a finding is accepted, by whom and when. */
export function acknowledgementType(graph: Graph) {
  return graph.objectRef<Acknowledgement>('CloseAcknowledgement').implement({
    on: 'insight:dividend.',
    fields: t => ({
      reason: t.exposeString('reason', { description: 'As the person wrote it.' }),
      byEmail: t.exposeString('byEmail', { nullable: true, description: 'Address of who acknowledged it.' }),
      at: t.expose('at', { type: 'DateTime' }),
    }),
  })
}

export function addAcknowledgementFields(
  graph: Graph,
  Kind: ReturnType<typeof checkKindType>,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  graph.mutationField('acknowledgeCloseCheck', t =>
    mutation(t, {
      type: 'Boolean',
      description:
        'Keeps the reason why what a check of the board found is right; answers whether something changed. When something else is found, the board asks again.',
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumId: t.arg.id({ required: true }),
        kind: t.arg({ type: Kind, required: true }),
        subject: t.arg.string({ required: true, description: 'As the board named what it found.' }),
        reason: t.arg.string({ required: true, description: 'Up to 500 characters.' }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      database,
      prepare: given => findSubjectHash(database, monthKeyOf(given), given.kind, today(clock)),
      async run(given, write, _context, foundSha256) {
        const key = await readMonthKey(write.tx, given)
        if (!key.ok) return key
        const { kind, subject, reason } = given
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const check = { ...key.value, checkKind: kind, label: CHECK_LABELS[kind], subjectSha256: subject, reason }
        const done = await acknowledgeCheck(write.tx, actor, check, foundSha256)
        if (!done.ok) return done
        if (done.value) {
          const rowId = `close-${key.value.mediumId}-${key.value.month}`
          const after = { closeCheck: CHECK_LABELS[kind], reason: reason.trim() }
          write.record({ action: 'update', resource: 'insight:dividend.', rowId, before: null, after })
        } else write.recordNothing()
        return done
      },
    }),
  )
}
