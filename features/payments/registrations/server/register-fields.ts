import { REGISTRATION_STATUSES } from '@pc/domain/agreement/registration-status.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import {
  type ImportedRegister,
  importRegister,
  type RegisterWatch,
  type WatchedNumber,
  watchRegister,
} from './watch-register.ts'

/** For staff: the payees' registration numbers compared with the public register of invoice issuers. */
export function addRegisterFields(
  graph: Graph,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  const Watch = watchType(graph)
  graph.queryField('invoiceRegisterWatch', t =>
    field(t, {
      type: Watch,
      description: 'The registration numbers of agreements that go on, those first that need somebody.',
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, tx => watchRegister(tx, today(clock))),
    }),
  )
  const Imported = graph.objectRef<ImportedRegister>('ImportedInvoiceRegister').implement({
    on: 'insight:dividend.',
    fields: t => ({
      lines: t.exposeInt('lines'),
      known: t.exposeInt('known', { description: 'Numbers of agreements that the file speaks of.' }),
      changed: t.exposeInt('changed', { description: 'Numbers of which something is new.' }),
    }),
  })
  graph.mutationField('importInvoiceRegister', t =>
    mutation(t, {
      type: Imported,
      description: 'Takes what a file of the public register says of the numbers that agreements have.',
      args: {
        name: t.arg.string({ required: true }),
        content: t.arg.string({ required: true, description: 'Base64 of the file as it is.' }),
      },
      allow: 'write:update',
      on: 'insight:dividend.',
      database,
      async run({ name, content }, write) {
        const bytes = Buffer.from(content, 'base64')
        if (bytes.length === 0) return refused(refusal('register-file/empty', ['content']))
        return importRegister(write, { name: name.slice(0, 100), content: bytes }, new Date(clock.now()))
      },
    }),
  )
}

function watchType(graph: Graph) {
  const Standing = graph.enumType('InvoiceRegisterStanding', { values: REGISTRATION_STATUSES })
  const Watched = graph.objectRef<WatchedNumber>('WatchedRegistrationNumber').implement({
    on: 'insight:dividend.',
    fields: t => ({
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      agreementCode: t.exposeString('agreementCode'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      partnerName: t.exposeString('partnerName'),
      registrationNumber: t.exposeString('number'),
      standing: t.field({ type: Standing, resolve: row => row.standing }),
      endedOn: t.expose('endedOn', {
        type: 'Date',
        nullable: true,
        description: 'The first day on which the number does not hold.',
      }),
      checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true }),
      month: t.string({ nullable: true, resolve: row => (row.month === null ? null : writeMonth(row.month)) }),
      revenue: t.expose('revenueYen', {
        type: 'Long',
        description: 'Of the last month that was computed, without tax.',
      }),
      lostTax: t.expose('lostTaxYen', {
        type: 'Long',
        description: 'Consumption tax of that month that is not deductible without a registration.',
      }),
    }),
  })
  const Counts = graph.objectRef<RegisterWatch['counts']>('InvoiceRegisterCounts').implement({
    on: 'insight:dividend.',
    fields: t => ({
      ended: t.exposeInt('ended'),
      impossible: t.exposeInt('impossible'),
      ending: t.exposeInt('ending'),
      unseen: t.exposeInt('unseen'),
      valid: t.exposeInt('valid'),
    }),
  })
  return graph.objectRef<RegisterWatch>('InvoiceRegisterWatch').implement({
    on: 'insight:dividend.',
    fields: t => ({
      counts: t.field({ type: Counts, resolve: watch => watch.counts }),
      nodes: t.field({ type: [Watched], resolve: watch => [...watch.nodes] }),
    }),
  })
}
