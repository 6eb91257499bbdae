import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { compareBigints } from '../money/allocate.ts'
import type { YearMonth } from '../month/year-month.ts'
import { canonicalText } from './canonical-text.ts'

/** SHA-256 of a text in UTF-8, as lower-case hex. Passed in, because the domain has no cryptography. */
export type HashText = (text: string) => string

/** What is hashed for one agreement: its frozen input, its result, and whatever else belongs to the snapshot. */
export interface AgreementSnapshot {
  readonly agreementId: bigint
  readonly content: unknown
}

/** One finalised month of one medium in the hash chain. */
export interface ChainLink {
  readonly mediumId: bigint
  readonly month: YearMonth
  /** Hash of the month before; null for the medium's first finalised month. */
  readonly previousHash: string | null
  /** Hash of what belongs to no single agreement: settings, tables, pools, data version. */
  readonly headHash: string
  /** Ascending by agreement id. */
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

/** {@link chainLink} as a generator that yields after each agreement. */
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
  /** The agreement whose snapshot was changed; null for the month's own part. */
  readonly agreementId: bigint | null
}

/**
 * Verifies a medium's chain, oldest month first; an empty list means that nothing was changed.
 * Tested by `domain/statement/statement.test.ts`.
 * @internal Tests call it.
 */
export function verifyChain(...given: Parameters<typeof verifyChainSteps>): readonly ChainBreak[] {
  return runSync(verifyChainSteps(...given))
}

/**
 * {@link verifyChain} as a generator that yields after each agreement.
 * @param contentOf the stored content of an agreement's snapshot, or of the month's head for null; undefined when it is
 * gone
 * @param startHash the hash of the month before the first link; null when the chain begins there
 */
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
