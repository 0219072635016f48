/** Everything of the log stands in a schema of its own; names are always qualified, so no search_path matters. */
export const LOG_SCHEMA = 'headworks_log';

/** Told to listening followers, once a batch; a hint beside their polling. */
export const CHANNEL = 'headworks_log';

/**
 * Set in every session of ours. Each statement has an index that serves it: a plan that was made while the table was
 * small would scan it for as long as the session keeps the plan. Compiling a plan (jit) costs more than running it.
 */
export const PLANNING: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const TABLES = `
CREATE SCHEMA headworks_log;
CREATE TABLE headworks_log.meta (key text PRIMARY KEY, value text NOT NULL);
-- One row, locked by every writer until its commit: positions are given in the order of commits, without a gap.
CREATE TABLE headworks_log.log_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL,
  recorded_max text COLLATE "C" NOT NULL
);
INSERT INTO headworks_log.log_head (position, recorded_max) VALUES (0, '');
-- Collation "C" whatever the database has: names and instants compare by their bytes.
CREATE TABLE headworks_log.events (
  position bigint PRIMARY KEY,
  stream text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  bytes bytea NOT NULL,
  hash bytea NOT NULL,
  recorded_max text COLLATE "C" NOT NULL,
  UNIQUE (stream, revision)
);
CREATE FUNCTION headworks_log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event is never changed or removed; append a correction';
END $$;
CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON headworks_log.events
  FOR EACH ROW EXECUTE FUNCTION headworks_log.refuse_change();
CREATE TRIGGER events_never_go BEFORE TRUNCATE ON headworks_log.events
  FOR EACH STATEMENT EXECUTE FUNCTION headworks_log.refuse_change();
`;

/**
 * The batch in one round trip and one transaction, under the lock of the head. Nearly always each append stands on its
 * stream's head, or on the append before it in the batch: then they are written by one statement. Else each is
 * judged in its turn by \`append_each\`; see judge.ts for the rule. \`_starts\` are the appends that stand on a stored
 * head, none where the batch contradicts itself; \`_running\` is the running maximum of \`_recorded\`.
 */
const APPEND_BATCH = `
CREATE FUNCTION headworks_log.append_batch(
  _streams text[], _afters int[], _after_hashes bytea, _counts int[], _starts int[],
  _owners int[], _revisions int[], _ids uuid[], _types text[], _recorded text[], _running text[],
  _offsets int[], _lengths int[], _hashes bytea, _bodies bytea
) RETURNS TABLE (verdict text, head_revision int, head_hash bytea, head_position bigint)
LANGUAGE plpgsql AS $$
DECLARE
  _position bigint;
  _recorded_max text COLLATE "C";
BEGIN
  -- Under another level the head would be read as it was before the lock was had.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'append_batch needs the isolation level read committed';
  END IF;
  -- What is acknowledged is on the disk, whatever the server's default; a stronger setting stays.
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT h.position, h.recorded_max INTO STRICT _position, _recorded_max
    FROM headworks_log.log_head h WHERE h.one FOR UPDATE;
  IF cardinality(_starts) > 0 AND NOT EXISTS (
    SELECT 1 FROM unnest(_starts) AS s (i) LEFT JOIN LATERAL (
      SELECT e.revision, e.hash FROM headworks_log.events e
        WHERE e.stream = _streams[s.i] ORDER BY e.revision DESC LIMIT 1
    ) l ON true
    WHERE NOT CASE
      WHEN _afters[s.i] < 0 THEN l.revision IS NULL
      WHEN l.revision IS NULL THEN false
      ELSE l.revision = _afters[s.i] AND l.hash = substring(_after_hashes FROM (s.i - 1) * 32 + 1 FOR 32)
    END
  ) THEN
    INSERT INTO headworks_log.events (position, stream, revision, id, type, bytes, hash, recorded_max)
      SELECT _position + n, _streams[owner], revision, id, type,
        substring(_bodies FROM start FOR length), substring(_hashes FROM (n::int - 1) * 32 + 1 FOR 32),
        greatest(_recorded_max, running)
      FROM unnest(_owners, _revisions, _ids, _types, _running, _offsets, _lengths)
        WITH ORDINALITY AS e (owner, revision, id, type, running, start, length, n);
    verdict := 'all';
    head_position := _position;
    RETURN NEXT;
  ELSE
    RETURN QUERY SELECT * FROM headworks_log.append_each(_position, _streams, _afters, _after_hashes, _counts,
      _revisions, _ids, _types, _recorded, _offsets, _lengths, _hashes, _bodies);
  END IF;
  UPDATE headworks_log.log_head h SET position = e.position, recorded_max = e.recorded_max
    FROM (SELECT l.position, l.recorded_max FROM headworks_log.events l ORDER BY l.position DESC LIMIT 1) e
    WHERE h.one AND h.position < e.position;
  IF FOUND THEN PERFORM pg_notify('${CHANNEL}', ''); END IF;
END $$;
`;

/** Each append in its turn, against its stream's head as it stands after the appends before it. */
const APPEND_EACH = `
CREATE FUNCTION headworks_log.append_each(
  _position bigint, _streams text[], _afters int[], _after_hashes bytea, _counts int[],
  _revisions int[], _ids uuid[], _types text[], _recorded text[],
  _offsets int[], _lengths int[], _hashes bytea, _bodies bytea
) RETURNS TABLE (verdict text, head_revision int, head_hash bytea, head_position bigint)
LANGUAGE plpgsql AS $$
DECLARE
  _recorded_max text COLLATE "C";
  _last record;
  _first int := 1;
  _after_hash bytea;
  _stands boolean;
BEGIN
  SELECT h.recorded_max INTO STRICT _recorded_max FROM headworks_log.log_head h WHERE h.one;
  FOR _i IN 1 .. cardinality(_streams) LOOP
    _after_hash := substring(_after_hashes FROM (_i - 1) * 32 + 1 FOR 32);
    SELECT e.revision, e.hash, e.position INTO _last FROM headworks_log.events e
      WHERE e.stream = _streams[_i] ORDER BY e.revision DESC LIMIT 1;
    IF _afters[_i] < 0 THEN
      _stands := NOT FOUND;
    ELSE
      _stands := FOUND AND _last.revision = _afters[_i] AND _last.hash = _after_hash;
    END IF;
    IF _stands THEN
      FOR _k IN _first .. _first + _counts[_i] - 1 LOOP
        _position := _position + 1;
        _recorded_max := greatest(_recorded_max, _recorded[_k]);
        head_hash := substring(_hashes FROM (_k - 1) * 32 + 1 FOR 32);
        INSERT INTO headworks_log.events (position, stream, revision, id, type, bytes, hash, recorded_max)
          VALUES (_position, _streams[_i], _revisions[_k], _ids[_k], _types[_k],
            substring(_bodies FROM _offsets[_k] FOR _lengths[_k]), head_hash, _recorded_max);
      END LOOP;
      verdict := 'written';
      head_revision := _afters[_i] + _counts[_i];
      head_position := _position;
    ELSE
      SELECT d.head_revision, d.head_hash, d.head_position INTO head_revision, head_hash, head_position
        FROM headworks_log.first_write(_streams[_i], _afters[_i], _after_hash, _ids[_first : _first + _counts[_i] - 1]) d;
      IF head_revision IS NOT NULL THEN
        verdict := 'duplicate';
      ELSE
        verdict := 'conflict';
        head_revision := _last.revision;
        head_hash := _last.hash;
        head_position := _last.position;
      END IF;
    END IF;
    _first := _first + _counts[_i];
    RETURN NEXT;
  END LOOP;
END $$;
`;

/** Last event of an append whose ids all stand where it would put them, on the history that it names; else nulls. */
const FIRST_WRITE = `
CREATE FUNCTION headworks_log.first_write(
  _stream text, _after int, _after_hash bytea, _ids uuid[],
  OUT head_revision int, OUT head_hash bytea, OUT head_position bigint
) LANGUAGE plpgsql AS $$
DECLARE
  _count int := array_length(_ids, 1);
  _same int;
BEGIN
  IF _after >= 0 AND NOT EXISTS (
    SELECT 1 FROM headworks_log.events e WHERE e.stream = _stream AND e.revision = _after AND e.hash = _after_hash
  ) THEN
    RETURN;
  END IF;
  SELECT count(*) INTO _same FROM headworks_log.events e
    WHERE e.stream = _stream AND e.revision > _after AND e.revision <= _after + _count
      AND e.id = _ids[e.revision - _after];
  IF _same = _count THEN
    SELECT e.revision, e.hash, e.position INTO head_revision, head_hash, head_position
      FROM headworks_log.events e WHERE e.stream = _stream AND e.revision = _after + _count;
  END IF;
END $$;
`;

/** The cut of knownAt by halving: the running maximum only grows with the position (see reading.ts). */
const CUT_AT = `
CREATE FUNCTION headworks_log.cut_at(_instant text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  _known bigint := 0;
  _unknown bigint;
  _middle bigint;
BEGIN
  SELECT coalesce(max(e.position), 0) + 1 INTO _unknown FROM headworks_log.events e;
  WHILE _unknown - _known > 1 LOOP
    _middle := (_known + _unknown) / 2;
    IF (SELECT e.recorded_max <= _instant COLLATE "C" FROM headworks_log.events e WHERE e.position = _middle) THEN
      _known := _middle;
    ELSE
      _unknown := _middle;
    END IF;
  END LOOP;
  RETURN _known;
END $$;
`;

/** Makes everything in an empty database; to be run in one transaction. */
export const CREATE_LOG = [TABLES, FIRST_WRITE, APPEND_EACH, APPEND_BATCH, CUT_AT].join('\n');
