import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import styles from './palette-button.module.css'

/** Opens the palette by press or by Ctrl/⌘ K, which also works while something is typed. */
export function PaletteButton(props: {
  /** The open palette, whose code comes when it is needed. */
  children: (onClose: () => void) => ReactNode
  /** Asks for that code ahead, when the pointer comes near. */
  load: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      // A question that blocks the page comes first.
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
