import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import styles from './card.module.css'
import foldingStyles from './folding-card.module.css'

/** A card that its title opens and closes. */
export function FoldingCard(props: {
  title: string
  note?: ReactNode
  tools?: ReactNode
  flush?: boolean
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  children: ReactNode
}) {
  const id = useId()
  const { isOpen } = props
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section className={styles.card} aria-label={props.title} data-flush={props.flush || undefined}>
      <header>
        <h2>
          <button
            type="button"
            className={foldingStyles.fold}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => props.onToggle(!isOpen)}
          >
            <Chevron size={16} aria-hidden />
            {props.title}
          </button>
        </h2>
        {props.note && <p>{props.note}</p>}
        {isOpen && props.tools && <div className={styles.tools}>{props.tools}</div>}
      </header>
      <div id={id} className={foldingStyles.content} hidden={!isOpen}>
        {isOpen && props.children}
      </div>
    </section>
  )
}
