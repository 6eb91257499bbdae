import styles from './service-launcher.module.css'
import type { Service } from './service-list.ts'

/** The services that the viewer may open, as the launcher lists them. */
export function ServiceLinks({ services, currentLink }: { services: readonly Service[]; currentLink: string }) {
  return (
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
  )
}
