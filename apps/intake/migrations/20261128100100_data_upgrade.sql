-- How long requests of the release before are taken over: for a day after this step, and not at all in a new database.
-- The service's role may only read it. `audit_sequence` and `timeline_id` are the ends of the audit chain and of the timeline at
-- that moment: what was decided up to there is proven by the chain, and a request with a later step is not as it was found.
-- Until `mixed_until`, which provisioning sets, requests that copies of the release before write are taken over as well.
create table data_upgrade (
  single_row boolean primary key default true check (single_row),
  began_at timestamptz not null default now(),
  ends_at timestamptz not null,
  mixed_until timestamptz not null default now(),
  audit_sequence bigint not null,
  timeline_id bigint not null
);
insert into data_upgrade (ends_at, audit_sequence, timeline_id)
select case when exists (select from request) then now() + interval '1 day' else now() end,
  coalesce((select max(chain_sequence) from audit), 0), coalesce((select max(id) from timeline), 0);
-- What a request, its state and its evidence are, in one digest.
create function digest_request(request) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    $1.id, $1.partner_id, $1.family, $1.reference_transaction, $1.identification_number, $1.application_type,
    $1.certificate_type, $1.period, $1.callback_url, $1.details, $1.password_origin, $1.sealed_password,
    $1.claimed_at_registration, $1.renewal_of, $1.supersede_due_at is not null, $1.review_policy,
    $1.status, $1.validation_status, $1.failed_step, $1.validation_attempt, $1.generation_attempt, $1.serial_number,
    (select jsonb_agg(jsonb_build_array(id, position, field, evidence_type, validator_url, media_type, size, sha256, error)
      order by position) from evidence where request_id = $1.id))::text, 'UTF8'))
$$;
-- Digests of the requests at that moment: a request without a MAC that is another now is nobody's. The service's role may only
-- read them.
create table request_at_upgrade (
  request_id uuid primary key,
  digest bytea not null
);
insert into request_at_upgrade (request_id, digest)
select id, digest_request(request) from request where erased_at is null;
