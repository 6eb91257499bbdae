import { addDays } from '@pc/domain/month/day.ts'
import { defineRoute } from '@pc/ui/define-route.ts'
import { AUDIT_LOG_PAGE_SIZE, type AuditLogCondition, auditLogCondition } from '../audit-log-condition.ts'
import { AUDIT_LOG_PATH } from '../links.ts'
import { AuditLogDocument } from './audit-log-iam.gen.ts'

export const auditLogRoute = defineRoute({
  path: AUDIT_LOG_PATH,
  title: '操作の記録',
  allow: { action: 'read:list', resource: 'iam:audit_log.' },
  condition: auditLogCondition,
  query: {
    document: AuditLogDocument,
    api: 'iam',
    variables: ({ q, from, to, resource, row, page }: AuditLogCondition) => ({
      q: q === '' ? null : q,
      param: {
        from: from === undefined ? null : `${from}T00:00:00+09:00`,
        // The day after is not included itself.
        until: to === undefined ? null : `${addDays(to, 1)}T00:00:00+09:00`,
        resourceName: resource === 'all' ? null : resource,
        rowId: row === '' ? null : row,
      },
      limit: AUDIT_LOG_PAGE_SIZE,
      offset: (page - 1) * AUDIT_LOG_PAGE_SIZE,
    }),
  },
  view: () => import('./audit-log-view.tsx').then(module => module.AuditLogView),
})
