import type { PracticeSystem } from '@pc/features/practice/server/practice-store.ts'
import { type Config, ConfigError } from '@pc/platform/config.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { SafePost } from '@pc/platform/http/safe-post.ts'
import type { JobHandler } from '@pc/platform/jobs/job-kind.ts'

/**
 * Changes the settings of a practice system so that it contacts nobody: mails become files, no other system is called.
 * It applies to every start on a practice copy, because the database says what it is.
 * @throws ConfigError when it would use the statistics of another system
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
    // A key file is created in its own folder.
    secretsKeys: [],
    stagingInsightApi: undefined,
    stagingInsightToken: undefined,
    ga4MeasurementId: undefined,
    tracesEndpoint: undefined,
    launcherServices: config.launcherServices.filter(path => path === '/gpc/' || path === '/iam/'),
  }
}

/** A fetch that always fails, as without a network. */
export const fetchNothing: SafeFetch = async () => ({ ok: false, problem: 'url-not-allowed' })
export const postNothing: SafePost = async () => ({ problem: 'url-not-allowed' })

/** Jobs that run in a practice system. New jobs do not run there until they are added here. */
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

/** The handlers that a practice system runs; all of them in a real system. */
export function practiceHandlers(
  handlers: readonly JobHandler[],
  practice: PracticeSystem | undefined,
): readonly JobHandler[] {
  return practice ? handlers.filter(({ kind }) => PRACTICE_JOBS.has(kind.name)) : handlers
}
