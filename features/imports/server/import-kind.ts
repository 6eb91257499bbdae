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
/** The values of a row by column key, in canonical form; '' means empty. */
export type Cells = Readonly<Record<string, string>>

/** Ids of the records that a row names, by id column or by noun; `id` is the record that the row changes. */
export type RecordIds = Readonly<Record<string, string>>

/** An existing record, or a part of one, in the form of a row. */
export interface PresentRow {
  /** The value of the kind's ID column; undefined when the kind has none. */
  readonly id?: string | undefined
  /** Identifies the record for rows without an id, for example its name. May be ambiguous. */
  readonly key: string
  /** Undefined when the use case does not compare revisions. */
  readonly revision?: number | undefined
  readonly cells: Cells
}

/** A row to save, with a value for every column: a column that the file lacks has the existing value, or ''. */
export interface RowToSave {
  readonly cells: Cells
  /** The cells as in the file; columns that it lacks are missing. */
  readonly source: { readonly cells: Readonly<Record<string, unknown>> }
  readonly present: PresentRow | undefined
}

export interface ImportWrite {
  readonly tx: Transaction
  readonly viewer: Viewer
  /** The argument that a mutation would pass to the use case. The right must be one of the kind's `needs`. */
  as<A extends GranularAction, R extends ResourceName>(allow: A, on: R): Write<A, R>
}

/** Data and functions for the rows of one file. Everything is read in advance with few statements. */
export interface ImportSession {
  /** Existing records, in the order of the filled template. */
  readonly present: readonly PresentRow[]
  /** Resolves the records that a row names, and completes the row. A refusal's path ends with the column key. */
  resolve?(cells: Cells): Result<Cells, Refused>
  /** See {@link PresentRow.key}. */
  keyOf(cells: Cells): string
  /** Ids of records that a resolved row names by a code or by several columns, without an id column. */
  recordIdsOf?(cells: Cells): RecordIds
  /** Rows of the same group are saved one after the other, by `order`. Default: each row is its own group. */
  groupOf?(cells: Cells): { readonly group: string; readonly order: string }
  /** Whether a row without an existing record changes nothing, for example a month with the values of the month before. */
  holdsAlready?(cells: Cells): boolean
  /** True: `save` gets all rows of a group at once, because they are checked against each other. */
  readonly savesGroupsWhole?: boolean
  /**
   * Saves rows of different records: all of them, or none when one is refused. A refusal's path begins with the row's index.
   * May throw a violated constraint, which does not tell the row.
   */
  save(write: ImportWrite, rows: readonly RowToSave[]): Promise<Result<unknown, Refused>>
  /** Called once after all rows of a confirmed file are saved, in the same transaction. */
  finish?(write: ImportWrite): Promise<void>
}

/** A kind of record that can be imported. Template, preview and confirmation all use this declaration. */
export interface ImportKind {
  readonly name: string
  readonly title: string
  /** Japanese: what a row is, and what to import before. */
  readonly description: string
  /** File name of the templates, without extension. */
  readonly fileName: string
  /** Required rights, each over all rows. Without any of them the kind is neither shown nor imported. */
  readonly needs: readonly (readonly [GranularAction, ResourceName])[]
  /** Requires a recent step-up, as the form does. */
  readonly needsStepUp?: boolean
  /** Another person than the uploader must confirm, for records that need two people in the form too. */
  readonly confirmedByOther?: boolean
  /** New rows are people, who are invited by email now or later. */
  readonly invites?: boolean
  /** Rows contain full bank account numbers, so that reading them is recorded in the audit log. */
  readonly showsAccounts?: boolean
  readonly columns: readonly ImportColumn[]
  /** Columns, besides the key, whose values must be unique within a file. */
  readonly unique?: readonly string[]
  open(reader: Reader, options: ImportOptions): Promise<ImportSession>
}

export interface ImportOptions {
  /** Whether invitations are emailed at once. */
  readonly sendsInvitations: boolean
  /** The uploader, when rows are confirmed; undefined for a preview. */
  readonly uploadedByUid?: string | undefined
}
