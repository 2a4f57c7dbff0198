import { createHash } from 'node:crypto';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import { type ShowBodyDeps, showBody } from '../deliveries/content/show-body.ts';
import { isoSql } from '../store/instants.ts';
import { findOwnEvent } from './own-events.ts';

/** Far above the ten attempts of a series: only many resends come close. */
const maxAttempts = 500;

const findAttempts = statement<
  { readonly eventId: string },
  {
    readonly at: string;
    readonly status: number | null;
    readonly durationMs: number;
    readonly error: string | null;
  }
>({
  name: 'attempts-of-event',
  sql: `select ${isoSql('started_at')} as at, status, duration_ms as "durationMs", error
    from attempt where delivery_id = :eventId order by fence limit ${maxAttempts}`,
});

/**
 * Reads one event of the calling partner, without its file and its password.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createReadEvent(deps: ShowBodyDeps): UseCase<'notifier', 'events.read'> {
  return async ({ eventId }, { caller: { partnerId } }) => {
    const { database } = deps;
    const event = await findOwnEvent(database, { partnerId, eventId });
    const attemptList = await findAttempts.run(database, { eventId: event.eventId });
    const body = await showBody(event.eventId, deps);
    return { ...event, attemptList, body: body === null ? null : withholdBody(body) };
  };
}

type Fields = Readonly<Record<string, unknown>>;

function withholdBody(body: Buffer): Record<string, unknown> {
  return withholdFields(JSON.parse(body.toString('utf8')) as Fields);
}

/** Encodings of withheld fields; in an envelope they are among those of `data`. */
const withheldEncodings: Readonly<Record<string, BufferEncoding>> = { file: 'base64', password: 'utf8' };

function withholdFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const encoding = withheldEncodings[name];
      if (typeof value === 'object' && value !== null) return [name, withholdFields(value as Fields)];
      if (encoding === undefined) return [name, value];
      const bytes = Buffer.from(String(value), encoding);
      return [name, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );
}
