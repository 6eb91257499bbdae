import styles from './problem-list.module.css'

/** What the server refuses, one line each. @param className where it stands: its margins */
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
