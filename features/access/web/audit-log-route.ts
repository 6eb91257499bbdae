import { endOfDay, startOfDay } from '@pc/domain/month/tokyo-day.ts'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { AUDIT_LOG_PAGE_SIZE, type AuditLogCondition, auditLogCondition } from '../audit-log-condition.ts'
import { AUDIT_LOG_PATH } from '../links.ts'
import { AuditLogDocument } from './audit-log-iam.gen.ts'

export const auditLogRoute = defineRoute({
  path: AUDIT_LOG_PATH,
  title: '操作の記録',
  help: 'admin-guide.html#6-4-操作の記録',
  allow: { action: 'read:list', resource: 'iam:audit_log.' },
  condition: auditLogCondition,
  query: {
    document: AuditLogDocument,
    api: 'iam',
    variables: ({ q, from, to, resource, row, page }: AuditLogCondition) => ({
      q: q === '' ? null : q,
      param: {
        from: from === undefined ? null : startOfDay(from),
        until: to === undefined ? null : endOfDay(to),
        resourceName: resource === 'all' ? null : resource,
        rowId: row === '' ? null : row,
      },
      limit: AUDIT_LOG_PAGE_SIZE,
      offset: (page - 1) * AUDIT_LOG_PAGE_SIZE,
    }),
  },
  view: () => import('./audit-log-view.tsx').then(module => module.AuditLogView),
})
