import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import styles from './palette-button.module.css'

/** Opens the palette by click or by Ctrl/⌘ K, also while the user is typing. */
export function PaletteButton(props: {
  /** The open palette; its code loads when it is needed. */
  children: (onClose: () => void) => ReactNode
  /** Preloads that code when the pointer comes near. */
  load: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      // A blocking dialog comes first.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={props.load}
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} stroke={1.8} aria-hidden />
        <span>移動・検索</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {isOpen && <Suspense fallback={null}>{props.children(() => setOpen(false))}</Suspense>}
    </>
  )
}
