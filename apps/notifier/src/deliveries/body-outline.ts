import { createHash } from 'node:crypto';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';

type BodyOutline = NonNullable<OperatorOutput<'deliveries.get'>['outline']>;
type FieldOutline = BodyOutline['fields'][number];

/** Of fields that are more than text. Of a secret nothing is said, not even how long it is. */
const kinds: Readonly<Record<string, FieldOutline['kind']>> = { file: 'base64', password: 'secret' };

/** What a body has in it, without a value of it: enough to hold against what a receiver says came. */
export function outlineOf(body: Buffer): BodyOutline {
  const fields = Object.entries(JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  return { bytes: body.length, sha256: digestOf(body), fields: fields.flatMap(opened).map(outlineOfField) };
}

/** In an envelope the fields are those of its `data`. */
function opened([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one]);
}

function outlineOfField([name, value]: [string, unknown]): FieldOutline {
  const kind = kinds[name.replace(/^data\./, '')] ?? 'text';
  if (kind === 'secret') return { name, kind, bytes: null, sha256: null };
  const bytes = Buffer.from(String(value), kind === 'base64' ? 'base64' : 'utf8');
  return { name, kind, bytes: bytes.length, sha256: kind === 'base64' ? digestOf(bytes) : null };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
