import styles from './change-table.module.css'
import type { FieldChange } from './form-frame.ts'

/** Fields with their old and new values. */
export function ChangeTable(props: {
  caption: string
  changes: readonly FieldChange[]
  before: string
  after: string
}) {
  return (
    <table className={styles.changeTable}>
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">項目</th>
          <th scope="col">{props.before}</th>
          <th scope="col">{props.after}</th>
        </tr>
      </thead>
      <tbody>
        {props.changes.map(change => (
          <tr key={change.name}>
            <th scope="row">{change.label}</th>
            <td>
              <del>{change.before}</del>
            </td>
            <td>
              <ins>{change.after}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
