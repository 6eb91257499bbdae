import { useEffect, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../feedback/dialog.tsx'
import styles from './change-table.module.css'
import form from './form.module.css'
import { changesBetween, type FormFrame, type Latest, valueAt } from './form-frame.ts'
import type { SentRefusal } from './refused-fields.ts'

interface ConflictProps<V extends FieldValues> {
  refusal: SentRefusal
  /** The record as this person opened it. */
  base: V
  mine: V
  loadLatest: () => Promise<Latest<V>>
  frame: FormFrame
  onClose: () => void
  /** Receives the others' record, and which of my changes to apply to it. */
  onResolve: (latest: Latest<V>, mine: Partial<V>) => void
}

/** Shown when somebody else saved first: their changes and mine, so that nothing is overwritten unnoticed. */
export function ConflictDialog<V extends FieldValues>(props: ConflictProps<V>) {
  // The form frame is mutable, which the compiler cannot see.
  'use no memo'
  const { frame, base, mine, refusal } = props
  const latest = useLatest(props.loadLatest)
  const theirs = latest && latest !== 'failed' ? changesBetween(frame, base, latest.values) : []
  const own = changesBetween(frame, base, mine)
  const both = own.filter(change => theirs.some(other => other.name === change.name))
  const names = [...new Set([...theirs, ...own].map(change => change.name))]
  const show = (values: V, name: string) => frame.fields.get(name)?.show(valueAt(values, name)) ?? ''
  const ready = latest && latest !== 'failed' ? latest : undefined
  return (
    <Dialog
      role="alertdialog"
      size="large"
      title="ほかの方が先に変更しました"
      onClose={props.onClose}
      actions={
        ready && (
          <>
            <Button onClick={() => props.onResolve(ready, {})}>自分の変更を破棄して最新を表示</Button>
            <Button tone="primary" onClick={() => props.onResolve(ready, topLevel(mine, own))}>
              最新の内容に自分の変更を重ねる
            </Button>
          </>
        )
      }
    >
      <p>{refusal.message}</p>
      {latest === undefined && <p role="status">最新の内容を読み込んでいます…</p>}
      {latest === 'failed' && <p>最新の内容を読み込めませんでした。閉じて、もう一度保存してください。</p>}
      {ready && (
        <>
          {both.length > 0 && (
            <p className={styles.clash}>同じ項目を変更しています：{both.map(change => change.label).join('、')}</p>
          )}
          <table className={styles.changeTable}>
            <caption className="visually-hidden">自分の変更とほかの方の変更</caption>
            <thead>
              <tr>
                <th scope="col">項目</th>
                <th scope="col">開いたとき</th>
                <th scope="col">最新の内容</th>
                <th scope="col">自分の入力</th>
              </tr>
            </thead>
            <tbody>
              {names.map(name => (
                <tr key={name} data-clash={both.some(change => change.name === name) || undefined}>
                  <th scope="row">{frame.fields.get(name)?.label}</th>
                  <td>{show(base, name)}</td>
                  <td data-changed={theirs.some(change => change.name === name) || undefined}>
                    {show(ready.values, name)}
                  </td>
                  <td data-changed={own.some(change => change.name === name) || undefined}>{show(mine, name)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={form.hint}>どちらを選んでも、まだ保存されません。フォームで確認してから保存してください。</p>
        </>
      )}
    </Dialog>
  )
}

/** A nested field is applied with the whole top-level value that contains it. */
function topLevel<V extends FieldValues>(mine: V, changes: readonly { name: string }[]): Partial<V> {
  return Object.fromEntries(changes.map(({ name }) => [name.split('.')[0]!, mine[name.split('.')[0]!]])) as Partial<V>
}

function useLatest<V>(load: () => Promise<Latest<V>>): Latest<V> | 'failed' | undefined {
  const [latest, setLatest] = useState<Latest<V> | 'failed'>()
  const [loadOnce] = useState(() => load)
  useEffect(() => {
    let isCurrent = true
    loadOnce().then(
      found => isCurrent && setLatest(found),
      () => isCurrent && setLatest('failed'),
    )
    return () => {
      isCurrent = false
    }
  }, [loadOnce])
  return latest
}
