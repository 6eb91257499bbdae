-- Which records the names in a row of a preview mean. A name may belong to another record when the preview is confirmed:
-- then the rows are shown again. Previews that are kept without it are shown again as well.
alter table import_rows add column record_ids jsonb not null default '{}';
