import { IconCopy } from '@tabler/icons-react'
import { Button } from './button.tsx'
import { copyWithToast } from './copy-with-toast.ts'

/**
 * A button that copies a record's id, for files and other systems that ask for it.
 * @param label the name of the id there, for example 契約ID
 */
export function CopyId({ label, id }: { label: string; id: string }) {
  return (
    <Button
      tone="quiet"
      icon={<IconCopy size={16} aria-hidden />}
      title={`${label}をコピーします`}
      onClick={() => void copyWithToast(id, label)}
    >
      {`${label} ${id}`}
    </Button>
  )
}
