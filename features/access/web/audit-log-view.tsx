import { auditActionText } from '@pc/domain/access/audit-action-labels.ja.ts'
import { RESOURCE_LABELS_JA } from '@pc/domain/access/resource-labels.ja.ts'
import { RESOURCE_NAMES } from '@pc/domain/access/resource-name.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { Filters, Pager, ScreenTop, SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { DayFilter } from '@pc/ui/filter/day-filter.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { formatInstantWithSeconds } from '@pc/ui/text/format.ts'
import { IconChevronDown } from '@tabler/icons-react'
import { AUDIT_LOG_PAGE_SIZE, type AuditLogCondition } from '../audit-log-condition.ts'
import access from './access.module.css'
import { changedFields, resourceText, rowText } from './audit-entry.ts'
import styles from './audit-log.module.css'
import type { AuditLogQuery } from './audit-log-iam.gen.ts'
import { AuditVerdict } from './audit-verdict.tsx'

type Props = ScreenProps<AuditLogCondition, AuditLogQuery>
type Entry = AuditLogQuery['auditLog']['nodes'][number]

const RESOURCES = [
  { value: 'all', label: 'すべて' },
  ...RESOURCE_NAMES.map(value => ({ value, label: RESOURCE_LABELS_JA[value] })),
] as const

/** The audit log: who did what, when and from where, with values before and after. */
export function AuditLogView(props: Props) {
  const { condition, setCondition, data, isLoading, error } = props
  const log = data?.auditLog
  return (
    <>
      <ScreenTop title="操作の記録" note="新しい順。記録は変更も削除もできません" />
      <AuditVerdict />
      <Filters>
        <SearchFilter
          label="記録を検索"
          placeholder="メールアドレス、値、IDなどで検索"
          value={condition.q}
          onSearch={q => setCondition({ q, page: 1 })}
        />
        <SelectFilter
          label="対象"
          options={RESOURCES}
          value={condition.resource}
          onChange={resource => setCondition({ resource, page: 1 })}
        />
        <DayFilter label="開始日" value={condition.from} onChange={from => setCondition({ from, page: 1 })} />
        <DayFilter label="終了日" value={condition.to} onChange={to => setCondition({ to, page: 1 })} />
      </Filters>
      <Card title="記録" flush>
        {log ? (
          log.nodes.length === 0 ? (
            <Message title="該当する記録がありません">検索する文字や期間を変えて、もう一度お試しください。</Message>
          ) : (
            <ul className={styles.entries} aria-busy={isLoading}>
              {log.nodes.map(entry => (
                <EntryRow key={entry.seq} entry={entry} />
              ))}
            </ul>
          )
        ) : error && !isLoading ? (
          <FailedContent onRetry={props.retry} />
        ) : (
          <Skeleton height={320} />
        )}
        {log && (
          <Pager
            page={condition.page}
            size={AUDIT_LOG_PAGE_SIZE}
            total={log.total}
            onPage={page => setCondition({ page })}
          />
        )}
      </Card>
    </>
  )
}

function EntryRow({ entry }: { entry: Entry }) {
  const fields = changedFields(entry.before, entry.after)
  return (
    <li>
      <details>
        <summary>
          <time dateTime={entry.at}>{formatInstantWithSeconds(entry.at)}</time>
          <span>{actorText(entry)}</span>
          <span>{auditActionText(entry.action)}</span>
          <span>
            {resourceText(entry)}
            {entry.rowId !== '' && <small> {rowText(entry)}</small>}
          </span>
          <IconChevronDown size={16} className={styles.chevron} aria-hidden />
        </summary>
        <div className={styles.detail}>
          {fields.length > 0 && (
            <table className={styles.changes}>
              <caption className="visually-hidden">変更前と変更後の値</caption>
              <thead>
                <tr>
                  <th scope="col">項目</th>
                  <th scope="col">変更前</th>
                  <th scope="col">変更後</th>
                </tr>
              </thead>
              <tbody>
                {fields.map(field => (
                  <tr key={field.name} data-changed={field.isChanged || undefined}>
                    <th scope="row">{field.label}</th>
                    <td>{field.before}</td>
                    <td>{field.after}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <dl className={access.facts}>
            <dt>記録番号</dt>
            <dd>{entry.seq}</dd>
            <dt>接続元</dt>
            <dd>{entry.sourceAddress}</dd>
            <dt>受付番号</dt>
            <dd>{entry.requestId}</dd>
            <dt>リソース</dt>
            <dd>{entry.resourceName}</dd>
            <dt>対象のID</dt>
            <dd>{entry.rowId}</dd>
          </dl>
        </div>
      </details>
    </li>
  )
}

function actorText({ actorEmail, actorUid, actingAsEmail }: Entry): string {
  const actor = actorEmail ?? (actorUid === null ? 'システム' : `削除されたユーザー（${actorUid}）`)
  return actingAsEmail === null ? actor : `${actor}（${actingAsEmail}として表示中）`
}
