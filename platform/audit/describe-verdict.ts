import { type AuditVerdict, NO_ANCHOR } from './verify-audit-chain.ts'

export interface DescribedVerdict {
  readonly text: string
  readonly exitCode: 0 | 1 | 3
}

/**
 * Text and exit code of `npm run audit -- verify`: 0 whole, 1 not whole, 3 when there is no anchor. A copy of the
 * system that has never run has no anchor, and a removed anchor file looks the same, so 3 is neither success nor
 * failure. Tested by `platform/audit/audit-log.test.ts`.
 */
export function describeVerdict(
  { rows, anchoredUpTo, problems }: Pick<AuditVerdict, 'rows' | 'anchoredUpTo' | 'problems'>,
  file: string,
): DescribedVerdict {
  if (problems.length === 1 && problems[0] === NO_ANCHOR) {
    const text =
      `The audit log's chain holds: ${rows} rows. Nothing confirms it: there is no anchor in ${file}. ` +
      'A running system writes the first one within five minutes; where there was one before, the file has been removed.'
    return { text, exitCode: 3 }
  }
  const state = problems.length === 0 ? 'whole' : 'NOT whole'
  const text = `The audit log is ${state}: ${rows} rows, ${anchoredUpTo} confirmed by ${file}`
  return { text: [...problems, text].join('\n'), exitCode: problems.length === 0 ? 0 : 1 }
}
