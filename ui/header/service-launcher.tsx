import { IconGridDots } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Popover } from '../feedback/popover.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import header from './header.module.css'
import type { Service } from './service-list.ts'

const ServiceLinks = lazyPart(async () => (await import('./service-links.tsx')).ServiceLinks)

/** The menu of services; nothing when no service may be listed. */
export function ServiceLauncher(props: { services: readonly Service[]; currentLink: string }) {
  if (props.services.length === 0) return null
  return (
    <Popover
      label="サービス一覧"
      button={button => (
        <button type="button" className={header.iconButton} aria-label="サービス一覧" {...button}>
          <IconGridDots size={20} stroke={1.7} aria-hidden />
        </button>
      )}
    >
      {() => (
        <Suspense>
          <ServiceLinks {...props} />
        </Suspense>
      )}
    </Popover>
  )
}
