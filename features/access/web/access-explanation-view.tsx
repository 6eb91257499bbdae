import { skipToken, useQuery } from '@apollo/client/react'
import { GRANULAR_ACTIONS } from '@pc/domain/access/action.ts'
import { RESOURCE_LABELS_JA } from '@pc/domain/access/resource-labels.ja.ts'
import { RESOURCE_NAMES } from '@pc/domain/access/resource-name.ts'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { type FoundChoice, SearchedChoice } from '@pc/ui/filter/searched-choice.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useState } from 'react'
import type { AccessExplanationCondition } from '../access-explanation-condition.ts'
import styles from './access.module.css'
import {
  AccessExplanationDocument,
  ExplainedUserDocument,
  ExplainedUsersDocument,
} from './access-explanation-iam.gen.ts'

const ACTIONS = GRANULAR_ACTIONS.map(value => ({
  value,
  label: {
    'read:list': '一覧',
    'read:show': '閲覧',
    'write:create': '作成',
    'write:update': '変更',
    'write:delete': '削除',
  }[value],
}))
const RESOURCES = RESOURCE_NAMES.map(value => ({ value, label: RESOURCE_LABELS_JA[value] }))

type Props = ScreenProps<AccessExplanationCondition, unknown>

/** Explains who may do what to which row: the question is in the address, the answer is one sentence. */
export function AccessExplanationView(props: Props) {
  const { condition, setCondition } = props
  return (
    <>
      <ScreenTop title="アクセスの説明" note="できる理由、またはできない理由を確認できます" />
      <div className={styles.stack}>
        <Card title="確認する内容">
          <div className={styles.question}>
            <UserChoice value={condition.user} onChange={user => setCondition({ user })} />
            <SelectFilter
              label="操作"
              options={ACTIONS}
              value={condition.action}
              onChange={action => setCondition({ action })}
            />
            <SelectFilter
              label="対象"
              options={RESOURCES}
              value={condition.resource}
              onChange={resource => setCondition({ resource })}
            />
            <RowId key={condition.row} value={condition.row} onChange={row => setCondition({ row })} />
          </div>
          <Answer condition={condition} />
        </Card>
      </div>
    </>
  )
}

function UserChoice({ value, onChange }: { value: string; onChange: (uid: string) => void }) {
  const client = useClientOf('iam')
  const { data } = useQuery(ExplainedUserDocument, { client, variables: { userID: value }, skip: value === '' })
  const search = async (text: string): Promise<readonly FoundChoice[]> => {
    const answer = await client.query({
      query: ExplainedUsersDocument,
      variables: { q: text === '' ? null : text },
      fetchPolicy: 'network-only',
    })
    if (!answer.data) throw new Error('no answer')
    return answer.data.users.nodes.map(user => ({
      id: user.uid,
      name: user.email,
      note: [user.organization?.name, ...user.roles.map(role => role.label)].filter(Boolean).join('、'),
    }))
  }
  return (
    <SearchedChoice
      label="ユーザー"
      chosen={value === '' ? undefined : { id: value, name: data?.user?.email ?? value }}
      noneLabel="選択してください"
      placeholder="メールアドレスで検索"
      search={search}
      onChoose={choice => onChange(choice?.id ?? '')}
    />
  )
}

/** The id is applied with Enter or when the field loses focus, not on every key. */
function RowId({ value, onChange }: { value: string; onChange: (row: string) => void }) {
  const [typed, setTyped] = useState(value)
  const take = () => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  return (
    <label className={styles.rowId}>
      ID（省略可）
      <input
        type="text"
        className="control"
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) take()
        }}
      />
    </label>
  )
}

function Answer({ condition }: { condition: AccessExplanationCondition }) {
  const { user, action, resource, row } = condition
  const client = useClientOf('iam')
  const { data, error, loading } = useQuery(
    AccessExplanationDocument,
    user === ''
      ? skipToken
      : {
          client,
          variables: { userID: user, action, resource, rowId: row === '' ? null : row },
          fetchPolicy: 'network-only',
        },
  )
  const answer = data?.explainAccess
  return (
    <div aria-live="polite">
      {user === '' ? (
        <p className={styles.quiet}>ユーザーを選ぶと、ここに説明が表示されます。</p>
      ) : answer ? (
        <div className={styles.answer} data-allowed={answer.isAllowed || undefined}>
          {answer.isAllowed ? <IconCircleCheck size={22} aria-hidden /> : <IconCircleX size={22} aria-hidden />}
          <p>
            <b>{answer.isAllowed ? 'できます' : 'できません'}</b>
            <span>{answer.sentence}</span>
          </p>
        </div>
      ) : loading ? (
        <p className={styles.quiet}>確認しています…</p>
      ) : (
        <p className={styles.quiet}>
          {refusalsOf(error)[0]?.message ?? '確認できませんでした。条件を変えて、もう一度お試しください。'}
        </p>
      )}
    </div>
  )
}
