import { useApolloClient, useQuery } from '@apollo/client/react'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { signedInteger } from '@pc/ui/text/signed-integer.ts'
import { useEffect, useRef, useState } from 'react'
import { DeleteWhatIfDraftDocument } from './delete-what-if-draft.gen.ts'
import styles from './what-if.module.css'
import { type Change, changeOf, countChanges, inputOf } from './what-if-change.ts'
import { WhatIfDraftsDocument, type WhatIfDraftsQuery } from './what-if-drafts.gen.ts'
import { WhatIfMonthDocument } from './what-if-month.gen.ts'
import { SUM_ROWS, type WhatIfAnswer } from './what-if-result.tsx'

export type Draft = NonNullable<WhatIfDraftsQuery['whatIfDrafts']>[number]
interface Compared {
  readonly draft: Draft
  readonly answer: WhatIfAnswer | undefined
  readonly problem: string | undefined
}

/** The saved drafts, which can be opened, removed, or compared side by side. */
export function WhatIfDraftList(props: {
  month: string
  mediumId: string
  openId: string | undefined
  /** Whether the draft of the address is on the screen already. */
  isOpen: boolean
  onOpen: (draft: Draft, change: Change) => void
}) {
  const { month, mediumId } = props
  const client = useApolloClient()
  const { data, refetch } = useQuery(WhatIfDraftsDocument, { variables: { month, mediumId } })
  const remove = useSubmission(DeleteWhatIfDraftDocument)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [compared, setCompared] = useState<readonly Compared[]>([])
  const [isBusy, setBusy] = useState(false)
  const drafts = data?.whatIfDrafts ?? []
  const named = props.isOpen ? undefined : drafts.find(draft => draft.id === props.openId)
  const { onOpen } = props
  const opened = useRef<string>(undefined)
  useEffect(() => {
    // An address that names a draft opens it, once.
    if (!named || opened.current === named.id) return
    opened.current = named.id
    onOpen(named, changeOf(named.change))
  }, [named, onOpen])
  const compare = async () => {
    setBusy(true)
    const found: Compared[] = []
    for (const draft of drafts.filter(each => chosen.includes(each.id))) {
      try {
        const { data: result } = await client.query({
          query: WhatIfMonthDocument,
          variables: { month, mediumId, change: inputOf(changeOf(draft.change)) },
          fetchPolicy: 'no-cache',
          errorPolicy: 'none',
        })
        found.push({ draft, answer: result?.whatIfMonth ?? undefined, problem: undefined })
      } catch (error) {
        const problem = refusalsOf(error)[0]?.message ?? '試算できませんでした。もう一度お試しください。'
        found.push({ draft, answer: undefined, problem })
      }
    }
    setCompared(found)
    setBusy(false)
  }
  const ask = async (draft: Draft) => {
    const isAgreed = await confirm({
      title: `「${draft.name}」を削除しますか？`,
      action: '試算を削除する',
      tone: 'danger',
    })
    if (!isAgreed) return
    await remove({ id: draft.id })
    showToast({ tone: 'success', message: `「${draft.name}」を削除しました。` })
    setChosen(ids => ids.filter(id => id !== draft.id))
    setCompared(all => all.filter(each => each.draft.id !== draft.id))
    void refetch()
  }
  if (drafts.length === 0) return null
  return (
    <Card
      title="保存した試算"
      note={`${drafts.length}件`}
      tools={
        <Button
          disabled={chosen.length < 2 || isBusy}
          title={chosen.length < 2 ? '比較する試算を2件以上選択してください' : undefined}
          onClick={() => void compare()}
        >
          {isBusy ? '計算しています…' : '選択した試算を比較する'}
        </Button>
      }
    >
      <ul className={styles.drafts}>
        {drafts.map(draft => (
          <li key={draft.id} aria-current={draft.id === props.openId || undefined}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(draft.id)}
                onChange={event =>
                  setChosen(ids => (event.target.checked ? [...ids, draft.id] : ids.filter(id => id !== draft.id)))
                }
              />
              <b>{draft.name}</b>
              <span className="visually-hidden">を比較に含める</span>
            </label>
            <small>
              {`${countChanges(changeOf(draft.change))}項目 / ${formatInstant(draft.updatedAt)} ${draft.createdByEmail ?? ''}`}
            </small>
            <Button
              tone="quiet"
              aria-label={`${draft.name}を開く`}
              onClick={() => props.onOpen(draft, changeOf(draft.change))}
            >
              開く
            </Button>
            <Button tone="quiet" aria-label={`${draft.name}を削除`} onClick={() => void ask(draft)}>
              削除
            </Button>
          </li>
        ))}
      </ul>
      {compared.length > 0 && <Comparison compared={compared} />}
    </Card>
  )
}

function Comparison({ compared }: { compared: readonly Compared[] }) {
  const first = compared.find(each => each.answer)?.answer
  return (
    <div className={styles.wide}>
      <table className={styles.sums}>
        <caption className="visually-hidden">試算の比較</caption>
        <thead>
          <tr>
            <th scope="col">合計</th>
            <th scope="col">現在</th>
            {compared.map(each => (
              <th key={each.draft.id} scope="col">
                {each.draft.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SUM_ROWS.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td className="num">{formatInteger(first?.before[name])}</td>
              {compared.map(({ draft, answer }) => (
                <td key={draft.id} className="num">
                  {formatInteger(answer?.after[name])}
                  {answer && <small>{signedInteger(answer.after[name] - answer.before[name])}</small>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {compared.map(
        each => each.problem && <p key={each.draft.id} role="alert">{`${each.draft.name}：${each.problem}`}</p>,
      )}
    </div>
  )
}
