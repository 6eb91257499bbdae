import { hasHiddenCharacter } from '../text/name-text.ts'

/** In characters. */
const MAX_FILE_NAME = 200

/**
 * The file name without folders and with characters replaced that file systems do not allow, ending in `.pdf`;
 * undefined when there is no usable name.
 * Tested by `domain/agreement/contract-renewal.test.ts`.
 */
export function documentFileName(sent: string): string | undefined {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1)?.trim() ?? ''
  const name = last.replaceAll(/[<>:"|?*]/g, '_')
  if (name === '' || name.startsWith('.') || hasHiddenCharacter(name)) return undefined
  const whole = /\.pdf$/i.test(name) ? name : `${name}.pdf`
  return [...whole].length <= MAX_FILE_NAME ? whole : undefined
}
