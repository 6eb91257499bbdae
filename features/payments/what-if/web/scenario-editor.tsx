import { useApolloClient } from '@apollo/client/react'
import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SearchFilter } from '@pc/ui/elements/list-top.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { useState } from 'react'
import { SaveDraftDialog } from './save-draft-dialog.tsx'
import { WhatIfBasisDocument } from './what-if.gen.ts'
import styles from './what-if.module.css'
import { WhatIfAgreement } from './what-if-agreement.tsx'
import {
  type Basis,
  type BasisAgreement,
  type Change,
  countChanges,
  inputOf,
  NO_CHANGE,
  withValue,
} from './what-if-change.ts'
import { type Draft, WhatIfDraftList } from './what-if-draft-list.tsx'
import { WhatIfMonthDocument } from './what-if-month.gen.ts'
import { WhatIfNumber } from './what-if-number.tsx'
import { type WhatIfAnswer, WhatIfResult } from './what-if-result.tsx'

interface ScenarioEditorProps {
  month: string
  mediumId: string
  draftId: string | undefined
  onDraft: (draftId: string | undefined) => void
}

const POOL_LABELS: Readonly<Record<PoolKind, string>> = { ssp: 'SSP', ssp_video: '動画SSP', ssp_live: 'ライブSSP' }

/** The editor for one month of one medium: the changes, their result, and the saved drafts. */
export function ScenarioEditor({ month, mediumId, draftId, onDraft }: ScenarioEditorProps) {
  const client = useApolloClient()
  const [q, setQ] = useState('')
  const [change, setChange] = useState<Change>(NO_CHANGE)
  const [chosen, setChosen] = useState<readonly BasisAgreement[]>([])
  const [draft, setDraft] = useState<Draft>()
  const [answer, setAnswer] = useState<{ of: Change; result: WhatIfAnswer }>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [savedTimes, setSavedTimes] = useState(0)
  const basis = useOwnQuery(WhatIfBasisDocument, { variables: { month, mediumId, q } })
  const found = (basis.data ?? basis.previousData)?.whatIfBasis
  const run = async (sent: Change) => {
    setBusy(true)
    setProblems([])
    try {
      const { data } = await client.query({
        query: WhatIfMonthDocument,
        variables: { month, mediumId, change: inputOf(sent) },
        fetchPolicy: 'no-cache',
        errorPolicy: 'none',
      })
      if (data?.whatIfMonth) setAnswer({ of: sent, result: data.whatIfMonth })
    } catch (error) {
      const texts = refusalsOf(error).map(refusal => refusal.message)
      setAnswer(undefined)
      setProblems(texts.length > 0 ? texts : ['試算できませんでした。もう一度お試しください。'])
    } finally {
      setBusy(false)
    }
  }
  const open = async (next: Draft, kept: Change) => {
    setDraft(next)
    setChange(kept)
    onDraft(next.id)
    const ids = new Set([
      ...Object.keys(kept.agreements),
      ...Object.keys(kept.rates).map(key => key.split('/')[0] ?? ''),
    ])
    const { data } = await client.query({
      query: WhatIfBasisDocument,
      variables: { month, mediumId, agreementIds: [...ids] },
      fetchPolicy: 'no-cache',
    })
    setChosen(data?.whatIfBasis?.agreements ?? [])
    await run(kept)
  }
  if (!found) {
    if (!basis.error) return <Skeleton height={320} />
    const texts = refusalsOf(basis.error).map(refusal => refusal.message)
    return (
      <FailedContent title="この月は試算できません" onRetry={() => void basis.refetch()}>
        {texts.join(' ') || undefined}
      </FailedContent>
    )
  }
  const changes = countChanges(change)
  const isStale = answer !== undefined && answer.of !== change
  return (
    <>
      <WhatIfDraftList
        key={savedTimes}
        month={month}
        mediumId={mediumId}
        openId={draftId}
        isOpen={draft !== undefined && draft.id === draftId}
        onOpen={(next, kept) => void open(next, kept)}
      />
      <Card title="変える条件" note={draft ? `「${draft.name}」を編集中` : '空欄は現在のままです'}>
        <Common basis={found} change={change} onChange={setChange} />
        <Finder q={q} onSearch={setQ} basis={found} chosen={chosen} onAdd={each => setChosen([...chosen, each])} />
        {chosen.map(each => (
          <WhatIfAgreement
            key={each.agreementId}
            agreement={each}
            change={change}
            onChange={setChange}
            onRemove={() => {
              setChosen(chosen.filter(other => other !== each))
              setChange(without(change, each.agreementId))
            }}
          />
        ))}
        <div className={styles.actions}>
          <p role="status">{isStale ? '条件が変わりました。もう一度試算してください。' : `変更 ${changes}項目`}</p>
          <Button disabled={changes === 0} onClick={() => setSaving(true)}>
            この条件を保存する
          </Button>
          <Button tone="primary" disabled={isBusy || changes === 0} onClick={() => void run(change)}>
            {isBusy ? '計算しています…' : '試算する'}
          </Button>
        </div>
        <ProblemList texts={problems} className={styles.problems} />
      </Card>
      {answer && !isStale && <WhatIfResult answer={answer.result} />}
      {isSaving && (
        <SaveDraftDialog
          month={month}
          mediumId={mediumId}
          change={change}
          draft={draft}
          onClose={() => setSaving(false)}
          onSaved={saved => {
            setSaving(false)
            setDraft(saved)
            setSavedTimes(savedTimes + 1)
            onDraft(saved.id)
          }}
        />
      )}
    </>
  )
}

function without(change: Change, agreementId: string): Change {
  const keep = (entries: object) => Object.entries(entries).filter(([key]) => key.split('/')[0] !== agreementId)
  return {
    ...change,
    agreements: Object.fromEntries(keep(change.agreements)),
    rates: Object.fromEntries(keep(change.rates)),
  }
}

/** The values of the whole month: the threshold and the pools. */
function Common(props: { basis: Basis; change: Change; onChange: (change: Change) => void }) {
  const { basis, change, onChange } = props
  return (
    <div className={styles.terms}>
      <WhatIfNumber
        label="支払下限額（全体）"
        kind="integer"
        unit="円"
        value={change.payoutThreshold}
        present={basis.payoutThreshold}
        onChange={value => onChange(withValue(change, 'payoutThreshold', value, basis.payoutThreshold))}
      />
      {basis.pools.map(pool => (
        <WhatIfNumber
          key={pool.dividendId}
          label={poolLabel(pool, basis.pools)}
          kind="integer"
          unit="円"
          value={change.pools[pool.dividendId]}
          present={pool.extraRevenue}
          onChange={value =>
            onChange({ ...change, pools: withValue(change.pools, pool.dividendId, value, pool.extraRevenue) })
          }
        />
      ))}
    </div>
  )
}

/** The name of a pool, numbered in the order of entry when the month has several pools of its kind. */
function poolLabel({ kind, dividendId }: Basis['pools'][number], pools: Basis['pools']): string {
  const label = `${POOL_LABELS[kind]}の原資`
  const ofKind = pools.filter(pool => pool.kind === kind)
  const place = ofKind.findIndex(pool => pool.dividendId === dividendId) + 1
  return ofKind.length > 1 ? `${label}（${place}件目）` : label
}

function Finder(props: {
  q: string
  onSearch: (q: string) => void
  basis: Basis
  chosen: readonly BasisAgreement[]
  onAdd: (agreement: BasisAgreement) => void
}) {
  const { basis, chosen } = props
  const ids = new Set(chosen.map(each => each.agreementId))
  const offered = basis.agreements.filter(each => !ids.has(each.agreementId))
  return (
    <section className={styles.finder} aria-label="条件を変える契約">
      <SearchFilter
        label="契約を検索"
        placeholder="契約名・コード・支払先で検索"
        value={props.q}
        onSearch={props.onSearch}
      />
      {offered.length === 0 ? (
        <p>{basis.total === 0 ? '条件に合う契約がありません。' : 'すべて追加しました。'}</p>
      ) : (
        <ul aria-label="追加できる契約">
          {offered.slice(0, 8).map(each => (
            <li key={each.agreementId}>
              <Button onClick={() => props.onAdd(each)} aria-label={`${each.name}の条件を変える`}>
                {`＋ ${each.name}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
