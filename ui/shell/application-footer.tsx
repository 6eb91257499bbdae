import { todayInTokyo } from '../text/clock-day.ts'

/** The footer of every screen: the manual's page about it and, if the operator has set one, a support contact. */
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
