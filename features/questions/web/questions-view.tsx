import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { MonthFilter } from '@pc/ui/filter/day-filter.tsx'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense, useState } from 'react'
import { QUESTIONS_PATH } from '../links.ts'
import { QUESTION_PAGE_SIZE, type QuestionCondition, questionCondition } from '../question-condition.ts'
import { type QuestionListRow, STATE_TONES, valueText } from './question-words.ts'
import type { QuestionsQuery } from './questions.gen.ts'
import styles from './questions.module.css'

const ThreadDialog = lazy(() => import('./thread-dialog.tsx').then(module => ({ default: module.ThreadDialog })))
const AskDialog = lazy(() => import('./ask-dialog.tsx').then(module => ({ default: module.AskDialog })))
const TemplatesDialog = lazy(() =>
  import('./templates-dialog.tsx').then(module => ({ default: module.TemplatesDialog })),
)

const STATES = [
  { value: 'unsolved', label: '未解決' },
  { value: 'open', label: '未回答' },
  { value: 'answered', label: '回答済み' },
  { value: 'resolved', label: '解決' },
  { value: 'all', label: 'すべて' },
] as const
const ASSIGNEES = [
  { value: 'all', label: 'すべて' },
  { value: 'me', label: '自分' },
  { value: 'none', label: '未定' },
] as const
const KINDS = [
  { value: 'all', label: 'すべて' },
  { value: 'question', label: '照会中の支払通知書を除く' },
  { value: 'objection', label: '照会中の支払通知書' },
] as const
const WITHOUT_SUBJECT = { ask: '', at: '', mediumId: [], publisherId: [] } as const

/**
 * Threads: all of them for staff, the own ones for a publisher's people. A thread or a new question opens beside the
 * list.
 */
export function QuestionsView(props: ScreenProps<QuestionCondition, QuestionsQuery>) {
  const { condition, setCondition, data, viewer } = props
  const [isManaging, setManaging] = useState(false)
  const list = data?.questions
  const isStaff = isStaffViewer(viewer)
  const change = (next: Partial<QuestionCondition>) => setCondition({ page: 1, ...next })
  const openAddress = (id: string) => addressOf(QUESTIONS_PATH, questionCondition.format({ ...condition, id }))
  // Removes the subject from the address, so that going back does not open the form again.
  const afterAsking = (id: string | undefined) => {
    const segment = questionCondition.format({ ...condition, ...WITHOUT_SUBJECT, id })
    goTo(addressOf(QUESTIONS_PATH, segment), { replace: true })
  }
  const {
    ask: _ask,
    at: _at,
    mediumId: _mediumId,
    publisherId: _publisherId,
    id: _id,
    page: _page,
    ...filter
  } = condition
  return (
    <>
      <ListScreen
        title="質問"
        noun="質問"
        columns={columnsOf(openAddress, isStaff)}
        rows={list?.nodes ?? []}
        rowKey={row => row.id}
        total={list?.total ?? 0}
        page={condition.page}
        pageSize={QUESTION_PAGE_SIZE}
        onPage={page => setCondition({ page })}
        isLoading={props.isLoading}
        error={list ? undefined : props.error}
        retry={props.retry}
        isFiltered={questionCondition.format({ ...questionCondition.defaults, ...filter }) !== undefined}
        onClearFilters={() => setCondition(questionCondition.defaults)}
        nothing={{
          title: '未解決の質問はありません',
          hint: isStaff
            ? 'パブリッシャーから質問が届くと、ここに表示されます。'
            : 'お支払い明細の「質問する」や、金額の内訳、レポートの行から質問できます。',
        }}
        filters={<QuestionFilters {...props} isStaff={isStaff} onChange={change} />}
        actions={
          viewer.can('read:list', 'insight:answer_template.') && (
            <Button onClick={() => setManaging(true)}>回答のテンプレート</Button>
          )
        }
        summary={list && <Counts list={list} onChange={change} />}
      />
      <Suspense fallback={null}>
        {condition.id !== undefined && (
          <ThreadDialog
            key={condition.id}
            id={condition.id}
            viewer={viewer}
            onClose={() => setCondition({ id: undefined })}
            onChange={props.retry}
          />
        )}
        {condition.id === undefined && condition.ask !== '' && (
          <AskDialog
            condition={condition}
            onClose={() => afterAsking(undefined)}
            onSent={id => {
              afterAsking(id)
              props.retry()
            }}
          />
        )}
        {isManaging && <TemplatesDialog viewer={viewer} onClose={() => setManaging(false)} />}
      </Suspense>
    </>
  )
}

function QuestionFilters(
  props: Pick<ScreenProps<QuestionCondition, QuestionsQuery>, 'condition' | 'today'> & {
    isStaff: boolean
    onChange: (change: Partial<QuestionCondition>) => void
  },
) {
  const { condition, onChange } = props
  return (
    <>
      <SearchFilter
        label="質問を検索"
        placeholder="対象・契約・媒体"
        value={condition.q}
        onSearch={q => onChange({ q })}
      />
      <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => onChange({ state })} />
      {props.isStaff && (
        <>
          <SelectFilter
            label="担当"
            options={ASSIGNEES}
            value={condition.assignee}
            onChange={assignee => onChange({ assignee })}
          />
          <SelectFilter label="種類" options={KINDS} value={condition.kind} onChange={kind => onChange({ kind })} />
        </>
      )}
      <MonthFilter
        label="対象の月"
        value={condition.month}
        latest={monthOfDay(props.today)}
        onChange={month => onChange({ month })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={condition.unread}
          onChange={event => onChange({ unread: event.target.checked })}
        />
        未読のみ
      </label>
    </>
  )
}

type List = NonNullable<QuestionsQuery['questions']>

function Counts({ list, onChange }: { list: List; onChange: (change: Partial<QuestionCondition>) => void }) {
  const { counts } = list
  const parts = [
    ['未回答', counts.open, { state: 'open' }],
    ['回答済み', counts.answered, { state: 'answered' }],
    ['解決', counts.resolved, { state: 'resolved' }],
    ['未読', counts.unread, { state: 'all', unread: true }],
  ] as const
  return (
    <section className={styles.counts} aria-label="質問の状況">
      {parts.map(([label, count, filter]) => (
        <button key={label} type="button" onClick={() => onChange(filter)}>
          <span>{label}</span>
          <b className="num">{formatInteger(count)}</b>件
        </button>
      ))}
    </section>
  )
}

function columnsOf(openAddress: (id: string) => string, isStaff: boolean): Column<QuestionListRow>[] {
  return [
    {
      id: 'subject',
      header: '質問の対象',
      isHeading: true,
      cell: row => (
        <RowLink address={openAddress(row.id)} isWide>
          <span className={styles.name} data-unread={row.isUnread || undefined}>
            <span>
              {row.isUnread && (
                <>
                  <i className={styles.dot} aria-hidden />
                  <span className="visually-hidden">未読 </span>
                </>
              )}
              {row.subject}
            </span>
            <small>{row.context}</small>
            <small className={styles.excerpt}>{row.excerpt}</small>
          </span>
        </RowLink>
      ),
    },
    {
      id: 'state',
      header: '状態',
      cell: row => <Badge tone={STATE_TONES[row.state]}>{row.stateLabel}</Badge>,
    },
    { id: 'value', header: '質問時の値', isFigure: true, cell: row => valueText(row.valueThen, row.unit) },
    ...(isStaff
      ? [
          { id: 'organization', header: '質問元', cell: (row: QuestionListRow) => row.organizationName ?? NO_VALUE },
          { id: 'assignee', header: '担当', cell: (row: QuestionListRow) => row.assigneeEmail ?? '未定' },
        ]
      : [{ id: 'asker', header: '質問した人', cell: (row: QuestionListRow) => row.askerEmail }]),
    { id: 'last', header: '最終更新', cell: row => formatInstant(row.lastMessageAt) },
  ]
}
