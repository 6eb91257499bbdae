import { IconColumns3 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { ColumnChooserProps } from './column-dialog.tsx'

const ColumnDialog = lazyPart(async () => (await import('./column-dialog.tsx')).ColumnDialog)

/**
 * Lets a person choose and order the columns of a table, by pointer or keyboard (Alt with an arrow key moves a column).
 */
export function ColumnChooser(props: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={<IconColumns3 size={16} aria-hidden />}
        aria-haspopup="dialog"
        data-print="never"
        onPointerEnter={ColumnDialog.load}
        onFocus={ColumnDialog.load}
        onClick={() => setOpen(true)}
      >
        表示項目
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ColumnDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
