import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { Row } from '../one-statement.ts';

/** Registered properties of one evidence: all but its bytes, its key and where they are stored. */
export interface EvidenceOutline {
  readonly id: string;
  readonly position: number;
  readonly field: string | null;
  readonly evidenceType: string | null;
  readonly validatorUrl: string | null;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly error: string | null;
}

const columns = {
  id: 'id',
  position: 'position',
  field: 'field',
  evidenceType: 'evidence_type',
  validatorUrl: 'validator_url',
  mediaType: 'media_type',
  size: 'size',
  sha256: 'sha256',
  error: 'error',
} as const satisfies Readonly<Record<keyof EvidenceOutline, string>>;
const names = Object.keys(columns) as (keyof EvidenceOutline)[];

export { names as outlineNames };

const outlineMembers = names.map((name) => `'${name}', evidence.${columns[name]}`).join(', ');

/** SQL columns of an outline, from a row of `evidence`. */
export const outlineColumns = names.map((name) => `evidence.${columns[name]} as "${name}"`).join(', ');

/**
 * Returns SQL of the outlines of a request's evidence in their order.
 * @param id SQL expression of its id, never input
 */
export function outlinesSql(id: string): string {
  return `(select coalesce(jsonb_agg(jsonb_build_object(${outlineMembers}) order by position), '[]')
    from evidence where evidence.request_id = ${id})`;
}

export function toOutline(row: Row): EvidenceOutline {
  return Object.fromEntries(
    names.map((name) => [name, row[columns[name]] ?? null]),
  ) as unknown as EvidenceOutline;
}

/** Computes SHA-256 of all evidence of a request, in the order of positions; null if it has none. */
export function digestEvidence(outlines: readonly EvidenceOutline[]): string | null {
  if (outlines.length === 0) return null;
  const ordered = [...outlines].sort((left, right) => left.position - right.position);
  return sha256Hex(JSON.stringify(ordered.map((outline) => names.map((name) => outline[name]))));
}
