import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import type { ImportColumn } from './import-columns.ts'

export type Refused = Refusal<RefusalCode>
/** The values of a row by column, in their canonical form; '' is empty. */
export type Cells = Readonly<Record<string, string>>

/** Ids of the records that a row names, by the column that holds the id or by the noun; `id` is the record it changes. */
export type RecordIds = Readonly<Record<string, string>>

/** A record, or a part of one, as the file would say it. */
export interface PresentRow {
  /** What the ID column of the kind holds; undefined where it has none. */
  readonly id?: string | undefined
  /** What tells rows apart that name no id. Several rows may have the same. */
  readonly key: string
  /** Undefined: the use case compares no revisions. */
  readonly revision?: number | undefined
  readonly cells: Cells
}

/** A row that is to be saved, with every column: what the file leaves out is as it was, or empty. */
export interface RowToSave {
  readonly cells: Cells
  /** As the file has it: a column that it lacks is missing. */
  readonly source: { readonly cells: Readonly<Record<string, unknown>> }
  readonly present: PresentRow | undefined
}

export interface ImportWrite {
  readonly tx: Transaction
  readonly viewer: Viewer
  /** As a mutation would hand it to the use case; the right must be one of the kind's `needs`. */
  as<A extends GranularAction, R extends ResourceName>(allow: A, on: R): Write<A, R>
}

/** What is known while the rows of one file are judged: read with few statements, before the first of them. */
export interface ImportSession {
  /** In the order of the filled template. */
  readonly present: readonly PresentRow[]
  /** Resolves what a row refers to and completes it; refusals name the column as the end of their path. */
  resolve?(cells: Cells): Result<Cells, Refused>
  /** See {@link PresentRow.key}. */
  keyOf(cells: Cells): string
  /** Ids of the records that a resolved row names in a column that holds no id: by a code, or by several columns. */
  recordIdsOf?(cells: Cells): RecordIds
  /** Rows of one record are saved one after the other, in the order of this. Default: each row is a record. */
  groupOf?(cells: Cells): { readonly group: string; readonly order: string }
  /** A row that no present row is, but that says what holds anyway. */
  holdsAlready?(cells: Cells): boolean
  /** The rows of a group have to fit together: `save` gets all of them at once. */
  readonly savesGroupsWhole?: boolean
  /**
   * Saves rows of different records: all of them, or none where one is refused. A refusal's path begins with the row's
   * place. May throw a violated constraint, which names no row.
   */
  save(write: ImportWrite, rows: readonly RowToSave[]): Promise<Result<unknown, Refused>>
  /** Called once after all rows of a confirmed file are saved, in the same transaction. */
  finish?(write: ImportWrite): Promise<void>
}

/** What can be brought in from a file: declared once, for the template, the preview and the confirmed rows. */
export interface ImportKind {
  readonly name: string
  readonly title: string
  /** What one row is, and what has to be there before. */
  readonly description: string
  /** The file name of its templates. */
  readonly fileName: string
  /** All are needed, each over every row: without one the kind is neither shown nor imported. */
  readonly needs: readonly (readonly [GranularAction, ResourceName])[]
  /** Needs a recent step-up, as the form does. */
  readonly needsStepUp?: boolean
  /** Somebody else than the uploader confirms, as with what needs two people in the form. */
  readonly confirmedByOther?: boolean
  /** People who are new are invited by mail, now or later. */
  readonly invites?: boolean
  /** Its rows hold numbers of bank accounts in full: reading them leaves a row in the audit log. */
  readonly showsAccounts?: boolean
  readonly columns: readonly ImportColumn[]
  /** Columns of which no two rows of a file may have the same value, besides the key. */
  readonly unique?: readonly string[]
  open(reader: Reader, options: ImportOptions): Promise<ImportSession>
}

export interface ImportOptions {
  /** Emails to people who are invited leave at once. */
  readonly sendsInvitations: boolean
  /** Who sent the file; undefined while it is only looked at. */
  readonly uploadedByUid?: string | undefined
}
