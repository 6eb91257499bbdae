import styles from './problem-list.module.css'

/**
 * The server's refusals, one line each.
 * @param className margins of the place
 */
export function ProblemList({ texts, className }: { texts: readonly string[]; className?: string | undefined }) {
  if (texts.length === 0) return null
  return (
    <div role="alert" className={className}>
      <ul className={styles.problems}>
        {texts.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
