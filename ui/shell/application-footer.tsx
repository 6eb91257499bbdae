import { todayInTokyo } from '../text/clock-day.ts'

/** On every screen: the page of the manual about it, and whom to ask where the operator has named somebody. */
export function ApplicationFooter({ help, contact }: { help: string; contact: string | undefined }) {
  return (
    <>
      <span>© {todayInTokyo().slice(0, 4)} Publisher Center</span>
      <a href={help} target="_blank" rel="noreferrer">
        <span aria-hidden>？</span>この画面の使い方
      </a>
      {contact !== undefined && (
        <span>
          お問い合わせ：<a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
        </span>
      )}
    </>
  )
}
