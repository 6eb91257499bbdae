/** A mail to one recipient, whose address has been checked with {@link mailAddress}. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same content for readers that show HTML. */
  readonly html?: string | undefined
}

export interface SendingOptions {
  /** Aborts the SMTP conversation. The mail is then unsent, unless the server has already accepted it. */
  readonly signal?: AbortSignal | undefined
  /** Message-ID part that stays the same for every attempt, so that mailboxes recognise a duplicate. */
  readonly id?: string | undefined
}

export type SendMail = (mail: Mail, options?: SendingOptions) => Promise<void>

/** One strict address: ASCII without quoting, comments or line breaks; at most 254 characters (RFC 5321). */
const ADDRESS =
  /^(?=.{3,254}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,16}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/**
 * The canonical spelling of an address for storing and comparing; undefined when it is not valid. Control characters
 * make it invalid and are not stripped.
 */
export function mailAddress(typed: string): string | undefined {
  if (/\p{Cc}/u.test(typed)) return undefined
  const address = typed.normalize('NFKC').trim().toLowerCase()
  return ADDRESS.test(address) ? address : undefined
}

/** The message for nodemailer. It is built from checked parts only, so that user input cannot inject headers. */
export function checkedMessage(mail: Mail, from: string, sentAtMs: number) {
  if (mailAddress(mail.to) !== mail.to) throw new Error('not a mail address')
  // All control characters are replaced, above all line breaks (header injection).
  const subject = mail.subject.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return {
    from: { name: 'Publisher Center', address: from },
    to: { name: '', address: mail.to },
    subject,
    date: new Date(sentAtMs),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    textEncoding: 'base64' as const,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
