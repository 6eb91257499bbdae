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
 * Runs at every start. A signing key that cannot be read stops the start. Secrets in the clear (of an earlier version)
 * or sealed with an older key are sealed with the newest one.
 * Tested by `apps/server/sign-in-secrets.test.ts`.
 * @param isIssuer whether the issuer is ours; an external one keeps its keys itself
 * @throws SealError with a message for people
 */
export async function prepareSecrets(dependencies: SealingDependencies, isIssuer: boolean): Promise<void> {
  const { database, atRest } = dependencies
  if (isIssuer) await database.inScope(SYSTEM, tx => demandReadableIssuerKeys(tx, atRest), { readOnly: true })
  await sealSignInSecrets(dependencies)
}

/** Idempotent; any number of processes may run it at once. */
export async function sealSignInSecrets({ database, clock, atRest }: SealingDependencies): Promise<void> {
  const { keyring, isAlone } = atRest
  if (!keyring) return
  await database.inScope(SYSTEM, async tx => {
    if (!isAlone && (await areOlderProcessesReading(tx, clock.now()))) return
    await sealIssuerKeys(tx, keyring)
    await sealSeeds(tx, keyring)
  })
}

/** Seals what a process of an earlier version has written since the start, once the last such process has ended. */
const SEAL_JOB = defineJob('seal-secrets', { cron: '*/10 * * * *', onePerKey: true })

export function sealSecretsHandler(dependencies: SealingDependencies): JobHandler {
  return handleJob(SEAL_JOB, () => sealSignInSecrets(dependencies))
}
