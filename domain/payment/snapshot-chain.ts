import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { compareBigints } from '../money/allocate.ts'
import type { YearMonth } from '../month/year-month.ts'
import { canonicalText } from './canonical-text.ts'

/** SHA-256 of a text in UTF-8 as lower-case hex; passed in because the domain has no cryptography of its own. */
export type HashText = (text: string) => string

/** What is hashed for one agreement: its frozen input, the result, and whatever else belongs to the snapshot. */
export interface AgreementSnapshot {
  readonly agreementId: bigint
  readonly content: unknown
}

/** One finalised month of one medium in the chain. */
export interface ChainLink {
  readonly mediumId: bigint
  readonly month: YearMonth
  /** Hash of the month before; null for the first finalised month of the medium. */
  readonly previousHash: string | null
  /** Everything of the month that belongs to no single agreement: settings, tables, pools, data version. */
  readonly headHash: string
  /** By agreement id. */
  readonly agreementHashes: readonly { readonly agreementId: bigint; readonly hash: string }[]
  readonly hash: string
}

function snapshotHash(content: unknown, hash: HashText): string {
  return hash(canonicalText(content))
}

/**
 * The link of a month that is being finalised. Agreements may come in any order.
 * @internal Tests call it.
 */
export function chainLink(...given: Parameters<typeof chainLinkSteps>): ChainLink {
  return runSync(chainLinkSteps(...given))
}

/** The same, agreement by agreement. */
export function* chainLinkSteps(
  month: { readonly mediumId: bigint; readonly month: YearMonth; readonly head: unknown },
  snapshots: Iterable<AgreementSnapshot>,
  previousHash: string | null,
  hash: HashText,
): CooperativeSteps<ChainLink> {
  const hashed: { readonly agreementId: bigint; readonly hash: string }[] = []
  for (const { agreementId, content } of snapshots) {
    hashed.push({ agreementId, hash: snapshotHash(content, hash) })
    yield
  }
  const agreementHashes = hashed.toSorted((a, b) => compareBigints(a.agreementId, b.agreementId))
  const link = {
    mediumId: month.mediumId,
    month: month.month,
    previousHash,
    headHash: snapshotHash(month.head, hash),
    agreementHashes,
  }
  return { ...link, hash: snapshotHash(link, hash) }
}

export interface ChainBreak {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly kind: 'link-altered' | 'previous-differs' | 'content-altered' | 'snapshot-missing'
  /** The agreement whose snapshot was altered; null when it is the month's own part. */
  readonly agreementId: bigint | null
}

/**
 * Recomputes a medium's chain, oldest month first. `contentOf` gives the stored content of an agreement's snapshot (or the
 * month's head for null), undefined when it is gone. `startHash` is the hash of the month before the first link, null when
 * the chain begins there. An empty list proves that nothing was altered.
 * @internal Tests call it.
 */
export function verifyChain(...given: Parameters<typeof verifyChainSteps>): readonly ChainBreak[] {
  return runSync(verifyChainSteps(...given))
}

/** The same, agreement by agreement. */
export function* verifyChainSteps(
  links: readonly ChainLink[],
  contentOf: (link: ChainLink, agreementId: bigint | null) => unknown,
  hash: HashText,
  startHash: string | null = null,
): CooperativeSteps<readonly ChainBreak[]> {
  const breaks: ChainBreak[] = []
  let previousHash = startHash
  for (const link of links) {
    const note = (kind: ChainBreak['kind'], agreementId: bigint | null = null) =>
      breaks.push({ mediumId: link.mediumId, month: link.month, kind, agreementId })
    const { hash: storedHash, ...content } = link
    if (snapshotHash(content, hash) !== storedHash) note('link-altered')
    if (link.previousHash !== previousHash) note('previous-differs')
    for (const { agreementId, hash: expected } of [
      { agreementId: null, hash: link.headHash },
      ...link.agreementHashes,
    ]) {
      const stored = contentOf(link, agreementId)
      if (stored === undefined) note('snapshot-missing', agreementId)
      else if (snapshotHash(stored, hash) !== expected) note('content-altered', agreementId)
      yield
    }
    previousHash = storedHash
  }
  return breaks
}
