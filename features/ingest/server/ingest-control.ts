import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseDay } from '@pc/domain/month/day.ts'
import { isContentDataset } from './checking/dataset-columns.ts'
import type { IngestContext } from './ingest-context.ts'
import { createKey, listKeys, revokeKey } from './ingest-key-commands.ts'
import { abandonBatch } from './publishing/abandon-batch.ts'
import { replayContents } from './publishing/replay-contents.ts'
import { replayDay } from './publishing/replay-day.ts'

type ControlRoute = (context: IngestContext, query: URLSearchParams) => Promise<object>

/** What only the operator may do, over the control socket. A refusal is an answer with `message`, which the command prints. */
const ROUTES: Readonly<Record<string, ControlRoute>> = {
  'keys/create': (context, query) => createKey(context, query.get('name') ?? ''),
  'keys/list': async context => ({ keys: await listKeys(context) }),
  'keys/revoke': async (context, query) => ({ revoked: await revokeKey(context, query.get('id') ?? '') }),
  abandon: (context, query) => abandonBatch(context, query.get('batch') ?? ''),
  replay: async (context, query) => {
    const of = query.get('of') ?? ''
    if (isContentDataset(of)) return replayContents(context, of)
    const day = parseDay(of)
    return day ? replayDay(context, day) : { message: '日付は YYYY-MM-DD で指定してください。' }
  },
}

/** @returns false, with the request untouched, when `name` is none of the commands. Their bodies are not read. */
export async function answerControl(
  context: IngestContext,
  name: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const route = request.method === 'POST' && Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
  if (!route) return false
  // No command has a body; an unread one would keep the connection waiting.
  request.resume()
  const answer = await route(context, url.searchParams)
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(`${JSON.stringify(answer)}\n`)
  return true
}
