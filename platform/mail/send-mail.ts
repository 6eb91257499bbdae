/** A mail of plain text. The recipient has been checked to be one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export type SendMail = (mail: Mail) => Promise<void>

/** One strict address: ASCII, no quoting, no comments, no line breaks; at most 254 characters (RFC 5321). */
const ADDRESS =
  /^(?=.{3,254}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,16}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The one spelling of an address that is stored and compared, or undefined when it is none. */
export function mailAddress(typed: string): string | undefined {
  const address = typed.normalize('NFKC').trim().toLowerCase()
  return ADDRESS.test(address) ? address : undefined
}
