import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

/** A process id with its start time, because the operating system reuses ids. */
export interface ProcessIdentity {
  readonly pid: number
  /** Start time in a platform-specific unit; only compared for equality. */
  readonly startedAt: string
}

export function thisProcess(): ProcessIdentity {
  return identityOf(process.pid) ?? { pid: process.pid, startedAt: '' }
}

/** Identity of a running process; undefined: there is none with this id. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = startOf(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

/** Whether exactly this process still runs, and not a later one with the same id. */
export function isAlive(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.startedAt
}

/** The command line of a running process; undefined when there is none. */
export function commandLineOf(pid: number): string | undefined {
  if (process.platform === 'linux') return readOrUndefined(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') || undefined
  return ps(pid, 'command')
}

/** Start time as an opaque text; undefined: there is no such process, or only its zombie. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart')
  const stat = readOrUndefined(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // /proc/<pid>/stat: the second field is the program's name in parentheses and may contain spaces. Field 3 is the
  // state, 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? undefined : fields[19]
}

function ps(pid: number, column: string): string | undefined {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined
}

function readOrUndefined(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
