/** A mail to one person. The recipient has been checked to be one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same content for readers that show HTML. */
  readonly html?: string | undefined
}

export interface SendingOptions {
  /** Ends the conversation with the server; until the server has taken a mail, that leaves it unsent. */
  readonly signal?: AbortSignal | undefined
  /** The same at every attempt to send the same words, so that a mailbox that gets them twice can tell. */
  readonly id?: string | undefined
}

export type SendMail = (mail: Mail, options?: SendingOptions) => Promise<void>

/** One strict address: ASCII, no quoting, no comments, no line breaks; at most 254 characters (RFC 5321). */
const ADDRESS =
  /^(?=.{3,254}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,16}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The one spelling of an address that is stored and compared, or undefined when it is no address. Control characters are refused, not cut off. */
export function mailAddress(typed: string): string | undefined {
  if (/\p{Cc}/u.test(typed)) return undefined
  const address = typed.normalize('NFKC').trim().toLowerCase()
  return ADDRESS.test(address) ? address : undefined
}

/** What nodemailer is given. A mail is built from checked parts only, so that no text of a user becomes a header. */
export function checkedMessage(mail: Mail, from: string, sentAtMs: number) {
  if (mailAddress(mail.to) !== mail.to) throw new Error('not a mail address')
  // Every control character, line breaks first of all.
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
