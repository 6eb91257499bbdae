import { IconCopy } from '@tabler/icons-react'
import { Button } from './button.tsx'
import { copyWithToast } from './copy-with-toast.ts'

/** A record's id where files and other systems ask for it; pressed, it is copied. @param label what they call it: 契約ID */
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
