import fs from 'node:fs'
import path from 'node:path'
import type { Finding } from './audit-answer.ts'

/**
 * A published vulnerability in the format of osv.dev (https://ossf.github.io/osv-schema/), with the fields that are
 * used here.
 */
export interface Advisory {
  readonly id: string
  readonly summary?: string
  readonly withdrawn?: string
  readonly database_specific?: { readonly severity?: string }
  readonly affected?: readonly {
    readonly package?: { readonly ecosystem: string; readonly name: string }
    readonly versions?: readonly string[]
    readonly ranges?: readonly { readonly type: string; readonly events: readonly AdvisoryEvent[] }[]
  }[]
}
interface AdvisoryEvent {
  readonly introduced?: string
  readonly fixed?: string
  readonly last_affected?: string
}
export interface LockedPackage {
  readonly name: string
  readonly version: string
}

/** The packages of the lock file; each name and version once. */
export function lockedPackages(lockFile: string, omitDev: boolean): LockedPackage[] {
  const { packages } = JSON.parse(fs.readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { name?: string; version?: string; dev?: boolean; link?: boolean }>
  }
  const found = new Map<string, LockedPackage>()
  for (const [place, { name: alias, version, dev, link }] of Object.entries(packages)) {
    const at = place.lastIndexOf('node_modules/')
    if (at < 0 || link || version === undefined || (omitDev && dev)) continue
    const name = alias ?? place.slice(at + 'node_modules/'.length)
    found.set(`${name}@${version}`, { name, version })
  }
  return [...found.values()]
}

/** Every advisory of a folder of JSON files, for example of the unpacked `npm/all.zip` of osv.dev. */
export function readAdvisories(folder: string): Advisory[] {
  const files = fs.globSync('**/*.json', { cwd: folder })
  if (files.length === 0) throw new Error(`${folder} holds no advisories: unpack the export of osv.dev for npm there.`)
  return files.map(file => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as Advisory)
}

/** Known vulnerabilities of the locked packages; one finding for each package and version. */
export function findKnown(advisories: readonly Advisory[], packages: readonly LockedPackage[]): Finding[] {
  const byName = Map.groupBy(packages, ({ name }) => name)
  const found = new Map<string, Finding>()
  for (const { id, summary, withdrawn, affected = [], database_specific: specific } of advisories) {
    if (withdrawn !== undefined) continue
    for (const each of affected) {
      if (each.package?.ecosystem !== 'npm') continue
      for (const { name, version } of byName.get(each.package.name) ?? []) {
        const isHit = each.versions?.includes(version) || each.ranges?.some(range => isInRange(version, range))
        if (!isHit) continue
        const before = found.get(`${name}@${version}`)
        const hasFix = each.ranges?.some(({ events }) => events.some(({ fixed }) => fixed !== undefined)) ?? false
        found.set(`${name}@${version}`, {
          name: `${name} ${version}`,
          severity: worse(before?.severity, specific?.severity?.toLowerCase() ?? 'moderate'),
          titles: [...(before?.titles ?? []), `${id} ${summary ?? ''}`.trim()],
          hasFix: (before?.hasFix ?? true) && hasFix,
        })
      }
    }
  }
  return [...found.values()].toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))
}

const SEVERITIES = ['low', 'moderate', 'high', 'critical']

function worse(one: string | undefined, other: string): string {
  return one !== undefined && SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other) ? one : other
}

/** Whether a version is affected: the last event at or before it decides. */
function isInRange(
  version: string,
  range: { readonly type: string; readonly events: readonly AdvisoryEvent[] },
): boolean {
  if (range.type !== 'SEMVER') return false
  const events = range.events
    .map(event => ({ event, at: event.introduced ?? event.fixed ?? event.last_affected ?? '' }))
    .filter(({ at }) => at !== '')
    .toSorted((a, b) => compareVersions(a.at, b.at))
  let isAffected = false
  for (const { event, at } of events) {
    const order = compareVersions(at, version)
    if (event.introduced !== undefined && order <= 0) isAffected = true
    if (event.fixed !== undefined && order <= 0) isAffected = false
    if (event.last_affected !== undefined && order < 0) isAffected = false
  }
  return isAffected
}

/** Compares semantic versions (semver.org, section 11); `0` is lower than all. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let n = 0; n < 3; n += 1) {
    const difference = (left.numbers[n] ?? 0) - (right.numbers[n] ?? 0)
    if (difference !== 0) return difference
  }
  if (left.before.length === 0 || right.before.length === 0) return right.before.length - left.before.length
  for (let n = 0; n < Math.max(left.before.length, right.before.length); n += 1) {
    const [one, other] = [left.before[n], right.before[n]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    if (one === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber && isOtherNumber) return Number(one) - Number(other)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return one < other ? -1 : 1
  }
  return 0
}

/** The numbers of a version, and the parts of its pre-release tag. */
function partsOf(version: string): { readonly numbers: readonly number[]; readonly before: readonly string[] } {
  const [release = '', ...before] = (version.split('+')[0] ?? '').split('-')
  return { numbers: release.split('.').map(Number), before: before.length > 0 ? before.join('-').split('.') : [] }
}
