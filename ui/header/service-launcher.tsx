import { IconGridDots } from '@tabler/icons-react'
import { Popover } from '../feedback/popover.tsx'
import header from './header.module.css'
import styles from './service-launcher.module.css'
import type { Service } from './service-list.ts'

/** The menu of services; nothing at all when no service may be listed. */
export function ServiceLauncher({ services, currentLink }: { services: readonly Service[]; currentLink: string }) {
  if (services.length === 0) return null
  return (
    <Popover
      label="サービス一覧"
      button={props => (
        <button type="button" className={header.iconButton} aria-label="サービス一覧" {...props}>
          <IconGridDots size={20} stroke={1.7} aria-hidden />
        </button>
      )}
    >
      {() => (
        <ul className={styles.services}>
          {services.map(service => (
            <li key={service.link}>
              <h3>{service.group}</h3>
              <a
                href={service.link}
                className={styles.service}
                aria-current={service.link === currentLink ? 'page' : undefined}
              >
                <i>
                  <service.icon size={22} stroke={1.6} aria-hidden />
                </i>
                <span>
                  <b>{service.title}</b>
                  <small>{service.description}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}
