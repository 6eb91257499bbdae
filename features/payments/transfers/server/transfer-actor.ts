import type { Clock } from '@pc/platform/clock.ts'

/** What a use case of transfers needs to know of its call. */
export interface TransferActor {
  readonly clock: Clock
  /** The person who acts. */
  readonly actorUid: string
}
