import { makeFirstAdminLink } from '@pc/features/sign-in/server/first-admin.ts'
import type { Parts } from './compose.ts'

/** What somebody who starts an unused system has to know. */
export interface FirstRun {
  /** The one-time address where the first administrator is made; undefined when there are users. */
  readonly firstAdminLink: string | undefined
}

/** An empty system offers a link to whoever can read its output, because nobody could sign in otherwise. */
export async function prepareFirstRun(parts: Parts, _onProgress: (message: string) => void): Promise<FirstRun> {
  const { config, database } = parts
  const firstAdminLink = config.isOidcEmbedded ? await makeFirstAdminLink(database, config.webOrigin) : undefined
  return { firstAdminLink }
}
