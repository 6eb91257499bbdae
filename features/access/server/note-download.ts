import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'

const MAX_LENGTH = 200

/**
 * Records files that the console makes of rows on the screen, so that the audit log knows every file. (`recordRead`
 * records files of the server before their first byte.) During an impersonation the log also names the member of staff.
 * Tested by `features/access/server/impersonation.test.ts`.
 */
export function addDownloadNote(graph: Graph, { database }: { readonly database: Database }): void {
  graph.mutationField('noteDownload', t =>
    mutation(t, {
      description: 'Notes in the audit log that a file was made of what a screen shows.',
      type: 'Boolean',
      args: {
        fileName: t.arg.string({ required: true }),
        screen: t.arg.string({ required: true, description: 'The address inside of the application.' }),
        lines: t.arg.int({ required: true }),
      },
      // Everybody has this right: people may download the rows that they see. A malformed `screen` is recorded as '' and not
      // refused, because the entry matters more.
      allow: 'read:show',
      on: 'iam:user.',
      database,
      isAllowedWhileImpersonating: true,
      async run({ fileName, screen, lines }, write) {
        const isPlain = (text: string) => text.length > 0 && text.length <= MAX_LENGTH && !/\p{Cc}/u.test(text)
        if (!isPlain(fileName) || lines < 0) return refused(refusal('download/not-noted', ['fileName']))
        const { uid } = write.permit.viewer
        const after = { fileName, lines, screen: isPlain(screen) ? screen : '' }
        write.record({ action: 'download', resource: 'iam:user.', rowId: uid, before: null, after })
        return ok(true)
      },
    }),
  )
}
