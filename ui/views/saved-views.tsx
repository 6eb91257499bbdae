import { IconBookmark } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './saved-views.module.css'
import type { SavedViewsProps } from './saved-views-panel.tsx'

const SavedViewsPanel = lazyPart(async () => (await import('./saved-views-panel.tsx')).SavedViewsPanel)

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
