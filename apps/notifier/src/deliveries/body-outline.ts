import { createHash } from 'node:crypto';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type SentField, sentFields } from './sent-fields.ts';

type BodyOutline = NonNullable<OperatorOutput<'deliveries.get'>['outline']>;
type FieldOutline = BodyOutline['fields'][number];

/** Of fields that are more than text. Of a secret nothing is said, not even how long it is. */
const kinds: Readonly<Record<string, FieldOutline['kind']>> = { file: 'base64', password: 'secret' };

/** What a body has in it, without a value of it: enough to hold against what a receiver says came. */
export function outlineOf(body: Buffer): BodyOutline {
  return { bytes: body.length, sha256: digestOf(body), fields: sentFields(body).map(outlineOfField) };
}

function outlineOfField({ path, name, value }: SentField): FieldOutline {
  const kind = kinds[name] ?? 'text';
  if (kind === 'secret') return { name: path, kind, bytes: null, sha256: null };
  const bytes = Buffer.from(String(value), kind === 'base64' ? 'base64' : 'utf8');
  return { name: path, kind, bytes: bytes.length, sha256: kind === 'base64' ? digestOf(bytes) : null };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
