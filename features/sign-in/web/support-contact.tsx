import styles from './sign-in.module.css'

/** The operator's contact for people who cannot continue; nothing when none is set. */
export function SupportContact({ contact }: { contact: string | undefined }) {
  if (contact === undefined) return null
  return (
    <p className={styles.support}>
      お問い合わせ：<a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
    </p>
  )
}
