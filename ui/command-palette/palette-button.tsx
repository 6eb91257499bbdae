import { IconSearch } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { later } from '../later.tsx'
import type { Command } from './command-palette.tsx'
import styles from './palette-button.module.css'

const CommandPalette = later(async () => (await import('./command-palette.tsx')).CommandPalette)

/** Opens the palette by press or by Ctrl/⌘ K, which also works while something is typed. */
export function PaletteButton(props: {
  commands: readonly Command[]
  search: (text: string) => Promise<readonly Command[]>
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
        onPointerEnter={CommandPalette.load}
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} stroke={1.8} aria-hidden />
        <span>移動・検索</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
