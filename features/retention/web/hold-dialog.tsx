import type { Day } from '@pc/domain/month/day.ts'
import { EARLIEST_MONTH, monthOfDay } from '@pc/domain/month/year-month.ts'
import { HOLD_BOUNDS } from '@pc/domain/retention/legal-hold.ts'
import { useOrganizationSearch } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { SearchFilter } from '@pc/ui/elements/list-top.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import form from '@pc/ui/form/form.module.css'
import { MonthInput } from '@pc/ui/form/month-input.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { RequiredText } from '@pc/ui/form/required-text.tsx'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useEffect, useId, useState } from 'react'
import { PlaceLegalHoldDocument } from './retention.gen.ts'
import styles from './retention.module.css'

/** A new hold on an organisation's records, on those of some months, or on both combined. */
export function HoldDialog(props: { today: Day; onClose: () => void; onPlaced: () => void }) {
  const [organizationId, setOrganizationId] = useState('')
  const [fromMonth, setFromMonth] = useState('')
  const [toMonth, setToMonth] = useState('')
  const [reason, setReason] = useState('')
  const { close } = useDialogText({
    dialog: 'hold',
    values: { reason },
    restore: kept => setReason(kept.reason),
    onClose: props.onClose,
  })
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const place = useSubmission(PlaceLegalHoldDocument)
  const months = { earliest: EARLIEST_MONTH, latest: monthOfDay(props.today), emptyLabel: 'すべての月' }
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await place({
        input: {
          ...(organizationId === '' ? {} : { organizationId }),
          ...(fromMonth === '' ? {} : { fromMonth }),
          ...(toMonth === '' ? {} : { toMonth }),
          reason,
        },
      })
      props.onPlaced()
    } catch (failure) {
      const refusals = refusalsOf(failure).map(one => one.message)
      setProblem(refusals.join('') || '登録できませんでした。通信状態を確認して、もう一度お試しください。')
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="保全を登録します"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={() => void submit()}>
            保全を登録する
          </Button>
        </>
      }
    >
      <OrganizationChoice value={organizationId} onChange={setOrganizationId} />
      <div className={styles.months}>
        <MonthInput {...months} label="開始月" value={fromMonth} onChange={setFromMonth} />
        <MonthInput {...months} label="終了月" value={toMonth} onChange={setToMonth} />
      </div>
      <RequiredText
        label="理由"
        rows={3}
        maxLength={HOLD_BOUNDS.reason}
        value={reason}
        problem={problem}
        onChange={setReason}
      />
    </Dialog>
  )
}

interface Organization {
  readonly id: string
  readonly name: string
}

function OrganizationChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const id = useId()
  const [q, setQ] = useState('')
  const [found, setFound] = useState<readonly Organization[]>([])
  // The chosen organisation stays visible even if a later search does not find it.
  const [chosen, setChosen] = useState<Organization>()
  const choices = chosen && !found.some(one => one.id === chosen.id) ? [chosen, ...found] : found
  const search = useOrganizationSearch()
  useEffect(() => {
    let isRequested = true
    search(q)
      .then(choices => {
        if (isRequested) setFound(choices)
      })
      // The list stays as it is; the next search queries again.
      .catch(() => {})
    return () => {
      isRequested = false
    }
  }, [q, search])
  return (
    <div className={form.field} data-width="full">
      <label className={form.label} htmlFor={id}>
        組織
      </label>
      <SearchFilter label="組織を検索" placeholder="組織名" value={q} onSearch={setQ} />
      <select
        id={id}
        className={form.input}
        value={value}
        onChange={event => {
          setChosen(choices.find(one => one.id === event.target.value))
          onChange(event.target.value)
        }}
      >
        <option value="">すべての組織</option>
        {choices.map(organization => (
          <option key={organization.id} value={organization.id}>
            {organization.name}
          </option>
        ))}
      </select>
    </div>
  )
}
