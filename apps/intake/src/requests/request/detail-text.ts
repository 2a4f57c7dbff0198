import type { Details } from './request.entity.ts';

/** A detail that is a text; null where it is not there. */
export function detailText(details: Details, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}
