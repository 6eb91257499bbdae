import type { Clock } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { demandReadableIssuerKeys, sealIssuerKeys } from '@pc/platform/oidc/signing-keys.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { areOlderProcessesReading, type SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import { sealSeeds } from './totp-seed.ts'

interface SealingDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly atRest: SecretsAtRest
}

/**
 * At every start: what cannot be read stops it, and what an earlier version kept in the clear, or an older key has sealed,
 * is sealed with the newest one.
 * @param isIssuer whether the issuer is ours; the keys of another one are not here
 * @throws SealError, in words for people
 */
export async function prepareSecrets(dependencies: SealingDependencies, isIssuer: boolean): Promise<void> {
  const { database, atRest } = dependencies
  if (isIssuer) await database.inScope(SYSTEM, tx => demandReadableIssuerKeys(tx, atRest), { readOnly: true })
  await sealSignInSecrets(dependencies)
}

/** Repeatable, by any number of processes. */
export async function sealSignInSecrets({ database, clock, atRest }: SealingDependencies): Promise<void> {
  const { keyring, isAlone } = atRest
  if (!keyring) return
  await database.inScope(SYSTEM, async tx => {
    if (!isAlone && (await areOlderProcessesReading(tx, clock.now()))) return
    await sealIssuerKeys(tx, keyring)
    await sealSeeds(tx, keyring)
  })
}

/** What a process of an earlier version wrote since, and what waited for the last of them. */
const SEAL_JOB = defineJob('seal-secrets', { cron: '*/10 * * * *', onePerKey: true })

export function sealSecretsHandler(dependencies: SealingDependencies): JobHandler {
  return handleJob(SEAL_JOB, () => sealSignInSecrets(dependencies))
}
