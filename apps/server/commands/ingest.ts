import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseDay } from '@pc/domain/month/day.ts'
import {
  CONTENT_DATASETS,
  DATASETS,
  isContentDataset,
  isDataset,
} from '@pc/features/ingest/server/checking/dataset-columns.ts'
import type { ImportProgress } from '@pc/features/ingest/server/import-request.ts'
import { dryRunSummary, importSummary, replaySummary } from '@pc/features/ingest/server/import-summary.ts'
import {
  type FileRequest,
  type IngestAdmin,
  localIngestAdmin,
  remoteIngestAdmin,
} from '@pc/features/ingest/server/ingest-admin.ts'
import { ingestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { INGEST_MESSAGES } from '@pc/features/ingest/server/ingest-messages.ts'
import { redoUnfinishedImports } from '@pc/features/ingest/server/publishing/redo-unfinished-imports.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { type Config, ConfigError, readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { AlreadyRunning } from '@pc/platform/postgres/folder-claim.ts'
import { StatsStoreError } from '@pc/platform/stats/stats-store-error.ts'
import { AlreadyRunningError, claimDataFolder } from '../data-folder.ts'
import { openStores } from '../open-stores.ts'
import { printFailure, UsageError } from './print-failure.ts'

const USAGE = `使い方:
  npm run ingest -- <データセット> <ファイル…> [--quarantine]
  npm run ingest -- <ファイル…>                                    データセットを列名から決めます
  npm run ingest -- [データセット] <ファイル…> --dry-run            検査だけをして、何も取り込みません
  npm run ingest -- <データセット> <ファイル> --batch-id <ID>      同じIDの前の内容を置き換えます
  npm run ingest -- <データセット> <ファイル> --replaces <バッチID>  指定したバッチを置き換えます
  npm run ingest -- replay <YYYY-MM-DD>                            元のファイルから作り直して照合します
  npm run ingest -- replay articles | replay videos                記事・動画の内容を照合します
  npm run ingest -- abandon <バッチID または番号>                  反映できない取り込みを中止します
  npm run ingest -- keys create <名前> | keys list | keys revoke <番号>
データセット：${DATASETS.join('、')}（形式は docs/manual/ingest.md）`

/** Other exit codes come from `printFailure`: 1 for a fault, 2 for wrong usage. */
const EXIT = { done: 0, refused: 3 } as const

/** Errors whose message is shown to the person without a stack. */
const EXPECTED = [ConfigError, AlreadyRunning, AlreadyRunningError, StatsStoreError]

main().then(
  code => {
    process.exitCode = code
  },
  (error: Error) => {
    process.exitCode = printFailure(error, USAGE, () => EXPECTED.some(kind => error instanceof kind))
  },
)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    strict: true,
    options: {
      'batch-id': { type: 'string' },
      replaces: { type: 'string' },
      quarantine: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [command, ...rest] = positionals
  const work = workOf(command, rest, values)
  return withIngestAdmin(readConfig(process.env), work)
}

type Work = (admin: IngestAdmin) => Promise<number>
interface Options {
  readonly 'batch-id'?: string | undefined
  readonly replaces?: string | undefined
  readonly quarantine: boolean
  readonly 'dry-run': boolean
}

/** Parses the command line completely before a store is opened. @throws UsageError */
function workOf(command: string | undefined, rest: readonly string[], options: Options): Work {
  if (command === undefined) throw new UsageError('データセットを指定してください。')
  if (command === 'keys') return keysWork(rest)
  if (command === 'abandon') {
    const [batch] = rest
    if (batch === undefined || rest.length > 1)
      throw new UsageError('中止する取り込みのバッチIDか番号を1つ指定してください。')
    return async admin => {
      const { isDone, message } = await admin.abandon(batch)
      console.log(message)
      return isDone ? EXIT.done : EXIT.refused
    }
  }
  if (command === 'replay') {
    const [given = ''] = rest
    const of = isContentDataset(given) ? given : parseDay(given)
    if (!of) throw new UsageError(`日付を YYYY-MM-DD で、または ${CONTENT_DATASETS.join('、')} を指定してください。`)
    return async admin => {
      const report = await admin.replay(of)
      console.log(replaySummary(report))
      return report.differences === 0 ? EXIT.done : EXIT.refused
    }
  }
  const isFile = (name: string) => fs.statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
  if (!isDataset(command) && !isFile(command)) throw new UsageError(INGEST_MESSAGES.notADataset(command, DATASETS))
  const [dataset, files] = isDataset(command) ? [command, rest] : [undefined, [command, ...rest]]
  if (files.length === 0) throw new UsageError('ファイルを指定してください。')
  const isNamed = options['batch-id'] !== undefined || options.replaces !== undefined
  if (isNamed && files.length > 1)
    throw new UsageError('--batch-id と --replaces は、ファイルが1つのときだけ使えます。')
  const missing = files.filter(file => !isFile(file))
  if (missing.length > 0) throw new UsageError(`ファイルがありません：${missing.join('、')}`)
  return async admin => {
    let refused = 0
    for (const file of files) {
      const { 'batch-id': batchId, replaces, quarantine } = options
      const bar = progressBar(file)
      const request = { dataset, file, batchId, replaces, quarantine, onProgress: bar.show }
      const { status, text } = await (options['dry-run'] ? tryFile : importFile)(admin, request).finally(bar.end)
      console.log(text)
      if (status === 'refused') refused += 1
    }
    return refused > 0 ? EXIT.refused : EXIT.done
  }
}

async function importFile(admin: IngestAdmin, request: FileRequest) {
  const startedAt = performance.now()
  const answer = await admin.importFile(request)
  const seconds = (performance.now() - startedAt) / 1000
  return { status: answer.status, text: importSummary(request.file, answer, seconds) }
}

async function tryFile(admin: IngestAdmin, request: FileRequest) {
  const answer = await admin.dryRunFile(request)
  return { status: answer.status, text: dryRunSummary(request.file, answer) }
}

function keysWork([action, argument]: readonly string[]): Work {
  if (action === 'create' && argument) {
    return async admin => {
      const { key, secret } = await admin.createKey(argument)
      console.error(
        `APIキー「${key.name}」（番号 ${key.id}）を作りました。次の行は今だけ表示します。安全な場所に保管してください。`,
      )
      console.log(secret)
      return EXIT.done
    }
  }
  if (action === 'list') {
    return async admin => {
      for (const { id, name, createdAt, lastUsedAt, revokedAt } of await admin.listKeys()) {
        const state = revokedAt ? `${revokedAt} に失効` : `最終利用 ${lastUsedAt ?? 'なし'}`
        console.log(`${id}\t${name}\t${createdAt} に作成\t${state}`)
      }
      return EXIT.done
    }
  }
  if (action === 'revoke' && argument) {
    return async admin => {
      const isRevoked = await admin.revokeKey(argument)
      console.log(isRevoked ? `APIキー ${argument} を失効させました。` : `有効なAPIキー ${argument} はありません。`)
      return isRevoked ? EXIT.done : EXIT.refused
    }
  }
  throw new UsageError('keys create <名前>、keys list、keys revoke <番号> のいずれかを指定してください。')
}

/** Uses the server that runs on this data folder, if any; otherwise opens the stores in this process. */
async function withIngestAdmin(config: Config, work: Work): Promise<number> {
  const socketPath = await runningServer(config.dataDir)
  if (socketPath !== undefined) return work(remoteIngestAdmin(socketPath))
  // With external stores, this process may work beside a running system.
  if (config.databaseUrl !== undefined && config.clickhouseUrl !== undefined) return withOwnStores(config, work)
  const folder = claimDataFolder(config.dataDir, 'server')
  try {
    return await withOwnStores(config, work)
  } finally {
    folder.release()
  }
}

async function withOwnStores(config: Config, work: Work): Promise<number> {
  const onProgress = (message: string) => console.error(message)
  const stores = await openStores({ config, log: openLog('warn'), onProgress })
  try {
    const context = ingestContext(config, { ...stores, clock: systemClock })
    const { finished, repaired, failed, unknownBatchNos } = await redoUnfinishedImports(context)
    for (const batchId of finished) console.error(`前回中断した取り込みを完了しました：${batchId}`)
    for (const batchId of repaired) console.error(`統計データを元のファイルから修復しました：${batchId}`)
    for (const { batchId, error } of failed)
      console.error(`取り込みを完了できません：${batchId}（${error instanceof Error ? error.message : error}）`)
    if (unknownBatchNos.length > 0) {
      console.error(
        `台帳にない統計データがあります（バッチ番号 ${unknownBatchNos.join('、')}）。管理者に連絡してください。`,
      )
    }
    return await work(localIngestAdmin(context))
  } finally {
    await stores.close()
  }
}

async function runningServer(dataDir: string): Promise<string | undefined> {
  let controlSocket: unknown
  try {
    controlSocket = JSON.parse(fs.readFileSync(path.join(dataDir, 'run', 'server.json'), 'utf8')).controlSocket
  } catch {
    return undefined
  }
  if (typeof controlSocket !== 'string') return undefined
  const isListening = await new Promise<boolean>(resolve => {
    const socket = net.connect(controlSocket)
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
  return isListening ? controlSocket : undefined
}

const BAR_WIDTH = 24

/** A progress bar on a terminal; otherwise one line for each step. */
function progressBar(file: string): { show: (progress: ImportProgress) => void; end: () => void } {
  const total = fs.statSync(file).size
  const name = path.basename(file)
  const isTerminal = process.stderr.isTTY === true
  let shown = ''
  const write = (text: string) => {
    if (text === shown) return
    shown = text
    process.stderr.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`)
  }
  return {
    show(progress) {
      const { label, share } = stepOf(progress, total)
      if (!isTerminal) return write(`${name}: ${label}`)
      const filled = Math.round(share * BAR_WIDTH)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
      write(`${name} ${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)}%`)
    },
    end() {
      if (isTerminal && shown) process.stderr.write('\r\u001b[2K')
    },
  }
}

function stepOf(progress: ImportProgress, totalBytes: number): { label: string; share: number } {
  switch (progress.step) {
    case 'receive':
      return { label: '読み込み中', share: totalBytes > 0 ? Math.min(1, progress.bytes / totalBytes) : 1 }
    case 'wait':
      return { label: '検査・反映中', share: 0 }
    case 'check':
      return { label: '検査中', share: Math.min(1, Math.max(0, progress.share)) }
    case 'publish':
      return { label: '反映中', share: 1 }
  }
}
