/** The confirmation that a transfer is late by law; without it the transfer is refused. */
export function LateAcknowledgement(props: { isChecked: boolean; onChange: (isChecked: boolean) => void }) {
  return (
    <label>
      <input type="checkbox" checked={props.isChecked} onChange={event => props.onChange(event.target.checked)} />{' '}
      法定の期限を過ぎることを確認しました。この日に振り込みます。
    </label>
  )
}
