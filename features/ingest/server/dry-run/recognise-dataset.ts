import { DATASET_COLUMNS, DATASETS, type Dataset } from '../checking/dataset-columns.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import { columnProblems } from '../reading/csv-header.ts'
import { columnsOf } from '../reading/read-rows.ts'
import { ReadingEngine } from '../reading/reading-engine.ts'
import type { Source } from '../reading/source-files.ts'

/** NDJSON objects whose keys are looked at here; reading the rows later checks every object. */
const OBJECTS_LOOKED_AT = 1000

/**
 * The dataset whose columns the delivery has. Every dataset needs a column that no other one has, so that no file can be
 * of two.
 * @throws IngestRefusal that names the closest dataset and its missing or unknown columns
 */
export async function recogniseDataset(
  { engine: settings, limits }: Pick<IngestContext, 'engine' | 'limits'>,
  source: Source,
): Promise<Dataset> {
  const engine = await ReadingEngine.open(settings, [source.workDir], source.workDir)
  try {
    const columns = await columnsOf(engine, source, limits, OBJECTS_LOOKED_AT)
    return datasetOf(columns.map(({ name }) => name))
  } finally {
    engine.close()
  }
}

/**
 * @throws IngestRefusal when the column names are those of no dataset
 * Tested by `features/ingest/server/dry-run/dry-run.test.ts`.
 */
export function datasetOf(names: readonly string[]): Dataset {
  const closest = closestDataset(names)
  const problems = columnProblems(names, DATASET_COLUMNS[closest])
  if (problems.length === 0) return closest
  throw new IngestRefusal('ingest/unknown-dataset', INGEST_MESSAGES.unknownDataset(closest, problems.join('')))
}

/** The dataset with the fewest missing and unknown columns; the first one where no column name fits. */
function closestDataset(names: readonly string[]): Dataset {
  const distances = DATASETS.map(dataset => {
    const columns = DATASET_COLUMNS[dataset]
    const known = new Set(columns.map(({ name }) => name))
    const missing = columns.filter(({ name, presence }) => presence === 'column' && !names.includes(name))
    const unknown = names.filter(name => !known.has(name))
    return { dataset, distance: missing.length + unknown.length }
  })
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best)).dataset
}
