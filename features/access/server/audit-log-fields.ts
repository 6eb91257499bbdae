import { RESOURCE_LABELS_JA } from '@pc/domain/access/resource-labels.ja.ts'
import { RESOURCE_NAMES } from '@pc/domain/access/resource-name.ts'
import type { AuditLogVerdict, VerifyAuditLog } from '@pc/platform/audit/verify-since-last.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readPage, readSearch } from '@pc/platform/graphql/list-arguments.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type AuditEntry, listAuditLog } from './audit-log-store.ts'
import { isUid } from './user-store.ts'

/** The queries of the audit log and of its verification. */
export function addAuditLogFields(
  graph: Graph,
  { database, verifyAuditLog }: { readonly database: Database; readonly verifyAuditLog: VerifyAuditLog },
): void {
  const Entry = graph.objectRef<AuditEntry>('AuditLogEntry').implement({
    on: 'iam:audit_log.',
    fields: t => ({
      seq: t.expose('seq', { type: 'ID' }),
      at: t.expose('at', { type: 'DateTime' }),
      actorUid: t.exposeID('actorUid', { nullable: true }),
      actorEmail: t.exposeString('actorEmail', { nullable: true }),
      actingAsUid: t.exposeID('actingAsUid', { nullable: true }),
      actingAsEmail: t.exposeString('actingAsEmail', { nullable: true }),
      sourceAddress: t.exposeString('sourceAddress'),
      requestId: t.exposeString('requestId'),
      action: t.exposeString('action'),
      resourceName: t.exposeString('resourceName'),
      resourceLabel: t.string({
        resolve: ({ resourceName }) => {
          const resource = RESOURCE_NAMES.find(name => name === resourceName)
          return resource ? RESOURCE_LABELS_JA[resource] : resourceName
        },
      }),
      rowId: t.exposeString('rowId'),
      before: t.exposeString('before', { nullable: true, description: 'JSON of the fields as they were.' }),
      after: t.exposeString('after', { nullable: true, description: 'JSON of the fields as they are now.' }),
    }),
  })
  const AuditLog = graph.objectRef<{ total: number; nodes: AuditEntry[] }>('AuditLog').implement({
    on: 'iam:audit_log.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Entry] }) }),
  })
  const AuditLogParam = graph.inputType('AuditLogParam', {
    fields: t => ({
      actorUid: t.id(),
      action: t.string(),
      resourceName: t.string(),
      rowId: t.id(),
      from: t.field({ type: 'DateTime' }),
      until: t.field({ type: 'DateTime', description: 'Not included itself.' }),
    }),
  })
  graph.queryField('auditLog', t =>
    field(t, {
      description: 'Every write, sign-in, refusal of one, read of full bank data and download; newest first.',
      type: AuditLog,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: AuditLogParam }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'iam:audit_log.',
      resolve(_parent, args, _context, permit) {
        const { actorUid, action, resourceName, rowId, from, until } = args.param ?? {}
        if (typeof actorUid === 'string' && !isUid(actorUid)) refuse('record/not-found', ['param', 'actorUid'])
        const filter = {
          actorUid: actorUid ?? undefined,
          action: action ?? undefined,
          resourceName: resourceName ?? undefined,
          rowId: rowId ?? undefined,
          from: from ?? undefined,
          until: until ?? undefined,
          pattern: readSearch(args.q),
        }
        return listAuditLog(database, filter, readPage(args), permit)
      },
    }),
  )
  addVerdict(graph, verifyAuditLog)
}

function addVerdict(graph: Graph, verifyAuditLog: VerifyAuditLog): void {
  const ReadEarlier = graph.objectRef<NonNullable<AuditLogVerdict['readEarlier']>>('AuditLogReadEarlier').implement({
    on: 'iam:audit_log.',
    fields: t => ({ upTo: t.expose('upTo', { type: 'Long' }), at: t.expose('at', { type: 'DateTime' }) }),
  })
  const Verdict = graph.objectRef<AuditLogVerdict>('AuditLogVerdict').implement({
    on: 'iam:audit_log.',
    fields: t => ({
      isWhole: t.boolean({ resolve: ({ problems }) => problems.length === 0 }),
      rows: t.expose('rows', { type: 'Long' }),
      anchoredUpTo: t.expose('anchoredUpTo', {
        type: 'Long',
        description: 'The last row that the file outside of the database confirms.',
      }),
      problems: t.stringList({ resolve: ({ problems }) => [...problems] }),
      readEarlier: t.field({
        type: ReadEarlier,
        nullable: true,
        description: 'The rows that were not read for this answer, and when they were. Null: all were read for it.',
        resolve: ({ readEarlier }) => readEarlier,
      }),
    }),
  })
  graph.queryField('auditLogVerdict', t =>
    field(t, {
      description:
        'Recomputes the hash chain of the log and compares it with the anchor file. Of a long log, rows that were read before are read again only where that is asked for, or once an hour.',
      type: Verdict,
      args: { fromTheStart: t.arg.boolean() },
      allow: 'read:list',
      on: 'iam:audit_log.',
      resolve: (_parent, { fromTheStart }) => verifyAuditLog(fromTheStart === true),
    }),
  )
}
