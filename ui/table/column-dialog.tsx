import { IconArrowDown, IconArrowUp, IconLock } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../feedback/dialog.tsx'
import styles from './column-chooser.module.css'
import { isSameOrder, mergedColumns } from './merged-columns.ts'

export interface ChoosableColumn {
  readonly id: string
  readonly label: string
  readonly definition: string
  /** Always shown, and always first. */
  readonly isFixed?: boolean | undefined
}

export interface ColumnChooserProps {
  /** All available columns, in their default order. */
  columns: readonly ChoosableColumn[]
  /** Ids of the visible columns in their order, without the fixed ones. */
  shown: readonly string[]
  /** Undefined: resets to the default. */
  onChange: (ids: readonly string[] | undefined) => void
}

/** The dialog of {@link ColumnChooser}; its code loads when pointer or focus come near the button. */
export function ColumnDialog({ columns, shown, onChange, onClose }: ColumnChooserProps & { onClose: () => void }) {
  const fixed = columns.filter(column => column.isFixed)
  const [opened] = useState(shown)
  const [order, setOrder] = useState(() => {
    const known = shown.filter(id => columns.some(column => column.id === id))
    return [...known, ...columns.filter(column => !column.isFixed && !known.includes(column.id)).map(({ id }) => id)]
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(shown))
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const byId = new Map(columns.map(column => [column.id, column]))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const move = (id: string, by: -1 | 1) => {
    const from = order.indexOf(id)
    const to = from + by
    if (to < 0 || to >= order.length) return
    const next = [...order]
    next.splice(to, 0, ...next.splice(from, 1))
    setOrder(next)
    setSaid(`${byId.get(id)?.label}を${to + 1}番目に移動しました`)
  }
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(id, event.key === 'ArrowUp' ? -1 : 1)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-column="${id}"] input`)?.focus())
  }
  // Another tab may have changed the columns meanwhile, so only what was changed here is applied.
  const merged = mergedColumns(
    opened,
    order.filter(id => chosen.has(id)),
    shown,
  )
  return (
    <Dialog
      title="表示項目"
      onClose={onClose}
      actions={
        <>
          <Button
            tone="quiet"
            onClick={() => {
              onChange(undefined)
              onClose()
            }}
          >
            初期設定に戻す
          </Button>
          <Button onClick={onClose}>キャンセル</Button>
          <Button
            tone="primary"
            disabled={merged.length === 0}
            title={merged.length === 0 ? '項目を1つ以上選んでください' : undefined}
            onClick={() => {
              onChange(merged)
              onClose()
            }}
          >
            適用する
          </Button>
        </>
      }
    >
      <p className={styles.hint}>
        表示する項目と順番を選びます。選んだ内容はあなたの設定として保存されます。Alt+↑・↓でも移動できます。
      </p>
      {!isSameOrder(opened, shown) && (
        <p className={styles.hint} role="alert">
          ほかのタブで表示項目が変わりました。適用すると、その内容に、ここで変えた項目だけを反映します。
        </p>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ul className={styles.list} aria-label="表示項目" ref={list}>
        {fixed.map(column => (
          <li key={column.id} className={styles.fixed}>
            <IconLock size={14} aria-hidden />
            <span>
              {column.label}
              <small>常に表示します</small>
            </span>
          </li>
        ))}
        {order.map((id, index) => {
          const column = byId.get(id)!
          return (
            <li key={id} data-column={id}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={() => toggle(id)}
                  onKeyDown={event => onKeyDown(event, id)}
                />
                <span>
                  {column.label}
                  <small>{column.definition}</small>
                </span>
              </label>
              <button
                type="button"
                aria-label={`${column.label}を前へ`}
                disabled={index === 0}
                onClick={() => move(id, -1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </button>
              <button
                type="button"
                aria-label={`${column.label}を後ろへ`}
                disabled={index === order.length - 1}
                onClick={() => move(id, 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
