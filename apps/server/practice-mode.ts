import type { PracticeSystem } from '@pc/features/practice/server/practice-store.ts'
import { type Config, ConfigError } from '@pc/platform/config.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { SafePost } from '@pc/platform/http/safe-post.ts'
import type { JobHandler } from '@pc/platform/jobs/job-kind.ts'

/**
 * A practice system reaches nobody, whatever its settings say: mails are files in its own folder, no other system is
 * asked or told anything. Holds for every start on a practice copy, because the database says what it is.
 * @throws ConfigError when its statistics would be those of another system
 */
export function harmlessConfig(config: Config, practice: PracticeSystem | undefined): Config {
  if (!practice) return config
  if (config.clickhouseUrl !== undefined)
    throw new ConfigError('CLICKHOUSE_URL is set, but this is a practice system: it works on its own copy only.')
  return {
    ...config,
    makesDemoData: false,
    smtpUrl: undefined,
    mailFrom: 'no-reply@practice.example',
    objectsUrl: undefined,
    clamdAddress: undefined,
    // Its own is made in its own folder.
    secretsKeys: [],
    stagingInsightApi: undefined,
    stagingInsightToken: undefined,
    ga4MeasurementId: undefined,
    tracesEndpoint: undefined,
    launcherServices: config.launcherServices.filter(path => path === '/gpc/' || path === '/iam/'),
  }
}

/** As if there were no network. */
export const fetchNothing: SafeFetch = async () => ({ ok: false, problem: 'url-not-allowed' })
export const postNothing: SafePost = async () => ({ problem: 'url-not-allowed' })

/** What a practice needs; whatever else works automatically stays off until somebody has thought about it. */
const PRACTICE_JOBS: ReadonlySet<string> = new Set([
  ...[
    'mail',
    'people-mail',
    'account-mail',
    'account-change-mail',
    'bank-account-notice',
    'question-notice',
    'statement-notice',
  ],
  ...['dividend', 'settle-month', 'settlement-nightly', 'statistics-changed', 'deem-statements'],
  ...[
    'audit-anchor',
    'forget-idempotency-keys',
    'forget-imports',
    'merge-search-counts',
    'compact-statistics',
    'import-bank-master',
  ],
])

export function practiceHandlers(
  handlers: readonly JobHandler[],
  practice: PracticeSystem | undefined,
): readonly JobHandler[] {
  return practice ? handlers.filter(({ kind }) => PRACTICE_JOBS.has(kind.name)) : handlers
}
