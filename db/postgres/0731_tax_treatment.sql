-- When and by whom the payee's kind, residence and registration were decided. Null: nobody has looked at the defaults.
alter table agreements
  add column tax_treatment_confirmed_at timestamptz,
  -- Kept when the person is gone.
  add column tax_treatment_confirmed_by_uid uuid;
