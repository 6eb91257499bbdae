import { useQuery } from '@apollo/client/react'
import { formatInteger } from '@pc/ui/text/format.ts'
import { IconChecklist } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { DutiesDocument, type DutiesQuery } from './duties.gen.ts'
import styles from './duties.module.css'
import { DUTY_WORDS } from './duty-words.ts'

/**
 * What waits for the reader, each kind with a link to its list. It has one line, so that nothing moves when it arrives;
 * a button opens the rest. It is fetched again when the tab becomes visible.
 */
export function DutiesStrip() {
  const { data, previousData, error, loading, refetch } = useQuery(DutiesDocument, { fetchPolicy: 'cache-and-network' })
  useEffect(() => {
    const ask = () => {
      // After a failure the old counts stay, or the error is shown.
      if (document.visibilityState === 'visible') void refetch().catch(() => {})
    }
    document.addEventListener('visibilitychange', ask)
    return () => document.removeEventListener('visibilitychange', ask)
  }, [refetch])
  const duties = (data ?? previousData)?.duties
  if (duties && duties.length > 0) return <Duties duties={duties} />
  if (duties) return <Line>いま対応が必要なことはありません</Line>
  if (error && !loading)
    return (
      <Line>
        対応が必要なことを確認できませんでした。
        <button type="button" className={styles.button} onClick={() => void refetch().catch(() => {})}>
          もう一度読み込む
        </button>
      </Line>
    )
  return (
    <Line>
      <span role="status">対応が必要なことを確認しています…</span>
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <section className={styles.strip} aria-label="対応が必要なこと">
      <IconChecklist size={18} aria-hidden />
      <p className={styles.quiet}>{children}</p>
    </section>
  )
}

function Duties({ duties }: { duties: DutiesQuery['duties'] }) {
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const hasMore = useIsCut(list, duties.length)
  const headingId = useId()
  const listId = useId()
  return (
    <section className={styles.strip} aria-labelledby={headingId} data-open={isOpen || undefined}>
      <IconChecklist size={18} aria-hidden />
      <h2 id={headingId}>対応が必要なこと</h2>
      {/* A link in a line that is not seen opens the list when the keyboard comes to it. */}
      <ul
        ref={list}
        id={listId}
        onFocus={event => setOpen(isOpen || isBelowFirstLine(event.target, event.currentTarget))}
      >
        {duties.map(({ kind, count }) => {
          const { label, unit, address } = DUTY_WORDS[kind]
          return (
            <li key={kind}>
              <a href={address}>
                {label}
                <b className="num">{formatInteger(count)}</b>
                {unit}
              </a>
            </li>
          )
        })}
      </ul>
      {(hasMore || isOpen) && (
        <button
          type="button"
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '閉じる' : `すべて見る（${duties.length}）`}
        </button>
      )}
    </section>
  )
}

/** Compares positions within the list, which do not change while the browser scrolls the link into view. */
function isBelowFirstLine(link: HTMLElement, list: HTMLElement): boolean {
  return link.offsetTop - list.offsetTop >= list.clientHeight
}

/** Whether the list has more lines than the visible one. */
function useIsCut(list: { readonly current: HTMLElement | null }, length: number): boolean {
  const [isCut, setCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: more or fewer items change its height
  useEffect(() => {
    const element = list.current
    if (!element) return
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [list, length])
  return isCut
}
