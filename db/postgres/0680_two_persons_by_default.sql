-- A new installation closes months by two persons; an existing one keeps what it decided.
update payment_settings set needs_two_persons = true where not exists (select from users);
