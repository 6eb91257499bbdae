import type { PracticeSystem } from '@pc/features/practice/server/practice-store.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import { openSafeFetch, type SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { openSafePost, type SafePost } from '@pc/platform/http/safe-post.ts'
import type { Log } from '@pc/platform/log.ts'
import { openMail } from '@pc/platform/mail/open-mail.ts'
import type { SendMail } from '@pc/platform/mail/send-mail.ts'
import { type DocumentUploads, openDocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import { type ImageUploads, openImageUploads } from '@pc/platform/objects/image-uploads.ts'
import { clamdScanner } from '@pc/platform/objects/scan-file.ts'
import type { DemoFeedSites } from './demo/feed-sites.ts'
import { fetchNothing, postNothing } from './practice-mode.ts'

/**
 * All contacts to the outside: mail, feeds, webhooks and files. A practice system gets versions that contact nobody.
 */
export interface OutsideWorld {
  readonly sendMail: SendMail
  readonly safeFetch: SafeFetch
  readonly safePost: SafePost
  readonly imageUploads: ImageUploads
  readonly documentUploads: DocumentUploads
  /** The demonstration's own feeds under reserved host names; undefined without demonstration data. */
  readonly demoSites: DemoFeedSites | undefined
}

interface Opening {
  readonly config: Config
  readonly practice: PracticeSystem | undefined
  readonly log: Log
  readonly clock: Clock
  /** Default: the public internet and, with demonstration data, the demonstration's feeds. */
  readonly safeFetch: SafeFetch | undefined
  /** Default: the public internet. */
  readonly safePost: SafePost | undefined
}

export async function openOutsideWorld({ config, practice, log, clock, ...given }: Opening): Promise<OutsideWorld> {
  const demoSites =
    config.makesDemoData && !given.safeFetch
      ? (await import('./demo/feed-sites.ts')).openDemoFeedSites(clock, openSafeFetch())
      : undefined
  const scanFile = config.clamdAddress === undefined ? undefined : clamdScanner(config.clamdAddress, log)
  return {
    sendMail: openMail(config, clock),
    safeFetch: given.safeFetch ?? demoSites?.fetch ?? (practice ? fetchNothing : openSafeFetch()),
    safePost: given.safePost ?? (practice ? postNothing : openSafePost()),
    imageUploads: openImageUploads({ ...config, clock, scanFile }),
    documentUploads: openDocumentUploads({ ...config, clock, scanFile }),
    demoSites,
  }
}
