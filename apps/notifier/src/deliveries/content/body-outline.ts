import { createHash } from 'node:crypto';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { listSentFields, type SentField } from './sent-fields.ts';

type BodyOutline = NonNullable<OperatorOutput<'deliveries.get'>['outline']>;
type FieldOutline = BodyOutline['fields'][number];

/** Kinds of fields other than text. A secret is never described, not even by its length. */
const kinds: Readonly<Record<string, FieldOutline['kind']>> = { file: 'base64', password: 'secret' };

/** Describes the content of a body without its values: enough to compare with what a receiver reports. */
export function outlineBody(body: Buffer): BodyOutline {
  return { bytes: body.length, sha256: digest(body), fields: listSentFields(body).map(describeField) };
}

function describeField({ path, name, value }: SentField): FieldOutline {
  const kind = kinds[name] ?? 'text';
  if (kind === 'secret') return { name: path, kind, bytes: null, sha256: null };
  const bytes = Buffer.from(String(value), kind === 'base64' ? 'base64' : 'utf8');
  return { name: path, kind, bytes: bytes.length, sha256: kind === 'base64' ? digest(bytes) : null };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
