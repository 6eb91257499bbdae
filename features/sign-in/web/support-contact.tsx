import styles from './sign-in.module.css'

/** Where somebody who cannot go on gets help, as far as the operator has named it. */
export function SupportContact({ contact }: { contact: string | undefined }) {
  if (contact === undefined) return null
  return (
    <p className={styles.support}>
      お問い合わせ：<a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
    </p>
  )
}
