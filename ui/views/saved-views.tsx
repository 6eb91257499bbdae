import { IconBookmark } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './saved-views.module.css'
import type { ScreenChanges } from './screen-changes.ts'
import type { SavedView, ScreenSettings } from './screen-settings.ts'

const SavedViewsPanel = lazyPart(async () => (await import('./saved-views-panel.tsx')).SavedViewsPanel)

export interface SavedViewsProps {
  settings: ScreenSettings
  changes: ScreenChanges
  /** The view that the address names. */
  activeId: string | undefined
  /** What saving would store: the condition as in the address, and the visible columns. */
  condition: string | undefined
  columns: readonly string[]
  onOpen: (view: SavedView) => void
  /** Whether views can be shared with roles, which only staff may do. */
  maySaveForRole: boolean
}

/** Saved views, which are conditions and columns under a name: open, save, share, rename, delete and restore. */
export function SavedViews(props: SavedViewsProps) {
  const { settings, activeId } = props
  const active = settings.views.find(view => view.id === activeId)
  return (
    <Popover
      label="保存した表示"
      button={popover => (
        <Button
          {...popover}
          icon={<IconBookmark size={16} aria-hidden />}
          data-active={active ? true : undefined}
          onPointerEnter={SavedViewsPanel.load}
          onFocus={SavedViewsPanel.load}
        >
          <span className={styles.button}>{active ? active.name : '保存した表示'}</span>
        </Button>
      )}
    >
      {close => (
        <Suspense fallback={<div className={styles.panel} role="status" aria-label="読み込み中" />}>
          <SavedViewsPanel {...props} active={active} onClose={close} />
        </Suspense>
      )}
    </Popover>
  )
}
